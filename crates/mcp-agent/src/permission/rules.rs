//! Applies permission rules to the tool uses of the CLI, with a hook and the permission callback.

use std::collections::VecDeque;
use std::future::Future;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

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
        let (rules, ask, directories) = (rules.into(), Arc::new(ask), Directories::default());
        let (hooked, noted) = (rules.clone(), directories.clone());
        self.hook(Hook::<PreToolUse>::new().block_on_failure(), move |call| {
            let (rules, noted) = (hooked.snapshot(), noted.clone());
            async move {
                let (directory, tool, input) = (call.base().cwd.clone(), call.tool_name.clone(), call.tool_input.clone());
                let Some(verdict) = evaluated(move || rules.judge_in(directory, &tool, &input)).await else {
                    return PreToolUse::deny(FAILED);
                };
                if let (Some(id), true) = (call.tool_use_id(), verdict.behavior != Behavior::Deny) {
                    noted.note(id, &call.base().cwd);
                }
                hook_output(&verdict)
            }
        })
        .permission(move |question| {
            let (rules, ask) = (rules.snapshot(), Arc::clone(&ask));
            let directory = directories.take(&question.tool_use_id);
            async move { decide(rules, directory, question, &*ask).await }
        })
    }
}

/// Decides a permission request by the rules, or else by asking. Records the decision.
async fn decide<D: Future<Output = Decision>>(
    rules: Arc<Rules>,
    directory: Option<PathBuf>,
    question: Ask,
    ask: impl Fn(Ask) -> D,
) -> Decision {
    let (tool, input) = (question.tool_name.clone(), question.input.clone());
    // If the directory is not known, it is that of the rules.
    let (of, directory) = (Arc::clone(&rules), directory.unwrap_or_default());
    let Some((verdict, input)) = evaluated(move || (of.resolve_in(directory, &tool, &input), input)).await else {
        return Decision::deny(FAILED);
    };
    let tool = question.tool_name.clone();
    let (decision, answer) = match decision(&verdict) {
        Some(decision) => (decision, None),
        None => {
            let answer = ask(question).await;
            // What another part of the program answers is not known here.
            let is_known = answer.answer("").is_some();
            let is_allowed = is_known.then_some(answer.is_allow());
            (answer, is_allowed)
        }
    };
    match rules.record(&tool, &input, &verdict, answer) {
        Ok(()) => decision,
        Err(_) => Decision::deny("the audit log cannot be written, so the tool use is denied"),
    }
}

/// Evaluates rules on a thread that may block, because they read the file system. Returns `None` if that failed.
async fn evaluated<T: Send + 'static>(rules: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(rules).await.ok()
}

const FAILED: &str = "the permission rules could not be evaluated";

impl AskFields {
    /// Decides this request by permission rules, for a tool use that works in the directory of the rules. Returns `None` if
    /// the user has to be asked.
    ///
    /// The working directory changes with `cd` and with worktrees. The request does not name it, but hooks get it. The decision
    /// is not recorded in the audit log: [`Rules::record`] does that.
    pub fn decide(&self, rules: &Rules) -> Option<Decision> {
        decision(&rules.resolve(&self.tool_name, &self.input))
    }
}

/// The working directories of tool uses that the CLI may ask about, by the id of the tool use.
#[derive(Clone, Default)]
struct Directories(Arc<Mutex<VecDeque<(String, PathBuf)>>>);

impl Directories {
    /// How many directories are kept. The CLI does not ask about every tool use.
    const MOST: usize = 1000;

    fn note(&self, id: &str, directory: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() == Self::MOST {
            known.pop_front();
        }
        known.push_back((id.to_owned(), directory.into()));
    }

    fn take(&self, id: &str) -> Option<PathBuf> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = known.iter().rposition(|(noted, _)| noted == id)?;
        known.remove(at).map(|(_, directory)| directory)
    }
}

fn decision(verdict: &Verdict) -> Option<Decision> {
    match verdict.behavior {
        Behavior::Allow => Some(Decision::allow()),
        Behavior::Deny => Some(Decision::deny(verdict.reason())),
        _ => None,
    }
}

fn hook_output(verdict: &Verdict) -> HookOutput<PreToolUse> {
    let decision = match (verdict.behavior, &verdict.why) {
        // `Allow` from a hook would skip the CLI's own permission checks, so the hook makes no decision here.
        (Behavior::Allow, _) | (Behavior::Ask, Reason::Mode { .. }) => return HookOutput::pass(),
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
