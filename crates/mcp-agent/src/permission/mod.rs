//! Permissions: the request of the CLI to use a tool, and the decision of the host.

mod remembered;
mod rule;
mod rules;

pub use mcp_agent_tools::PermissionMode;
pub use remembered::RememberedUses;
pub use rule::{PermissionBehavior, PermissionDestination, PermissionRule, PermissionUpdate};

use serde::Serialize;
use serde_json::Value;

use crate::wire::{Typed, view, words};

view! {
    /// The fields of an [`Ask`].
    pub struct AskFields {
        /// The name of the tool; that of an MCP server is `mcp__server__tool`.
        tool_name: String,
        /// The arguments, as an object.
        input: Value,
        /// The id of the tool use.
        tool_use_id: String,
        /// The id of this request, for a program that answers it in another way: see [`Decision::answered_elsewhere`].
        request_id: String,
        /// The MCP server of the tool.
        mcp_server: Option<AskServer>,
        /// The permission updates that the CLI suggests for "always allow". Their destination is a file in the project,
        /// unless changed with [`PermissionUpdate::destination`].
        permission_suggestions: Vec<PermissionUpdate>,
        /// The path outside the allowed directories, if permission is needed because of it.
        blocked_path: Option<String>,
        /// Why permission is needed.
        decision_reason: Option<String>,
        /// The kind of reason.
        decision_reason_type: Option<String>,
        /// The title to show.
        title: Option<String>,
        /// The name of the tool to show.
        display_name: Option<String>,
        /// The description of the tool use to show.
        description: Option<String>,
        /// The id of the sub-agent that uses the tool.
        agent_id: Option<String>,
        /// Whether a dialog should preselect "no".
        default_to_no: Option<bool>,
        /// Whether a dialog should not offer "always allow".
        suppress_always_allow_rule: Option<bool>,
        /// Whether a classifier could approve the tool use.
        classifier_approvable: Option<bool>,
        /// The permission rule that requires a decision of the user.
        matched_ask_rule: Option<AskRule>,
        /// Whether a person must answer.
        requires_user_interaction: Option<bool>,
    }

    /// The permission rule that requires a decision of the user.
    pub struct AskRule {
        /// The source of the rule.
        source: String,
        /// The tool that the rule names.
        tool_name: String,
        /// The pattern of the rule.
        rule_content: Option<String>,
    }

    /// The MCP server of the tool that permission is asked for.
    pub struct AskServer {
        /// The name of the server.
        name: String,
        /// The source of its configuration; `sdk` for a mounted server.
        source: String,
    }
}

/// A request of the CLI for permission to use a tool.
pub type Ask = Typed<AskFields>;

/// The answer to an [`Ask`].
///
/// ```
/// # use mcp_agent::Decision;
/// # use serde_json::json;
/// Decision::allow();
/// Decision::allow().with_input(json!({"command": "ls -l"}));
/// Decision::deny("not on a Sunday");
/// Decision::deny("stop here").and_interrupt();
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    #[serde(flatten)]
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision_classification: Option<DecisionClassification>,
}

words! {
    /// What the user did, as it is recorded by the CLI. It has no effect on the decision.
    pub enum DecisionClassification {
        /// The user allowed this tool use.
        UserTemporary = "user_temporary",
        /// The user allowed this tool use and later ones.
        UserPermanent = "user_permanent",
        /// The user denied the tool use.
        UserReject = "user_reject",
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "behavior", rename_all = "lowercase")]
enum Verdict {
    // Unset fields are left out: the CLI rejects an answer with a null.
    #[serde(rename_all = "camelCase")]
    Allow {
        #[serde(skip_serializing_if = "Option::is_none")]
        updated_input: Option<Value>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        updated_permissions: Vec<PermissionUpdate>,
    },
    Deny {
        message: String,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        interrupt: bool,
    },
    Elsewhere,
}

/// A decision as it is sent to the CLI.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DecisionAnswer<'a> {
    #[serde(flatten)]
    decision: &'a Decision,
    #[serde(rename = "toolUseID", skip_serializing_if = "str::is_empty")]
    tool_use_id: &'a str,
}

impl Decision {
    /// Allows the tool use.
    pub fn allow() -> Self {
        Self::of(Verdict::Allow { updated_input: None, updated_permissions: Vec::new() })
    }

    /// Denies the tool use. The model is given `message`.
    pub fn deny(message: impl Into<String>) -> Self {
        Self::of(Verdict::Deny { message: message.into(), interrupt: false })
    }

    /// Sends no answer, because the program sends it to the CLI in another way, with
    /// [`request_id`](AskFields::request_id). If it does not, the tool use waits until the turn is interrupted.
    pub fn answered_elsewhere() -> Self {
        Self::of(Verdict::Elsewhere)
    }

