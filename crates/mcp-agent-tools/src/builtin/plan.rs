//! Inputs of the tools for plan mode, skills and tool search.

use serde_json::Value;

use super::tool_types;

tool_types! {
    /// Presents a plan and asks to leave plan mode.
    pub struct ExitPlanModeInput {
        ;
        /// The plan, in Markdown.
        plan: String,
        /// The permissions that the plan requests.
        #[serde(rename = "allowedPrompts")]
        allowed_prompts: Vec<Value>,
    }

    /// Asks to enter plan mode.
    pub struct EnterPlanModeInput {}

    /// Uses a skill.
    pub struct SkillInput {
        /// The name of the skill.
        skill: String,
        ;
        /// The arguments of the skill.
        args: String,
    }

    /// Searches for tools that are not in the model's initial list.
    pub struct ToolSearchInput {
        /// The search query.
        query: String,
        ;
        /// The maximum number of results.
        max_results: u64,
    }
}
