//! Options of tools: which are available, and which need no permission.

use std::collections::BTreeMap;

use super::strings;
use crate::agent::Agent;
use crate::wire::words;

/// Options of tools: which are available, and which need no permission.
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

/// Which built-in tools of the CLI are available.
#[derive(Debug, Clone, Default)]
pub(crate) enum ToolsOffered {
    #[default]
    Unsaid,
    Default,
    Only(Vec<String>),
}

/// Which skills are available.
#[derive(Debug, Clone)]
pub(crate) enum Skills {
    All,
    Only(Vec<String>),
}

words! {
    /// The format of previews of the choices of a question to the user.
    pub enum QuestionPreview {
        /// Previews are Markdown.
        Markdown = "markdown",
        /// Previews are HTML.
        Html = "html",
    }
}

/// # Tools
impl Agent {
    /// Allows tools without asking for permission.
    ///
    /// This does not restrict which tools are available: see [`only_tools`](Self::only_tools). A tool of an MCP server
    /// is named `mcp__server__tool`. A rule may restrict the arguments, as in `Bash(git *)`.
    #[must_use]
    pub fn allow_tools(mut self, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.options.tools.allowed.extend(strings(tools));
        self
    }

    /// Forbids tools.
    #[must_use]
    pub fn disallow_tools(mut self, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.options.tools.disallowed.extend(strings(tools));
        self
    }

    /// Makes only these built-in tools available; none if the list is empty. Tools of MCP servers are not affected.
    #[must_use]
    pub fn only_tools(mut self, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.options.tools.offered = ToolsOffered::Only(strings(tools));
        self
    }

    /// Makes the default tools of Claude Code available, even if the CLI has another default.
    #[must_use]
    pub fn default_tools(mut self) -> Self {
        self.options.tools.offered = ToolsOffered::Default;
        self
    }

    /// Replaces a tool by another one.
    #[must_use]
    pub fn alias_tool(mut self, name: impl Into<String>, stands_for: impl Into<String>) -> Self {
        self.options.tools.aliases.insert(name.into(), stands_for.into());
        self
    }

    /// Sets whether the model must search for tools of MCP servers before it can use them. By default the CLI decides;
    /// it usually enables the search.
    ///
    /// With `false`, the model gets all tools of all servers at once, which suits a small number of tools. A single
    /// tool can opt out with `"anthropic/alwaysLoad": true` in its `_meta`.
    #[must_use]
    pub fn tool_search(mut self, on: bool) -> Self {
        self.options.tools.search = Some(on);
        self
    }

    /// Sets the skills that the model may use, without asking for permission. Other skills are not in the context of the model, and their
    /// use is an error.
    #[must_use]
    pub fn skills(mut self, skills: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.options.tools.skills = Some(Skills::Only(strings(skills)));
        self
    }

    /// Allows all skills without asking for permission.
    #[must_use]
    pub fn all_skills(mut self) -> Self {
        self.options.tools.skills = Some(Skills::All);
        self
    }

    /// Lets the model add a preview to the choices of its questions.
    #[must_use]
    pub fn question_preview(mut self, format: QuestionPreview) -> Self {
        self.options.tools.question_preview = Some(format);
        self
    }

    /// Lets the model ask longer questions. Off by default. The CLI decides whether this is available; version 2.1.327 with a scripted
    /// model behaves the same with and without it.
    #[must_use]
    pub fn extended_questions(mut self, on: bool) -> Self {
        self.options.tools.extended_questions = on;
        self
    }

    /// Lets the model omit the descriptions of choices. Off by default. The CLI decides whether this is available; version 2.1.327
    /// with a scripted model behaves the same with and without it.
    #[must_use]
    pub fn optional_question_descriptions(mut self, on: bool) -> Self {
        self.options.tools.optional_question_descriptions = on;
        self
    }
}
