//! What rules say of a tool use, where they stand, and why.

use mcp_agent::PermissionMode;

/// Where a rule comes from.
///
/// Layers do not outrank each other: deny rules of every layer are looked at first, then ask rules, then allow rules.
/// The layer says in which directory a path pattern is anchored, and which settings may be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// Said in this session.
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

/// What may happen to a tool use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Behavior {
    /// It runs.
    Allow,
    /// Somebody is asked.
    Ask,
    /// It does not run.
    Deny,
}

/// What rules say of a tool use, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// What may happen.
    pub behavior: Behavior,
    /// Why.
    pub why: Why,
}

/// Why a verdict is what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// A rule says so.
    Rule {
        /// Of this layer.
        layer: Layer,
        /// As it was written.
        rule: String,
    },
    /// A rule denies something, and whether this is it cannot be known. So somebody is asked.
    Unclear {
        /// Of this layer.
        layer: Layer,
        /// As it was written.
        rule: String,
    },
    /// No rule says anything, so the mode does.
    Mode(PermissionMode),
}

impl Verdict {
    /// The reason in one sentence, for the model or for a person.
    pub fn reason(&self) -> String {
        let verb = match self.behavior {
            Behavior::Allow => "allows it",
            Behavior::Ask => "requires a confirmation",
            Behavior::Deny => "denies it",
        };
        match &self.why {
            Why::Rule { rule, .. } => format!("the rule {rule} {verb}"),
            Why::Unclear { rule, .. } => format!("the rule {rule} may deny it"),
            Why::Mode(mode) => format!("no rule matches, and the permission mode {mode} {verb}"),
        }
    }
}
