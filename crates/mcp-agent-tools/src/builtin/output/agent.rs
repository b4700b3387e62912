//! The result of the tool that starts a sub-agent.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::builtin::tool_types;

/// The result of a sub-agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
#[non_exhaustive]
pub enum AgentOutput {
    /// It has finished.
    Completed(Box<AgentCompleted>),
    /// It runs in the background.
    AsyncLaunched(AgentLaunched),
    /// It runs in the cloud.
    RemoteLaunched(AgentRemote),
}

tool_types! {
    /// A sub-agent that has finished.
    #[serde(rename_all = "camelCase")]
    pub struct AgentCompleted {
        /// The id of the sub-agent.
        agent_id: String,
        /// Its answer.
        content: Vec<AgentAnswer>,
        /// Its prompt.
        prompt: String,
        /// Number of tool uses.
        total_tool_use_count: u64,
        /// How long it ran.
        total_duration_ms: f64,
        /// Number of tokens.
        total_tokens: u64,
        /// The usage of its last request, in the format of the API.
        usage: Map<String, Value>,
        ;
        /// Its type.
        agent_type: String,
        /// The model that it ran with.
        resolved_model: String,
        /// All models that it used.
        models_used: Vec<String>,
        /// The names of the tools that it used.
        tools_used: Vec<String>,
        /// What it did, counted.
        tool_stats: AgentToolStats,
        /// The folder of its worktree.
        worktree_path: String,
        /// The branch of its worktree.
        worktree_branch: String,
    }

    /// A part of the answer of a sub-agent.
    pub struct AgentAnswer {
        /// Always `text`.
        #[serde(rename = "type")]
        kind: String,
        /// The text.
        text: String,
        ;
        /// Its sources.
        citations: Vec<Value>,
    }

    /// What a sub-agent did, counted.
    #[serde(rename_all = "camelCase")]
    pub struct AgentToolStats {
        /// Files that it read.
        read_count: u64,
        /// Searches.
        search_count: u64,
        /// Commands.
        bash_count: u64,
        /// Files that it edited.
        edit_file_count: u64,
        /// Lines that it added.
        lines_added: u64,
        /// Lines that it removed.
        lines_removed: u64,
        /// Other tool uses.
        other_tool_count: u64,
        ;
        /// Frames of pictures.
        frame_count: u64,
    }

    /// A sub-agent that runs in the background.
    #[serde(rename_all = "camelCase")]
    pub struct AgentLaunched {
        /// The id of the sub-agent.
        agent_id: String,
        /// The description of its task.
        description: String,
        /// Its prompt.
        prompt: String,
        /// The file that its output is written to.
        output_file: String,
        ;
        /// Always true.
        is_async: bool,
        /// The model that it runs with.
        resolved_model: String,
        /// All models that it uses.
        models_used: Vec<String>,
        /// Whether the model can read the output file.
        can_read_output_file: bool,
    }

    /// A sub-agent that runs in the cloud.
    #[serde(rename_all = "camelCase")]
    pub struct AgentRemote {
        /// The id of the task.
        task_id: String,
        /// The page of its session.
        session_url: String,
        /// The description of its task.
        description: String,
        /// Its prompt.
        prompt: String,
        /// The file that its output is written to.
        output_file: String,
    }
}
