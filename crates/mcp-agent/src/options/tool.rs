//! Which tools the model is offered, and which it may use unasked.

use std::collections::BTreeMap;

use super::strings;
use crate::agent::Agent;
use crate::wire::words;

/// Which tools the model is offered, and which it may use unasked.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tools {
    pub(crate) offered: ToolsOffered,
    pub(crate) allowed: Vec<String>,
    pub(crate) disallowed: Vec<String>,
    pub(crate) aliases: BTreeMap<String, String>,
    pub(crate) search: Option<bool>,
    pub(crate) skills: Option<Skills>,
    pub(crate) question_preview: Option<QuestionPreview>,
    pub(crate) extended_questions: bool,
    pub(crate) optional_question_descriptions: bool,
}

/// Which of the CLI's own tools there are.
#[derive(Debug, Clone, Default)]
pub(crate) enum ToolsOffered {
    #[default]
    Unsaid,
    Default,
    Only(Vec<String>),
}

/// Which skills there are.
#[derive(Debug, Clone)]
pub(crate) enum Skills {
    All,
    Only(Vec<String>),
}

words! {
    /// How the choices of a question to the user are previewed.
    pub enum QuestionPreview {
        /// As Markdown.
        Markdown = "markdown",
        /// As HTML.
        Html = "html",
    }
}

/// Tools
impl Agent {
    /// Tools that may be used without anybody being asked.
    ///
    /// This does not restrict which tools there are: see [`only_tools`](Self::only_tools). A tool of a mounted server is
    /// `mcp__server__tool`; a rule may say for what, as in `Bash(git *)`.
    #[must_use]
    pub fn allow_tools(mut self, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.options.tools.allowed.extend(strings(tools));
        self
    }

    /// Tools that may never be used.
    #[must_use]
    pub fn disallow_tools(mut self, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.options.tools.disallowed.extend(strings(tools));
        self
    }

    /// Offers only these of the CLI's own tools, or none of them. Tools of servers are not concerned.
    #[must_use]
    pub fn only_tools(mut self, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.options.tools.offered = ToolsOffered::Only(strings(tools));
        self
    }

    /// Offers the tools that Claude Code has by default, said aloud.
    #[must_use]
    pub fn default_tools(mut self) -> Self {
        self.options.tools.offered = ToolsOffered::Default;
        self
    }

    /// Lets a tool stand in for another one.
    #[must_use]
    pub fn alias_tool(mut self, name: impl Into<String>, stands_for: impl Into<String>) -> Self {
        self.options.tools.aliases.insert(name.into(), stands_for.into());
        self
    }

    /// Whether the model has to search for tools of servers before it can use them; the CLI decides by default, and
    /// mostly says yes.
    ///
    /// With `false` all tools of all servers are given to the model at once, which a small set wants. A tool can also say
    /// for itself, with `"anthropic/alwaysLoad": true` in its `_meta`.
    #[must_use]
    pub fn tool_search(mut self, on: bool) -> Self {
        self.options.tools.search = Some(on);
        self
    }

    /// Skills that the model may use, unasked.
    #[must_use]
    pub fn skills(mut self, skills: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.options.tools.skills = Some(Skills::Only(strings(skills)));
        self
    }

    /// All skills may be used, unasked.
    #[must_use]
    pub fn all_skills(mut self) -> Self {
        self.options.tools.skills = Some(Skills::All);
        self
    }

    /// Lets the model give the choices of its questions a preview.
    #[must_use]
    pub fn question_preview(mut self, format: QuestionPreview) -> Self {
        self.options.tools.question_preview = Some(format);
        self
    }

    /// Lets the model ask longer questions. Off by default.
    #[must_use]
    pub fn extended_questions(mut self, on: bool) -> Self {
        self.options.tools.extended_questions = on;
        self
    }

    /// Lets the model leave out what its choices mean. Off by default.
    #[must_use]
    pub fn optional_question_descriptions(mut self, on: bool) -> Self {
        self.options.tools.optional_question_descriptions = on;
        self
    }
}
