//! The response to `get_context_usage`.

use crate::wire::view;

view! {
    /// The usage of the context window.
    pub struct ContextUsage {
        /// The usage by category.
        categories: Vec<ContextCategory>,
        /// Total number of tokens in use.
        #[serde(rename = "totalTokens")]
        total_tokens: u64,
        /// Size of the context window in tokens.
        #[serde(rename = "maxTokens")]
        max_tokens: u64,
        /// Size of the context window without the reserve for compaction.
        #[serde(rename = "rawMaxTokens")]
        raw_max_tokens: u64,
        /// Usage in percent.
        percentage: f64,
        /// The rows of a diagram with a square for each part of the window.
        #[serde(rename = "gridRows")]
        grid_rows: Vec<Vec<ContextSquare>>,
        /// The model.
        model: String,
        /// The files with instructions and memories.
        #[serde(rename = "memoryFiles")]
        memory_files: Vec<ContextMemoryFile>,
        /// The tools of MCP servers.
        #[serde(rename = "mcpTools")]
        mcp_tools: Vec<ContextMcpTool>,
        /// The instructions of MCP servers.
        #[serde(rename = "mcpInstructions")]
        mcp_instructions: Option<Vec<ContextMcpInstructions>>,
        /// Built-in tools that the model must search for.
        #[serde(rename = "deferredBuiltinTools")]
        deferred_builtin_tools: Option<Vec<ContextDeferredTool>>,
        /// Built-in tools.
        #[serde(rename = "systemTools")]
        system_tools: Option<Vec<ContextPart>>,
        /// Sections of the system prompt.
        #[serde(rename = "systemPromptSections")]
        system_prompt_sections: Option<Vec<ContextPart>>,
        /// Sub-agents.
        agents: Vec<ContextAgent>,
        /// Slash commands.
        #[serde(rename = "slashCommands")]
        slash_commands: Option<ContextCommands>,
        /// Skills.
        skills: Option<ContextSkills>,
        /// The number of tokens at which the conversation is compacted.
        #[serde(rename = "autoCompactThreshold")]
        auto_compact_threshold: Option<u64>,
        /// Whether the conversation is compacted automatically.
        #[serde(rename = "isAutoCompactEnabled")]
        is_auto_compact_enabled: bool,
        /// The tokens of the messages, by kind.
        #[serde(rename = "messageBreakdown")]
        message_breakdown: Option<ContextMessages>,
        /// The usage of the last request.
        #[serde(rename = "apiUsage")]
        api_usage: Option<ContextApiUsage>,
    }

    /// One category of tokens in the context window.
    pub struct ContextCategory {
        /// Its id, for instance `system_prompt`, `messages` or `free_space`.
        id: Option<String>,
        /// Its name, for display.
        name: String,
        /// Number of tokens.
        tokens: u64,
        /// Its colour.
        color: String,
        /// Whether the model must search for its content.
        #[serde(rename = "isDeferred")]
        is_deferred: Option<bool>,
        /// `used`, `free`, `buffer` or `deferred`.
        kind: String,
    }

    /// A square of the diagram.
    pub struct ContextSquare {
        /// Its colour.
        color: String,
        /// Whether it stands for used tokens.
        #[serde(rename = "isFilled")]
        is_filled: bool,
        /// The name of its category.
        #[serde(rename = "categoryName")]
        category_name: String,
        /// Number of tokens of the category.
        tokens: u64,
        /// Their share of the window in percent.
        percentage: f64,
        /// How much of the square is filled, from 0 to 1.
        #[serde(rename = "squareFullness")]
        square_fullness: f64,
    }

    /// A file with instructions or memories.
    pub struct ContextMemoryFile {
        /// Its path.
        path: String,
        /// Its source, for display.
        #[serde(rename = "type")]
        kind: String,
        /// Number of tokens.
        tokens: u64,
    }

    /// A tool of an MCP server.
    pub struct ContextMcpTool {
        /// Its name.
        name: String,
        /// The server.
        #[serde(rename = "serverName")]
        server_name: String,
        /// Number of tokens.
        tokens: u64,
        /// Whether the model has it.
        #[serde(rename = "isLoaded")]
        is_loaded: Option<bool>,
    }

    /// The instructions of an MCP server.
    pub struct ContextMcpInstructions {
        /// The server.
        #[serde(rename = "serverName")]
        server_name: String,
        /// Number of tokens, estimated.
        tokens: u64,
    }

    /// A built-in tool that the model must search for.
    pub struct ContextDeferredTool {
        /// Its name.
        name: String,
        /// Number of tokens.
        tokens: u64,
        /// Whether the model has found it.
        #[serde(rename = "isLoaded")]
        is_loaded: bool,
    }

    /// A named part of the context.
    pub struct ContextPart {
        /// Its name.
        name: String,
        /// Number of tokens.
        tokens: u64,
    }

    /// A sub-agent.
    pub struct ContextAgent {
        /// Its type.
        #[serde(rename = "agentType")]
        agent_type: String,
        /// Where it is defined.
        source: String,
        /// The plugin that it is part of.
        #[serde(rename = "pluginId")]
        plugin_id: Option<String>,
        /// The path of its file.
        path: Option<String>,
        /// Number of tokens.
        tokens: u64,
    }

    /// Slash commands.
    pub struct ContextCommands {
        /// How many there are.
        #[serde(rename = "totalCommands")]
        total_commands: u64,
        /// How many of them the model knows.
        #[serde(rename = "includedCommands")]
        included_commands: u64,
        /// Number of tokens.
        tokens: u64,
    }

    /// Skills.
    pub struct ContextSkills {
        /// How many there are.
        #[serde(rename = "totalSkills")]
        total_skills: u64,
        /// How many of them the model knows.
        #[serde(rename = "includedSkills")]
        included_skills: u64,
        /// Number of tokens.
        tokens: u64,
        /// What the model knows of each.
        #[serde(rename = "skillFrontmatter")]
        skill_frontmatter: Vec<ContextSkill>,
    }

    /// A skill.
    pub struct ContextSkill {
        /// Its name.
        name: String,
        /// Where it is defined.
        source: String,
        /// The name of its plugin.
        #[serde(rename = "pluginName")]
        plugin_name: Option<String>,
        /// The id of its plugin.
        #[serde(rename = "pluginId")]
        plugin_id: Option<String>,
        /// The path of its file.
        path: Option<String>,
        /// Number of tokens.
        tokens: u64,
    }

    /// The tokens of the messages, by kind.
    pub struct ContextMessages {
        /// Tool uses.
        #[serde(rename = "toolCallTokens")]
        tool_call_tokens: u64,
        /// Results of tools.
        #[serde(rename = "toolResultTokens")]
        tool_result_tokens: u64,
        /// Attachments.
        #[serde(rename = "attachmentTokens")]
        attachment_tokens: u64,
        /// Answers of the model.
        #[serde(rename = "assistantMessageTokens")]
        assistant_message_tokens: u64,
        /// Prompts.
        #[serde(rename = "userMessageTokens")]
        user_message_tokens: u64,
        /// Context that was moved to another place.
        #[serde(rename = "redirectedContextTokens")]
        redirected_context_tokens: u64,
        /// Everything else.
        #[serde(rename = "unattributedTokens")]
        unattributed_tokens: u64,
        /// Tool uses and their results, by tool.
        #[serde(rename = "toolCallsByType")]
        tool_calls_by_type: Vec<ContextToolCalls>,
        /// Attachments, by type.
        #[serde(rename = "attachmentsByType")]
        attachments_by_type: Vec<ContextPart>,
    }

    /// The uses of one tool.
    pub struct ContextToolCalls {
        /// The tool.
        name: String,
        /// Number of tokens of its uses.
        #[serde(rename = "callTokens")]
        call_tokens: u64,
        /// Number of tokens of its results.
        #[serde(rename = "resultTokens")]
        result_tokens: u64,
    }

    /// The usage of the last request.
    pub struct ContextApiUsage {
        /// Input tokens that were not read from the cache.
        input_tokens: u64,
        /// Output tokens.
        output_tokens: u64,
        /// Tokens written to the cache.
        cache_creation_input_tokens: u64,
        /// Tokens read from the cache.
        cache_read_input_tokens: u64,
    }
}
