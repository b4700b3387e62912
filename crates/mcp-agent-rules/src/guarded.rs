//! Installs rules in an agent, as a hook and as the permission callback.

use std::future::Future;
use std::sync::Arc;

use mcp_agent::hook::{PermissionDecision, PreToolUse, PreToolUseOutput};
use mcp_agent::{Agent, Ask, Decision, Hook, HookOutput};

use crate::rules::Rules;
use crate::verdict::{Behavior, Verdict, Why};

/// Adds rules to an [`Agent`].
///
/// The CLI calls the permission callback only for tool uses that it would ask about. It reads files of its working
/// directory and runs some commands without asking, so deny rules in the callback alone would not be enforced. These methods
/// install the rules as a `PreToolUse` hook, which sees every tool use, and as the permission callback.
///
/// ```
/// use mcp_agent::Agent;
/// use mcp_agent_rules::{AgentRules as _, Layer, Rules};
///
/// let rules = Rules::new("/code").allow(Layer::Session, "Bash(git *)")?.deny(Layer::User, "Read(.env)")?;
/// let agent = Agent::new().rules(rules);
/// # Ok::<(), mcp_agent_rules::RuleError>(())
/// ```
pub trait AgentRules: Sized {
    /// Installs the rules. Tool uses that they neither allow nor deny are denied.
    #[must_use]
    fn rules(self, rules: Rules) -> Self {
        self.rules_or(rules, |_| async { Decision::deny("no rule allows this, and nobody can be asked") })
    }

    /// Installs the rules. `ask` decides tool uses that they neither allow nor deny.
    #[must_use]
    fn rules_or<F, D>(self, rules: Rules, ask: F) -> Self
    where
        F: Fn(Ask) -> D + Send + Sync + 'static,
        D: Future<Output = Decision> + Send + 'static;
}

impl AgentRules for Agent {
    fn rules_or<F, D>(self, rules: Rules, ask: F) -> Self
    where
        F: Fn(Ask) -> D + Send + Sync + 'static,
        D: Future<Output = Decision> + Send + 'static,
    {
        let (rules, ask) = (Arc::new(rules), Arc::new(ask));
        let hooked = Arc::clone(&rules);
        self.hook(Hook::<PreToolUse>::new().block_on_failure(), move |call| {
            let verdict = hooked.resolve(&call.tool_name, &call.tool_input);
            async move { hook_output(&verdict) }
        })
        .permission(move |question| {
            let (decided, ask) = (rules.decide(&question), Arc::clone(&ask));
            async move {
                match decided {
                    Some(decision) => decision,
                    None => ask(question).await,
                }
            }
        })
    }
}

fn hook_output(verdict: &Verdict) -> HookOutput<PreToolUse> {
    let decision = match (verdict.behavior, &verdict.why) {
        // `Allow` from a hook would skip the CLI's own permission checks, so the hook makes no decision here.
        (Behavior::Allow, _) | (Behavior::Ask, Why::Mode(_)) => return HookOutput::pass(),
        (Behavior::Deny, _) => PermissionDecision::Deny,
        (Behavior::Ask, _) => PermissionDecision::Ask,
    };
    let output = PreToolUseOutput::new().permission_decision(decision).permission_decision_reason(verdict.reason());
    HookOutput::specific(output)
}
