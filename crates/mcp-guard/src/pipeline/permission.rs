//! The permission stage: merges the objections of hooks with the verdict of the rules, and asks where they say so.

use serde_json::Value;

use super::Guard;
use super::hook_opinion::HookDecision;
use super::invocation::Invocation;
use super::stage::HookOptions;
use crate::audit::{DecidedBy, Decision};
use crate::rules::{Behavior, Reason, Rules};

impl Guard {
    /// Decides by the objections of hooks, by rules, and by who is asked. The decision is to allow or to deny the call.
    pub(super) async fn permit(&self, call: &Invocation, objection: HookDecision) -> Decision {
        let decision = self.by_rules(call).await.stricter(objection);
        if decision.behavior != Behavior::Ask {
            return decision;
        }
        let answer = self.asking.ask(call, decision.reason.clone()).await;
        let behavior = if answer == Ok(true) { Behavior::Allow } else { Behavior::Deny };
        let reason = match &answer {
            Ok(true) => decision.reason,
            Ok(false) => "permission was not given".to_owned(),
            Err(failure) => failure.clone(),
        };
        Decision { behavior, by: DecidedBy::Answer, reason, ruled: decision.ruled, answer: answer.ok() }
    }

    /// Evaluates the rules. They read the file system, so they are evaluated on a thread that may block, with a timeout.
    async fn by_rules(&self, call: &Invocation) -> Decision {
        let Some((_, rules)) = &self.rules else { return Decision::nothing_objects() };
        let (rules, name, arguments) = (rules.snapshot(), self.name_of(call), call.arguments.clone());
        let file = self.files.as_ref().and_then(|files| files.as_builtin(call));
        let work = call.context().run_blocking(move || by_rules(&rules, &name, &arguments, file));
        match HookOptions::new().run("permission rule", call.context(), work).await {
            Ok(Some(decision)) => decision,
            Ok(None) => Decision::deny(DecidedBy::Failure, "the rules could not be evaluated"),
            Err(reason) => Decision::deny(DecidedBy::Failure, reason),
        }
    }

    /// Returns the name of the tool for rules: `mcp__server__tool`. Without rules the server has no name.
    pub(super) fn name_of(&self, call: &Invocation) -> String {
        match &self.rules {
            Some((server, _)) => format!("mcp__{server}__{}", call.tool),
            None => call.tool.clone(),
        }
    }
}

/// Evaluates the rules for the tool by its name, and for its file as if it were one of the CLI's own tools. The stricter
/// verdict counts.
fn by_rules(rules: &Rules, name: &str, arguments: &Value, file: Option<(&'static str, Value)>) -> Decision {
    let mut verdict = rules.resolve(name, arguments);
    if let Some((tool, input)) = file {
        let by_file = rules.resolve(tool, &input);
        // The mode has decided about the call by the name of the tool; it must not ask again about the file.
        if !matches!(by_file.why, Reason::Mode { .. }) && by_file.behavior > verdict.behavior {
            verdict = by_file;
        }
    }
    Decision::from(&verdict)
}

impl Decision {
    /// The decision of a guard without rules.
    fn nothing_objects() -> Self {
        let reason = "there are no rules, and nothing objects".to_owned();
        Self { behavior: Behavior::Allow, by: DecidedBy::Nothing, reason, ruled: None, answer: None }
    }

    /// Returns the objection of a hook if it is stricter than this decision.
    fn stricter(self, objection: HookDecision) -> Self {
        let behavior = objection.behavior();
        match objection {
            HookDecision::Ask(reason) | HookDecision::Deny(reason) if behavior > self.behavior => {
                Self { behavior, by: DecidedBy::Hook, reason, ruled: None, answer: None }
            }
            _ => self,
        }
    }
}
