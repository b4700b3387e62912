//! Applies permission rules to the tool uses of the CLI, with a hook and the permission callback.

use std::future::Future;
use std::sync::Arc;

use mcp_guard::{Behavior, Reason, Rules, SharedRules, Verdict};

use super::{Ask, AskFields, Decision};
use crate::agent::Agent;
use crate::hook::{Hook, HookOutput, PermissionDecision, PreToolUse, PreToolUseOutput};

/// # Permission rules
///
/// The CLI calls the permission callback only for tool uses that it would ask about. It reads files of its working
/// directory and runs some commands without asking, so deny rules in the callback alone would not be enforced. These methods
/// install the rules as a `PreToolUse` hook, which sees every tool use, and as the permission callback.
///
/// ```
/// use mcp_agent::Agent;
/// use mcp_guard::{Layer, Rules};
///
/// let rules = Rules::new("/code").allow(Layer::Session, "Bash(git *)")?.deny(Layer::User, "Read(.env)")?;
/// let agent = Agent::new().rules(rules);
/// # Ok::<(), mcp_guard::RuleError>(())
/// ```
impl Agent {
    /// Applies permission rules to every tool use. There is nobody to ask, so every question is denied: those of ask rules,
    /// and those of the CLI about tool uses that no rule matches.
    ///
    /// Some tool uses the CLI allows without a question, such as reading files of its working directory and commands that
    /// only read. If no rule matches them, they are allowed. To prevent one of them, deny it.
    #[must_use]
    pub fn rules(self, rules: impl Into<SharedRules>) -> Self {
        self.rules_or(rules, |_| async { Decision::deny("no rule allows this, and nobody can be asked") })
    }

    /// Applies permission rules to every tool use, as [`rules`](Self::rules) does. `ask` decides about the tool uses that
    /// `rules` would deny because nobody can be asked.
    #[must_use]
    pub fn rules_or<F, D>(self, rules: impl Into<SharedRules>, ask: F) -> Self
    where
        F: Fn(Ask) -> D + Send + Sync + 'static,
        D: Future<Output = Decision> + Send + 'static,
    {
        let (rules, ask) = (rules.into(), Arc::new(ask));
        let hooked = rules.clone();
        self.hook(Hook::<PreToolUse>::new().block_on_failure(), move |call| {
            let verdict = hooked.snapshot().judge(&call.tool_name, &call.tool_input);
            async move { hook_output(&verdict) }
        })
        .permission(move |question| {
            let (decided, ask) = (question.decide(&rules.snapshot()), Arc::clone(&ask));
            async move {
                match decided {
                    Some(decision) => decision,
                    None => ask(question).await,
                }
            }
        })
    }
}

impl AskFields {
    /// Decides this request by permission rules. Returns `None` if the user has to be asked.
    pub fn decide(&self, rules: &Rules) -> Option<Decision> {
        let verdict = rules.resolve(&self.tool_name, &self.input);
        match verdict.behavior {
            Behavior::Allow => Some(Decision::allow()),
            Behavior::Deny => Some(Decision::deny(verdict.reason())),
            _ => None,
        }
    }
}

fn hook_output(verdict: &Verdict) -> HookOutput<PreToolUse> {
    let decision = match (verdict.behavior, &verdict.why) {
        // `Allow` from a hook would skip the CLI's own permission checks, so the hook makes no decision here.
        (Behavior::Allow, _) | (Behavior::Ask, Reason::Mode(_)) => return HookOutput::pass(),
        (Behavior::Deny, _) => PermissionDecision::Deny,
        _ => PermissionDecision::Ask,
    };
    let output = PreToolUseOutput::new().permission_decision(decision).permission_decision_reason(verdict.reason());
    HookOutput::specific(output)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcp_guard::Layer;
    use serde_json::json;

    #[test]
    fn a_permission_request_is_decided_or_left_to_the_user() {
        let rules = Rules::new("/w").allow(Layer::User, "Bash(ls *)").unwrap().deny(Layer::User, "Bash(rm *)").unwrap();
        let decide = |command: &str| {
            let ask: Ask = serde_json::from_value(json!({"tool_name": "Bash", "input": {"command": command}})).unwrap();
            ask.decide(&rules).map(|decision| serde_json::to_value(decision).unwrap())
        };
        assert_eq!(decide("ls -l").unwrap()["behavior"], "allow");
        assert_eq!(decide("rm x").unwrap()["message"], "the rule Bash(rm *) denies it");
        assert_eq!(decide("make"), None);
    }
}
