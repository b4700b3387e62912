//! The result of the tool that starts a sub-agent.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::builtin::tool_types;

/// The result of a sub-agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
#[non_exhaustive]
pub enum AgentOutput {
    /// The sub-agent has finished.
    Completed(Box<AgentCompleted>),
    /// The sub-agent runs in the background.
    AsyncLaunched(AgentLaunched),
    /// The sub-agent runs in the cloud.
    RemoteLaunched(AgentRemote),
}

tool_types! {
    /// A sub-agent that has finished.
    #[serde(rename_all = "camelCase")]
    pub struct AgentCompleted {
        /// The id of the sub-agent.
        agent_id: String,
        /// The parts of the sub-agent's answer.
        content: Vec<AgentAnswer>,
        /// The prompt that the sub-agent was started with.
        prompt: String,
        /// The number of the sub-agent's tool uses.
        total_tool_use_count: u64,
        /// How long the sub-agent ran, in milliseconds.
        total_duration_ms: f64,
        /// The number of tokens that the sub-agent used.
        total_tokens: u64,
        /// The usage of the sub-agent's last request, in the format of the API.
        usage: Map<String, Value>,
        ;
        /// The type of the sub-agent.
        agent_type: String,
        /// The model that the sub-agent ran with.
        resolved_model: String,
        /// All models that the sub-agent used.
        models_used: Vec<String>,
        /// The names of the tools that the sub-agent used.
        tools_used: Vec<String>,
        /// How often the sub-agent used each kind of tool.
        tool_stats: AgentToolStats,
        /// The folder of the sub-agent's worktree.
        worktree_path: String,
        /// The branch of the sub-agent's worktree.
        worktree_branch: String,
    }

    /// A part of the answer of a sub-agent.
    pub struct AgentAnswer {
        /// The type of the part: always `text`.
        #[serde(rename = "type")]
        kind: String,
        /// The text of this part of the answer.
        text: String,
        ;
        /// The sources that this part of the answer cites.
        citations: Vec<Value>,
    }

    /// What a sub-agent did, counted.
    #[serde(rename_all = "camelCase")]
    pub struct AgentToolStats {
        /// The number of files that the sub-agent read.
        read_count: u64,
        /// The number of searches.
        search_count: u64,
        /// The number of shell commands.
        bash_count: u64,
        /// The number of file edits.
        edit_file_count: u64,
        /// The number of lines that the sub-agent added to files.
        lines_added: u64,
        /// The number of lines that the sub-agent removed from files.
        lines_removed: u64,
        /// The number of uses of other tools.
        other_tool_count: u64,
        ;
        /// The number of picture frames.
        frame_count: u64,
    }

    /// A sub-agent that runs in the background.
    #[serde(rename_all = "camelCase")]
    pub struct AgentLaunched {
        /// The id of the sub-agent.
        agent_id: String,
        /// The description of the sub-agent's task.
        description: String,
        /// The prompt that the sub-agent was started with.
        prompt: String,
        /// The file that the sub-agent's output is written to.
        output_file: String,
        ;
        /// Whether the sub-agent runs in the background: always true.
        is_async: bool,
        /// The model that the sub-agent runs with.
        resolved_model: String,
        /// All models that the sub-agent uses.
        models_used: Vec<String>,
        /// Whether the main model can read the output file.
        can_read_output_file: bool,
    }

    /// A sub-agent that runs in the cloud.
    #[serde(rename_all = "camelCase")]
    pub struct AgentRemote {
        /// The id of the background task.
        task_id: String,
        /// The web page of the sub-agent's session.
        session_url: String,
        /// The description of the sub-agent's task.
        description: String,
        /// The prompt that the sub-agent was started with.
        prompt: String,
        /// The file that the sub-agent's output is written to.
        output_file: String,
    }
}
