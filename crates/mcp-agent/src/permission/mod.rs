//! Who may use which tool: the question of the CLI and the caller's decision.

mod rule;

pub use rule::{PermissionBehavior, PermissionDestination, PermissionRule, PermissionUpdate};

use serde::Serialize;
use serde_json::Value;

use crate::wire::{Typed, view, words};

words! {
    /// How permission is given where no rule says it.
    pub enum PermissionMode {
        /// The host is asked.
        Default = "default",
        /// Edits of files are allowed, the rest is asked.
        AcceptEdits = "acceptEdits",
        /// Everything is allowed. The CLI must have been started with leave for it.
        BypassPermissions = "bypassPermissions",
        /// Nothing is changed: the model only plans.
        Plan = "plan",
        /// What no rule allows is denied.
        DontAsk = "dontAsk",
        /// A classifier decides.
        Auto = "auto",
    }

}

view! {
    /// The CLI asks whether a tool may be used.
    pub struct AskFields {
        /// The tool; one of an MCP server is `mcp__server__tool`.
        tool_name: String,
        /// The arguments, as an object.
        input: Value,
        /// The tool use.
        tool_use_id: String,
        /// The server whose tool it is.
        mcp_server: Option<AskServer>,
        /// What the CLI would remember if somebody said "always". Their destination is a file in the project, unless
        /// changed by [`PermissionUpdate::destination`].
        permission_suggestions: Vec<PermissionUpdate>,
        /// The path outside the allowed directories.
        blocked_path: Option<String>,
        /// Why somebody is asked.
        decision_reason: Option<String>,
        /// What kind of reason.
        decision_reason_type: Option<String>,
        /// A title to show.
        title: Option<String>,
        /// The tool's name to show.
        display_name: Option<String>,
        /// What the tool use does, to show.
        description: Option<String>,
        /// The sub-agent that wants it.
        agent_id: Option<String>,
        /// Whether "no" is the better choice to offer first.
        default_to_no: Option<bool>,
        /// Whether "always" should not be offered.
        suppress_always_allow_rule: Option<bool>,
        /// Whether a classifier could decide as well.
        classifier_approvable: Option<bool>,
        /// The rule that says to ask.
        matched_ask_rule: Option<Value>,
        /// Whether a person must answer.
        requires_user_interaction: Option<bool>,
    }

    /// The server whose tool the CLI asks about.
    pub struct AskServer {
        /// Its name.
        name: String,
        /// Who configured it; `sdk` for a mounted one.
        source: String,
    }
}

/// The CLI asks whether a tool may be used.
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
#[derive(Debug, Clone, PartialEq)]
pub struct Decision(Verdict);

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "behavior", rename_all = "lowercase")]
enum Verdict {
    // The CLI refuses an answer with a null in it, so what is not said is left out.
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
}

impl Decision {
    /// The tool may be used, as the model asked.
    pub fn allow() -> Self {
        Self(Verdict::Allow { updated_input: None, updated_permissions: Vec::new() })
    }

    /// The tool may not be used; the model reads `message`.
    pub fn deny(message: impl Into<String>) -> Self {
        Self(Verdict::Deny { message: message.into(), interrupt: false })
    }

    /// Lets the tool be used with other arguments. Of no effect on a denial.
    #[must_use]
    pub fn with_input(mut self, input: Value) -> Self {
        if let Verdict::Allow { updated_input, .. } = &mut self.0 {
            // Anything but an object the CLI takes for an invalid answer, null above all.
            *updated_input = input.is_object().then_some(input);
        }
        self
    }

    /// Remembers something beside the decision, for instance what the [`Ask`] suggests. Of no effect on a denial.
    #[must_use]
    pub fn and_remember(mut self, updates: impl IntoIterator<Item = PermissionUpdate>) -> Self {
        if let Verdict::Allow { updated_permissions, .. } = &mut self.0 {
            updated_permissions.extend(updates);
        }
        self
    }

    /// Ends the turn with the denial. Of no effect on leave.
    #[must_use]
    pub fn and_interrupt(mut self) -> Self {
        if let Verdict::Deny { interrupt, .. } = &mut self.0 {
            *interrupt = true;
        }
        self
    }

    /// Whether it gives leave.
    pub fn is_allow(&self) -> bool {
        matches!(self.0, Verdict::Allow { .. })
    }
}

impl Serialize for Decision {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
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
    fn what_is_not_said_is_left_out() {
        assert_eq!(json_of(&Decision::allow()), json!({"behavior": "allow"}));
        assert_eq!(json_of(&Decision::deny("no")), json!({"behavior": "deny", "message": "no"}));
    }

    #[test]
    fn an_input_that_is_no_object_is_never_sent() {
        assert_eq!(json_of(&Decision::allow().with_input(Value::Null)), json!({"behavior": "allow"}));
        assert_eq!(
            json_of(&Decision::allow().with_input(json!({"a": 1}))),
            json!({"behavior": "allow", "updatedInput": {"a": 1}})
        );
    }

    #[test]
    fn a_denial_that_interrupts_says_so() {
        assert_eq!(
            json_of(&Decision::deny("stop").and_interrupt()),
            json!({"behavior": "deny", "message": "stop", "interrupt": true})
        );
    }

    #[test]
    fn a_suggestion_goes_back_whole() {
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
    fn rules_made_here_stay_in_the_session() {
        let update = PermissionUpdate::add_rules(PermissionBehavior::Allow, [PermissionRule::matching("Bash", "ls *")]);
        assert_eq!(
            serde_json::to_value(update).expect("serialises"),
            json!({"type": "addRules", "behavior": "allow", "destination": "session",
                   "rules": [{"toolName": "Bash", "ruleContent": "ls *"}]})
        );
    }
}
