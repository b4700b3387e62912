//! The set of permission rules, and their evaluation.

use std::io;
use std::path::{Path, PathBuf};

use mcp_agent_tools::PermissionMode;
use serde_json::Value;

use crate::audit::{self, AuditLog, Decision};
use crate::paths::{self, BaseDirectories};
use crate::settings::Restrictions;
use mode::Modes;
use subject::Subject;

mod allow;
mod command;
mod domain;
mod evaluate;
mod explain;
mod files;
mod mode;
mod restrict;
mod rule;
mod shared;
mod subject;
mod verdict;

pub use explain::{Explanation, Match, Matched};
pub use rule::{Rule, RuleError};
pub use shared::SharedRules;
pub use verdict::{Behavior, Layer, Reason, Verdict};

/// A set of permission rules from several layers.
///
/// ```
/// # use mcp_guard::{Behavior, Layer, Rules};
/// # use serde_json::json;
/// let rules = Rules::new("/code").allow(Layer::Project, "Bash(git *)")?.deny(Layer::User, "Bash(git push *)")?;
/// let behavior = |command: &str| rules.resolve("Bash", &json!({"command": command})).behavior;
/// assert_eq!(behavior("git status && git log"), Behavior::Allow);
/// assert_eq!(behavior("git status && sudo git push origin"), Behavior::Deny);
/// assert_eq!(behavior("git status && make"), Behavior::Ask);
/// # Ok::<(), mcp_guard::RuleError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Rules {
    directory: PathBuf,
    pub(crate) directories: Vec<(Layer, PathBuf)>,
    home: Option<PathBuf>,
    pub(crate) modes: Modes,
    pub(crate) restrictions: Restrictions,
    entries: Vec<Entry>,
    audit: Option<AuditLog>,
}

#[derive(Debug, Clone)]
struct Entry {
    layer: Layer,
    behavior: Behavior,
    rule: Rule,
}

