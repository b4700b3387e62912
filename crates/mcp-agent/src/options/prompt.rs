//! Options of the system prompt and of prompts.

use super::strings;
use crate::agent::Agent;

/// Options of the system prompt and of prompts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Prompt {
    pub(crate) system: SystemPrompt,
    pub(crate) snapshot: Option<bool>,
    pub(crate) plan_mode_instructions: Option<String>,
    pub(crate) verbatim: bool,
    pub(crate) suggestions: Option<bool>,
}

/// An element of [`SystemPrompt::Text`] that separates the texts that are the same in all sessions, before it, from those that are
/// not. Only the texts before it are cached for other sessions.
///
/// ```
/// use mcp_agent::{Agent, SYSTEM_PROMPT_DYNAMIC_BOUNDARY, SystemPrompt};
///
/// let user = "Ada";
/// let prompt = ["You are terse.", SYSTEM_PROMPT_DYNAMIC_BOUNDARY, &format!("The user is {user}.")];
/// let agent = Agent::new().system_prompt(SystemPrompt::from_iter(prompt));
/// ```
pub const SYSTEM_PROMPT_DYNAMIC_BOUNDARY: &str = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__";

/// The system prompt of the main agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SystemPrompt {
    /// No system prompt. This is the default, as in the official SDKs.
    #[default]
    Empty,
    /// The given texts. Each one is a block that is cached separately.
    Text(Vec<String>),
    /// The system prompt of Claude Code, with an optional addition.
    ClaudeCode {
        /// The text to append.
        append: Option<String>,
        /// Whether sections that depend on the machine are moved to the first prompt. This improves caching.
        exclude_dynamic_sections: bool,
    },
}

impl SystemPrompt {
    /// Returns the system prompt of Claude Code.
    pub fn claude_code() -> Self {
        Self::ClaudeCode { append: None, exclude_dynamic_sections: false }
    }

    /// Returns the system prompt of Claude Code with an addition.
    pub fn claude_code_and(append: impl Into<String>) -> Self {
        Self::ClaudeCode { append: Some(append.into()), exclude_dynamic_sections: false }
    }
}

impl From<&str> for SystemPrompt {
    fn from(text: &str) -> Self {
        Self::Text(vec![text.to_owned()])
    }
}

impl From<String> for SystemPrompt {
    fn from(text: String) -> Self {
        Self::Text(vec![text])
    }
}

impl<T: Into<String>> FromIterator<T> for SystemPrompt {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        Self::Text(strings(texts))
    }
}

/// # Prompt
impl Agent {
    /// Sets the system prompt. It is empty by default.
    ///
    /// It is sent in the protocol and not on the command line, so its length is not limited.
    #[must_use]
    pub fn system_prompt(mut self, prompt: impl Into<SystemPrompt>) -> Self {
        self.options.prompt.system = prompt.into();
        self
    }

    /// Sets whether a conversation keeps the system prompt that it started with, also when it is resumed with another one. On by
    /// default. With false, every request has the system prompt of this agent.
    #[must_use]
    pub fn system_prompt_snapshot(mut self, keep: bool) -> Self {
        self.options.prompt.snapshot = Some(keep);
        self
    }

    /// Sets the instructions for plan mode.
    #[must_use]
    pub fn plan_mode_instructions(mut self, instructions: impl Into<String>) -> Self {
        self.options.prompt.plan_mode_instructions = Some(instructions.into());
        self
    }

    /// Sends prompts verbatim: a leading slash is not a command, and `@` is not a reference to a file. Off by default.
    #[must_use]
    pub fn verbatim_prompts(mut self, verbatim: bool) -> Self {
        self.options.prompt.verbatim = verbatim;
        self
    }

    /// Makes the CLI suggest the next prompt after each turn.
    #[must_use]
    pub fn prompt_suggestions(mut self, on: bool) -> Self {
        self.options.prompt.suggestions = Some(on);
        self
    }
}
