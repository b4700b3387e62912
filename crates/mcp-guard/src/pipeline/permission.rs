//! The permission stage: merges the objections of hooks with the verdict of the rules, and asks where they say so.

use super::Guard;
use super::hook_opinion::HookDecision;
use super::invocation::{Invocation, Refusal};
use crate::audit::Origin;
use crate::rules::{Behavior, Reason, Rules, Verdict};

impl Guard {
    /// Returns an error if the call is denied, by a hook, by a rule or by who was asked.
    pub(super) async fn permit(&self, call: &Invocation, objection: HookDecision) -> Result<(), Refusal> {
        let ruled = match &self.rules {
            Some((server, rules)) => self.ruled(call, server, &rules.snapshot())?,
            None => HookDecision::None,
        };
        match ruled.stricter(objection) {
            HookDecision::None => Ok(()),
            HookDecision::Deny(reason) => Err(Refusal::new(reason)),
            HookDecision::Ask(reason) => self.asking.ask(call, reason).await,
        }
    }

    /// Evaluates the rules for the tool by its name, and for its file as if it were one of the CLI's own tools. The stricter
    /// verdict counts.
    fn ruled(&self, call: &Invocation, server: &str, rules: &Rules) -> Result<HookDecision, Refusal> {
        let name = format!("mcp__{server}__{}", call.tool);
        let mut verdict = rules.resolve(&name, &call.arguments);
        let file = self.files.as_ref().and_then(|files| files.as_builtin(call));
        if let Some((tool, input)) = file {
            let by_file = rules.resolve(tool, &input);
            // The mode has decided about the call by the name of the tool; it must not ask again about the file.
            if !matches!(by_file.why, Reason::Mode(_)) && by_file.behavior > verdict.behavior {
                verdict = by_file;
            }
        }
        let origin = Origin { caller: call.context().principal().map(|principal| principal.owner()) };
        let recorded = rules.record(&name, &call.arguments, &verdict, origin);
        recorded.map_err(|_| Refusal::new("the audit log cannot be written, so the call is denied"))?;
        Ok(objection(&verdict))
    }
}

fn objection(verdict: &Verdict) -> HookDecision {
    match verdict.behavior {
        Behavior::Allow => HookDecision::None,
        Behavior::Ask => HookDecision::Ask(verdict.reason()),
        Behavior::Deny => HookDecision::Deny(verdict.reason()),
    }
}