impl Rules {
    /// Creates an empty set of rules for an agent that works in this directory. The path must be absolute.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: paths::comparable(&directory.into()),
            directories: Vec::new(),
            home: None,
            modes: Modes::default(),
            restrictions: Restrictions::default(),
            entries: Vec::new(),
            audit: None,
        }
    }

    /// Sets the home directory, for `~` and for patterns that start with `/` in the user's settings.
    #[must_use]
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(paths::comparable(&home.into()));
        self
    }

    /// Sets what happens to a tool use that no rule matches. It replaces the mode of all settings, whichever is read first,
    /// as the option `--permission-mode` of the CLI does.
    ///
    /// [`PermissionMode::BypassPermissions`] has no effect where settings disable it (`disableBypassPermissionsMode`).
    #[must_use]
    pub fn mode(mut self, mode: PermissionMode) -> Self {
        self.modes.set(mode);
        self
    }

    /// Adds a directory that tools may work in.
    #[must_use]
    pub fn add_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directories.push((Layer::Session, directory.into()));
        self
    }

    /// Adds an allow rule.
    ///
    /// # Errors
    /// Returns an error if the rule is invalid.
    pub fn allow(self, layer: Layer, rule: &str) -> Result<Self, RuleError> {
        self.with(layer, Behavior::Allow, rule)
    }

    /// Adds an ask rule.
    ///
    /// # Errors
    /// Returns an error if the rule is invalid.
    pub fn ask(self, layer: Layer, rule: &str) -> Result<Self, RuleError> {
        self.with(layer, Behavior::Ask, rule)
    }

    /// Adds a deny rule.
    ///
    /// # Errors
    /// Returns an error if the rule is invalid.
    pub fn deny(self, layer: Layer, rule: &str) -> Result<Self, RuleError> {
        self.with(layer, Behavior::Deny, rule)
    }

    /// Adds a rule.
    ///
    /// # Errors
    /// Returns an error if the rule is invalid.
    pub fn with(mut self, layer: Layer, behavior: Behavior, rule: &str) -> Result<Self, RuleError> {
        self.add(layer, behavior, rule.parse()?);
        Ok(self)
    }

    /// Adds a parsed rule to an existing set.
    pub fn add(&mut self, layer: Layer, behavior: Behavior, rule: Rule) {
        self.entries.push(Entry { layer, behavior, rule });
    }

    /// Writes every decision of [`judge`](Self::judge), of a [`Guard`](crate::Guard) with these rules and of
    /// `mcp_agent::Agent::rules` to this log. Without it they are `tracing` events only, with the target `mcp_guard::audit`.
    #[must_use]
    pub fn audit(mut self, log: AuditLog) -> Self {
        self.audit = Some(log);
        self
    }

    /// Evaluates the rules for a tool use that works in the directory of the rules.
    pub fn resolve(&self, tool: &str, input: &Value) -> Verdict {
        self.resolve_in(&self.directory, tool, input)
    }

    /// Evaluates the rules for a tool use that works in another directory, as after `cd` in an earlier command or in the
    /// worktree of a sub-agent. Relative paths in the input are relative to `current`, those in rules are not.
    pub fn resolve_in(&self, current: impl AsRef<Path>, tool: &str, input: &Value) -> Verdict {
        let current = paths::comparable(&self.directory.join(current));
        let subject = self.subject(tool, input, &current);
        let verdict = match self.blocked(&subject) {
            Some(verdict) if verdict.behavior == Behavior::Deny => verdict,
            blocked => {
                let ruled = self.ruled(&subject);
                blocked.filter(|blocked| blocked.behavior > ruled.behavior).unwrap_or(ruled)
            }
        };
        match self.restrictions.deny_instead_of_prompting {
            Some(layer) if verdict.behavior == Behavior::Ask => {
                Verdict { behavior: Behavior::Deny, why: Reason::Setting { layer, name: "denyInsteadOfPrompting" } }
            }
            _ => verdict,
        }
    }

    /// Evaluates the rules for a tool use and records the decision. If the audit log cannot be written, the tool use is
    /// denied.
    pub fn judge(&self, tool: &str, input: &Value) -> Verdict {
        self.judge_in(&self.directory, tool, input)
    }

    /// Does the same as [`judge`](Self::judge) for a tool use that works in another directory, as
    /// [`resolve_in`](Self::resolve_in) does.
    pub fn judge_in(&self, current: impl AsRef<Path>, tool: &str, input: &Value) -> Verdict {
        let verdict = self.resolve_in(current, tool, input);
        match self.record(tool, input, &verdict, None) {
            Ok(()) => verdict,
            Err(_) => Verdict { behavior: Behavior::Deny, why: Reason::AuditLog },
        }
    }

    /// Records a decision of [`resolve`](Self::resolve), for a program that asks about tool uses itself: with the answer to the
    /// question that the verdict requires, if there is one.
    ///
    /// # Errors
    /// Returns an error if the audit log cannot be written. The tool use must then be denied.
    pub fn record(&self, tool: &str, input: &Value, verdict: &Verdict, answer: Option<bool>) -> io::Result<()> {
        let decision = match answer {
            Some(is_allowed) => Decision::answered(verdict, is_allowed),
            None => Decision::from(verdict),
        };
        audit::record(self.audit.as_ref(), tool, input, &decision, None)
    }

    pub(crate) fn audit_log(&self) -> Option<&AuditLog> {
        self.audit.as_ref()
    }

    fn subject<'a>(&self, tool: &str, input: &Value, current: &'a Path) -> Subject<'a> {
        Subject::new(tool, input, current, self.home.as_deref())
    }

    /// Returns the directories that tools may work in, as written and with links resolved.
    fn real_directories(&self) -> Vec<PathBuf> {
        let meant = |path: &Path| match path.to_str() {
            Some(text) => paths::meanings(text, &self.directory, self.home.as_deref()),
            None => vec![path.to_path_buf(), paths::real(path)],
        };
        self.all_directories().flat_map(meant).collect()
    }

    fn all_directories(&self) -> impl Iterator<Item = &Path> {
        // An administrator who allows only managed rules does not let other settings add directories either.
        let only_managed = self.restrictions.managed_rules_only;
        let counts = move |layer: Layer| !only_managed || matches!(layer, Layer::Session | Layer::Policy);
        let added = self.directories.iter().filter(move |(layer, _)| counts(*layer)).map(|(_, directory)| directory);
        [&self.directory].into_iter().chain(added).map(PathBuf::as_path)
    }

    fn of(&self, behavior: Behavior) -> impl Iterator<Item = &Entry> {
        let only_managed = behavior == Behavior::Allow && self.restrictions.managed_rules_only;
        self.entries
            .iter()
            .filter(move |entry| entry.behavior == behavior && (!only_managed || entry.layer == Layer::Policy))
    }

    fn anchor<'a>(&'a self, layer: Layer, subject: &Subject<'a>) -> BaseDirectories<'a> {
        let home = self.home.as_deref();
        let root = match layer {
            Layer::User => home.unwrap_or(&self.directory),
            _ => &self.directory,
        };
        BaseDirectories { directory: &self.directory, root, home, current: subject.current }
    }
}
