//! The response to `get_context_usage`.

use crate::wire::view;

view! {
    /// The usage of the context window.
    pub struct ContextUsage {
        /// The usage by category.
        categories: Vec<ContextCategory>,
        /// The number of tokens in use.
        #[serde(rename = "totalTokens")]
        total_tokens: u64,
        /// The size of the context window in tokens.
        #[serde(rename = "maxTokens")]
        max_tokens: u64,
        /// The size of the context window without the reserve for compaction, in tokens.
        #[serde(rename = "rawMaxTokens")]
        raw_max_tokens: u64,
        /// How much of the context window is in use, in percent.
        percentage: f64,
        /// The rows of a diagram of the context window. Each square stands for a part of the window.
        #[serde(rename = "gridRows")]
        grid_rows: Vec<Vec<ContextSquare>>,
        /// The name of the model.
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
        /// Built-in tools that the model must search for before it can use them.
        #[serde(rename = "deferredBuiltinTools")]
        deferred_builtin_tools: Option<Vec<ContextDeferredTool>>,
        /// The built-in tools.
        #[serde(rename = "systemTools")]
        system_tools: Option<Vec<ContextPart>>,
        /// The sections of the system prompt.
        #[serde(rename = "systemPromptSections")]
        system_prompt_sections: Option<Vec<ContextPart>>,
        /// The sub-agents.
        agents: Vec<ContextAgent>,
        /// The slash commands.
        #[serde(rename = "slashCommands")]
        slash_commands: Option<ContextCommands>,
        /// The skills.
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
        /// The id of the category, for instance `system_prompt`, `messages` or `free_space`.
        id: Option<String>,
        /// The name of the category, for display.
        name: String,
        /// The number of tokens in the category.
        tokens: u64,
        /// The colour of the category in the diagram.
        color: String,
        /// Whether the model must search for the content of the category.
        #[serde(rename = "isDeferred")]
        is_deferred: Option<bool>,
        /// The kind of category: `used`, `free`, `buffer` or `deferred`.
        kind: String,
    }

    /// A square of the diagram.
    pub struct ContextSquare {
        /// The colour of the square.
        color: String,
        /// Whether the square stands for used tokens.
        #[serde(rename = "isFilled")]
        is_filled: bool,
        /// The name of the category that the square belongs to.
        #[serde(rename = "categoryName")]
        category_name: String,
        /// The number of tokens in the category.
        tokens: u64,
        /// How much of the context window the category takes, in percent.
        percentage: f64,
        /// How much of the square is filled, from 0 to 1.
        #[serde(rename = "squareFullness")]
        square_fullness: f64,
    }

    /// A file with instructions or memories.
    pub struct ContextMemoryFile {
        /// The path of the file.
        path: String,
        /// Where the file comes from, for display.
        #[serde(rename = "type")]
        kind: String,
        /// The number of tokens of the file.
        tokens: u64,
    }

    /// A tool of an MCP server.
    pub struct ContextMcpTool {
        /// The name of the tool.
        name: String,
        /// The name of the server.
        #[serde(rename = "serverName")]
        server_name: String,
        /// The number of tokens that the tool takes in the context.
        tokens: u64,
        /// Whether the tool is in the context of the model.
        #[serde(rename = "isLoaded")]
        is_loaded: Option<bool>,
    }

    /// The instructions of an MCP server.
    pub struct ContextMcpInstructions {
        /// The name of the server.
        #[serde(rename = "serverName")]
        server_name: String,
        /// The estimated number of tokens of the instructions.
        tokens: u64,
    }

    /// A built-in tool that the model must search for.
    pub struct ContextDeferredTool {
        /// The name of the tool.
        name: String,
        /// The number of tokens that the tool takes in the context.
        tokens: u64,
        /// Whether the model has found the tool.
        #[serde(rename = "isLoaded")]
        is_loaded: bool,
    }

    /// A named part of the context.
    pub struct ContextPart {
        /// The name of the part.
        name: String,
        /// The number of tokens of the part.
        tokens: u64,
    }

    /// A sub-agent.
    pub struct ContextAgent {
        /// The type of the sub-agent.
        #[serde(rename = "agentType")]
        agent_type: String,
        /// Where the sub-agent is defined.
        source: String,
        /// The plugin that the sub-agent is part of.
        #[serde(rename = "pluginId")]
        plugin_id: Option<String>,
        /// The path of the file that defines the sub-agent.
        path: Option<String>,
        /// The number of tokens that the sub-agent takes in the context.
        tokens: u64,
    }

    /// Slash commands.
    pub struct ContextCommands {
        /// The number of slash commands.
        #[serde(rename = "totalCommands")]
        total_commands: u64,
        /// The number of slash commands that are in the context.
        #[serde(rename = "includedCommands")]
        included_commands: u64,
        /// The number of tokens of the slash commands in the context.
        tokens: u64,
    }

    /// Skills.
    pub struct ContextSkills {
        /// The number of skills.
        #[serde(rename = "totalSkills")]
        total_skills: u64,
        /// The number of skills that are in the context.
        #[serde(rename = "includedSkills")]
        included_skills: u64,
        /// The number of tokens of the skills in the context.
        tokens: u64,
        /// The entry of each skill in the context.
        #[serde(rename = "skillFrontmatter")]
        skill_frontmatter: Vec<ContextSkill>,
    }

    /// A skill.
    pub struct ContextSkill {
        /// The name of the skill.
        name: String,
        /// Where the skill is defined.
        source: String,
        /// The name of the plugin that the skill is part of.
        #[serde(rename = "pluginName")]
        plugin_name: Option<String>,
        /// The id of the plugin that the skill is part of.
        #[serde(rename = "pluginId")]
        plugin_id: Option<String>,
        /// The path of the file that defines the skill.
        path: Option<String>,
        /// The number of tokens that the skill takes in the context.
        tokens: u64,
    }

    /// The tokens of the messages, by kind.
    pub struct ContextMessages {
        /// The number of tokens of tool uses.
        #[serde(rename = "toolCallTokens")]
        tool_call_tokens: u64,
        /// The number of tokens of tool results.
        #[serde(rename = "toolResultTokens")]
        tool_result_tokens: u64,
        /// The number of tokens of attachments.
        #[serde(rename = "attachmentTokens")]
        attachment_tokens: u64,
        /// The number of tokens of the model's answers.
        #[serde(rename = "assistantMessageTokens")]
        assistant_message_tokens: u64,
        /// The number of tokens of prompts.
        #[serde(rename = "userMessageTokens")]
        user_message_tokens: u64,
        /// The number of tokens of context that was moved to another place.
        #[serde(rename = "redirectedContextTokens")]
        redirected_context_tokens: u64,
        /// The number of all other tokens.
        #[serde(rename = "unattributedTokens")]
        unattributed_tokens: u64,
        /// The tokens of tool uses and their results, by tool.
        #[serde(rename = "toolCallsByType")]
        tool_calls_by_type: Vec<ContextToolCalls>,
        /// The tokens of attachments, by type.
        #[serde(rename = "attachmentsByType")]
        attachments_by_type: Vec<ContextPart>,
    }

    /// The uses of one tool.
    pub struct ContextToolCalls {
        /// The name of the tool.
        name: String,
        /// The number of tokens of the uses of the tool.
        #[serde(rename = "callTokens")]
        call_tokens: u64,
        /// The number of tokens of the results of the tool.
        #[serde(rename = "resultTokens")]
        result_tokens: u64,
    }

    /// The usage of the last request.
    pub struct ContextApiUsage {
        /// The number of input tokens that were not read from the cache.
        input_tokens: u64,
        /// The number of output tokens.
        output_tokens: u64,
        /// The number of tokens written to the cache.
        cache_creation_input_tokens: u64,
        /// The number of tokens read from the cache.
        cache_read_input_tokens: u64,
    }
}
