//! The set of permission rules, and their evaluation.

use std::path::{Path, PathBuf};

use mcp_agent_tools::PermissionMode;
use serde_json::Value;

use crate::paths::{self, Anchor};
use restrict::Hit;
use subject::Subject;

mod allow;
mod command;
mod domain;
mod mode;
mod restrict;
mod rule;
mod subject;
mod verdict;

pub use rule::{Rule, RuleError};
pub use verdict::{Behavior, Layer, Verdict, Why};

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
    directories: Vec<PathBuf>,
    home: Option<PathBuf>,
    pub(crate) mode: PermissionMode,
    /// Whether settings forbid [`PermissionMode::BypassPermissions`].
    pub(crate) bypass_disabled: bool,
    entries: Vec<Entry>,
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
            directory: directory.into(),
            directories: Vec::new(),
            home: None,
            mode: PermissionMode::Default,
            bypass_disabled: false,
            entries: Vec::new(),
        }
    }

    /// Sets the home directory, for `~` and for patterns that start with `/` in the user's settings.
    #[must_use]
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// Sets what happens to a tool use that no rule matches.
    ///
    /// [`PermissionMode::BypassPermissions`] has no effect where settings disable it (`disableBypassPermissionsMode`).
    #[must_use]
    pub fn mode(mut self, mode: PermissionMode) -> Self {
        self.mode = mode;
        self
    }

    /// Adds a directory that tools may work in.
    #[must_use]
    pub fn add_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directories.push(directory.into());
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

    /// Evaluates the rules for a tool use.
    pub fn resolve(&self, tool: &str, input: &Value) -> Verdict {
        let subject = Subject::new(tool, input, &self.directory, self.home.as_deref());
        let by_rule = |entry: &Entry| Why::Rule { layer: entry.layer, rule: entry.rule.to_string() };
        let hit = |entry: &Entry| subject.restricted_by(&entry.rule, self.anchor(entry.layer));
        let mut unclear = None;
        for entry in self.of(Behavior::Deny) {
            match hit(entry) {
                Hit::Yes => return Verdict { behavior: Behavior::Deny, why: by_rule(entry) },
                Hit::Perhaps => unclear = unclear.or(Some(entry)),
                Hit::No => {}
            }
        }
        let verdict = self.by_rule(&subject).unwrap_or_else(|| self.by_mode(&subject));
        match unclear {
            Some(entry) if verdict.behavior == Behavior::Allow => {
                let why = Why::Unclear { layer: entry.layer, rule: entry.rule.to_string() };
                Verdict { behavior: Behavior::Ask, why }
            }
            _ => verdict,
        }
    }

    /// Evaluates the ask rules of all layers, then the allow rules of all layers.
    fn by_rule(&self, subject: &Subject) -> Option<Verdict> {
        // `Hit::Perhaps` is enough to ask.
        let asks = |entry: &&Entry| subject.restricted_by(&entry.rule, self.anchor(entry.layer)) > Hit::No;
        if let Some(entry) = self.of(Behavior::Ask).find(asks) {
            let why = Why::Rule { layer: entry.layer, rule: entry.rule.to_string() };
            return Some(Verdict { behavior: Behavior::Ask, why });
        }
        // The commands of a compound command may be allowed by rules of several layers.
        let allowing: Vec<_> = self.of(Behavior::Allow).map(|entry| (&entry.rule, self.anchor(entry.layer))).collect();
        let rule = subject.allowed_by(&allowing)?;
        let entry = self.of(Behavior::Allow).find(|entry| std::ptr::eq(&entry.rule, rule))?;
        let why = Why::Rule { layer: entry.layer, rule: entry.rule.to_string() };
        Some(Verdict { behavior: Behavior::Allow, why })
    }

    fn by_mode(&self, subject: &Subject) -> Verdict {
        let real: Vec<PathBuf> = self.all_directories().map(paths::real).collect();
        let directories: Vec<&Path> = self.all_directories().chain(real.iter().map(PathBuf::as_path)).collect();
        let mode = self.effective_mode();
        let behavior = mode::default_of(mode, subject, &directories);
        Verdict { behavior, why: Why::Mode(mode.clone()) }
    }

    /// Returns the mode, or the default mode if settings disable bypassing permissions.
    fn effective_mode(&self) -> &PermissionMode {
        match &self.mode {
            PermissionMode::BypassPermissions if self.bypass_disabled => &PermissionMode::Default,
            mode => mode,
        }
    }

    fn all_directories(&self) -> impl Iterator<Item = &Path> {
        [&self.directory].into_iter().chain(&self.directories).map(PathBuf::as_path)
    }

    fn of(&self, behavior: Behavior) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.behavior == behavior)
    }

    fn anchor(&self, layer: Layer) -> Anchor<'_> {
        let home = self.home.as_deref();
        let root = match layer {
            Layer::User => home.unwrap_or(&self.directory),
            _ => &self.directory,
        };
        Anchor { directory: &self.directory, root, home }
    }
}
