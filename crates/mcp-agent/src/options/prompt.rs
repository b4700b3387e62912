//! What the model is told before and around the prompts.

use super::strings;
use crate::agent::Agent;

/// What the model is told before and around the prompts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Prompt {
    pub(crate) system: SystemPrompt,
    pub(crate) plan_mode_instructions: Option<String>,
    pub(crate) verbatim: bool,
    pub(crate) suggestions: Option<bool>,
}

/// What the model is told before the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SystemPrompt {
    /// Nothing. The default, as in the official SDKs: an agent is not a coding assistant unless it is told to be one.
    #[default]
    Empty,
    /// These texts, each one a block that can be cached by itself.
    Text(Vec<String>),
    /// What Claude Code tells its model, and perhaps more.
    ClaudeCode {
        /// What to add.
        append: Option<String>,
        /// Whether what differs from machine to machine is moved to the first prompt, which helps caching.
        exclude_dynamic_sections: bool,
        /// Whether the prompt is kept as it was when a conversation is resumed.
        snapshot: bool,
    },
}

impl SystemPrompt {
    /// What Claude Code tells its model.
    pub fn claude_code() -> Self {
        Self::ClaudeCode { append: None, exclude_dynamic_sections: false, snapshot: false }
    }

    /// What Claude Code tells its model, and this.
    pub fn claude_code_and(append: impl Into<String>) -> Self {
        Self::ClaudeCode { append: Some(append.into()), exclude_dynamic_sections: false, snapshot: false }
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

/// Prompt
impl Agent {
    /// What the model is told before the conversation; nothing by default.
    ///
    /// It is sent in the protocol, not on the command line, so it may be as long as it needs to be.
    #[must_use]
    pub fn system_prompt(mut self, prompt: impl Into<SystemPrompt>) -> Self {
        self.options.prompt.system = prompt.into();
        self
    }

    /// What the model is told in plan mode.
    #[must_use]
    pub fn plan_mode_instructions(mut self, instructions: impl Into<String>) -> Self {
        self.options.prompt.plan_mode_instructions = Some(instructions.into());
        self
    }

    /// Takes prompts as they are: a leading slash is no command, an `@` no file. Off by default.
    #[must_use]
    pub fn verbatim_prompts(mut self, verbatim: bool) -> Self {
        self.options.prompt.verbatim = verbatim;
        self
    }

    /// Suggests after each turn what the user might say next.
    #[must_use]
    pub fn prompt_suggestions(mut self, on: bool) -> Self {
        self.options.prompt.suggestions = Some(on);
        self
    }
}
