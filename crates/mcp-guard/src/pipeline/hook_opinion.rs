//! What a hook says about a call before it runs.

use serde_json::Value;

use crate::rules::Behavior;

/// What a hook says about a call before it runs.
///
/// The opinions of all hooks and the verdict of the rules are merged: deny wins over ask, and ask wins over everything else.
/// A hook cannot allow what the rules do not allow.
///
/// ```
/// use mcp_guard::Opinion;
/// use serde_json::json;
///
/// Opinion::pass();
/// Opinion::pass().with_arguments(json!({"path": "a.txt"}));
/// Opinion::ask("the folder is shared");
/// Opinion::deny("writing is switched off today");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Opinion {
    pub(crate) verdict: HookDecision,
    pub(crate) arguments: Option<Value>,
}

/// An objection to a call, from the mildest to the strictest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HookDecision {
    None,
    Ask(String),
    Deny(String),
}

impl Opinion {
    /// Creates an opinion without an objection.
    pub fn pass() -> Self {
        Self::new(HookDecision::None)
    }

    /// Creates an opinion that somebody must be asked before the call runs.
    pub fn ask(reason: impl Into<String>) -> Self {
        Self::new(HookDecision::Ask(reason.into()))
    }

    /// Creates an opinion that the call must not run. The reason is sent to the model.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::new(HookDecision::Deny(reason.into()))
    }

    /// Replaces the arguments of the call, for later hooks too. Rules are evaluated for the new arguments.
    #[must_use]
    pub fn with_arguments(mut self, arguments: Value) -> Self {
        self.arguments = Some(arguments);
        self
    }

    fn new(verdict: HookDecision) -> Self {
        Self { verdict, arguments: None }
    }
}

impl HookDecision {
    /// Returns the stricter of two objections; the first one if they are equally strict.
    pub(crate) fn stricter(self, other: Self) -> Self {
        if other.behavior() > self.behavior() { other } else { self }
    }

    pub(crate) fn behavior(&self) -> Behavior {
        match self {
            Self::None => Behavior::Allow,
            Self::Ask(_) => Behavior::Ask,
            Self::Deny(_) => Behavior::Deny,
        }
    }
}
