//! Plans, skills, and tools that are looked for.

use serde_json::Value;

use super::inputs;

inputs! {
    /// Shows a plan and asks to leave plan mode.
    pub struct ExitPlanModeInput {
        ;
        /// The plan, in Markdown.
        plan: String,
        /// What the plan wants to be allowed.
        #[serde(rename = "allowedPrompts")]
        allowed_prompts: Vec<Value>,
    }

    /// Asks to enter plan mode.
    pub struct EnterPlanModeInput {}

    /// Uses a skill.
    pub struct SkillInput {
        /// Which skill.
        skill: String,
        ;
        /// What it is told.
        args: String,
    }

    /// Looks for tools that were not offered at once.
    pub struct ToolSearchInput {
        /// What for.
        query: String,
        ;
        /// How many at most.
        max_results: u64,
    }
}