    fn of(verdict: Verdict) -> Self {
        Self { verdict, decision_classification: None }
    }

    /// Allows the tool with other arguments, which must be an object. Has no effect if the tool use is denied.
    ///
    /// Any other value denies the tool use, with a message that names the mistake.
    #[must_use]
    pub fn with_input(mut self, input: Value) -> Self {
        if let Verdict::Allow { updated_input, .. } = &mut self.verdict {
            if !input.is_object() {
                return Self::deny("denied: the permission callback changed the input to a value that is not a JSON object");
            }
            *updated_input = Some(input);
        }
        self
    }

    /// Also applies permission updates, such as those suggested by the [`Ask`]. Has no effect if the tool use is denied.
    #[must_use]
    pub fn and_remember(mut self, updates: impl IntoIterator<Item = PermissionUpdate>) -> Self {
        if let Verdict::Allow { updated_permissions, .. } = &mut self.verdict {
            updated_permissions.extend(updates);
        }
        self
    }

    /// Also interrupts the turn. Has no effect if the tool use is allowed.
    #[must_use]
    pub fn and_interrupt(mut self) -> Self {
        if let Verdict::Deny { interrupt, .. } = &mut self.verdict {
            *interrupt = true;
        }
        self
    }

    /// Says what the user did, for the records of the CLI. By default it assumes that the user allowed or denied this tool use.
    #[must_use]
    pub fn classified(mut self, classification: DecisionClassification) -> Self {
        self.decision_classification = Some(classification);
        self
    }

    /// Returns true if the tool use is allowed.
    pub fn is_allow(&self) -> bool {
        matches!(self.verdict, Verdict::Allow { .. })
    }

    /// Returns the answer to the CLI, or `None` if this decision sends none.
    pub(crate) fn answer<'a>(&'a self, tool_use_id: &'a str) -> Option<DecisionAnswer<'a>> {
        let is_sent = self.verdict != Verdict::Elsewhere;
        is_sent.then_some(DecisionAnswer { decision: self, tool_use_id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn json_of(decision: &Decision) -> Value {
        serde_json::to_value(decision).expect("serialises")
    }

    #[test]
    fn unset_fields_are_left_out() {
        assert_eq!(json_of(&Decision::allow()), json!({"behavior": "allow"}));
        assert_eq!(json_of(&Decision::deny("no")), json!({"behavior": "deny", "message": "no"}));
    }

    #[test]
    fn an_input_that_is_not_an_object_is_a_denial() {
        for input in [Value::Null, json!([1]), json!("x")] {
            let decision = Decision::allow().with_input(input);
            assert!(!decision.is_allow());
            assert!(json_of(&decision)["message"].as_str().unwrap().contains("not a JSON object"));
        }
        assert_eq!(
            json_of(&Decision::allow().with_input(json!({"a": 1}))),
            json!({"behavior": "allow", "updatedInput": {"a": 1}})
        );
    }

    #[test]
    fn a_denial_can_interrupt_the_turn() {
        assert_eq!(
            json_of(&Decision::deny("stop").and_interrupt()),
            json!({"behavior": "deny", "message": "stop", "interrupt": true})
        );
    }

    #[test]
    fn an_answer_has_the_id_of_the_tool_use_and_what_the_user_did() {
        let decision = Decision::deny("no").classified(DecisionClassification::UserReject);
        assert_eq!(
            serde_json::to_value(decision.answer("t1")).expect("serialises"),
            json!({"behavior": "deny", "message": "no", "decisionClassification": "user_reject", "toolUseID": "t1"})
        );
        assert_eq!(serde_json::to_value(Decision::allow().answer("")).expect("serialises"), json!({"behavior": "allow"}));
        assert!(Decision::answered_elsewhere().answer("t1").is_none());
    }

    #[test]
    fn a_suggestion_is_returned_unchanged() {
        let suggestion = json!({
            "type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "ls"}], "behavior": "allow",
            "destination": "localSettings", "later": {"x": 1}
        });
        let ask: Ask =
            serde_json::from_value(json!({"tool_name": "Bash", "permission_suggestions": [suggestion]})).expect("an object");
        assert_eq!(
            json_of(&Decision::allow().and_remember(ask.permission_suggestions.clone())),
            json!({"behavior": "allow", "updatedPermissions": [suggestion]})
        );
    }

    #[test]
    fn new_rules_apply_to_the_session_by_default() {
        let update = PermissionUpdate::add_rules(PermissionBehavior::Allow, [PermissionRule::matching("Bash", "ls *")]);
        assert_eq!(
            serde_json::to_value(update).expect("serialises"),
            json!({"type": "addRules", "behavior": "allow", "destination": "session",
                   "rules": [{"toolName": "Bash", "ruleContent": "ls *"}]})
        );
    }
}
