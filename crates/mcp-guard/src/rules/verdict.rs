//! The result of evaluating rules: the decision and its reason.

use mcp_agent_tools::PermissionMode;
use serde::Serialize;

/// The source of a rule.
///
/// No layer has precedence over another: the deny rules of all layers are evaluated first, then the ask rules, then the
/// allow rules. The layer determines the directory that path patterns are relative to, and which settings are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Layer {
    /// Rules added in this session.
    Session,
    /// The project's settings of this user: `.claude/settings.local.json`.
    Local,
    /// The project's settings: `.claude/settings.json`.
    Project,
    /// The user's settings: `~/.claude/settings.json`.
    User,
    /// Settings that an administrator manages.
    Policy,
}

impl Layer {
    /// Returns the name of the layer in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Local => "local",
            Self::Project => "project",
            Self::User => "user",
            Self::Policy => "policy",
        }
    }
}

/// The decision about a tool use, from the mildest to the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Behavior {
    /// The tool runs.
    Allow,
    /// The user is asked.
    Ask,
    /// The tool does not run.
    Deny,
}

impl Behavior {
    /// Returns the decision as it is written in settings: `allow`, `ask` or `deny`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// The decision about a tool use, with its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// Whether the tool use is allowed, asked about or denied.
    pub behavior: Behavior,
    /// The reason for the decision.
    pub why: Reason,
}

/// The reason for a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A rule matched.
    Rule {
        /// The layer of the rule.
        layer: Layer,
        /// The text of the rule.
        rule: String,
    },
    /// It cannot be determined whether a deny rule matches, so the user is asked.
    Unclear {
        /// The layer of the rule.
        layer: Layer,
        /// The text of the rule.
        rule: String,
    },
    /// A setting decided, such as `blockReadsOutsideWorkingDirectories`.
    Setting {
        /// The layer of the setting.
        layer: Layer,
        /// The name of the setting.
        name: &'static str,
    },
    /// No rule matched, so the permission mode decided.
    Mode {
        /// The mode.
        mode: PermissionMode,
        /// The layer that has set the mode, or `None` if nothing has set it. [`Rules::mode`](super::Rules::mode) belongs to
        /// [`Layer::Session`].
        layer: Option<Layer>,
    },
    /// The audit log could not be written, so the tool use is denied.
    AuditLog,
}

impl Verdict {
    /// Returns the reason as one sentence, for the model or for the user.
    pub fn reason(&self) -> String {
        let verb = match self.behavior {
            Behavior::Allow => "allows it",
            Behavior::Ask => "requires a confirmation",
            Behavior::Deny => "denies it",
        };
        match &self.why {
            Reason::Rule { rule, .. } => format!("the rule {rule} {verb}"),
            Reason::Setting { name, .. } => format!("the setting {name} {verb}"),
            Reason::Unclear { rule, .. } => format!("the rule {rule} may deny it"),
            Reason::Mode { mode, .. } => format!("no rule matches, and the permission mode {mode} {verb}"),
            Reason::AuditLog => "the audit log cannot be written, so the call is denied".to_owned(),
        }
    }
}
