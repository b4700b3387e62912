//! Events around the conversation: helpers, tasks, files, settings.

use serde_json::Value;

use super::{HookEvent, events};
use crate::hook::specific::{ContextOutput, NoOutput, WatchOutput, WorktreeOutput};
use crate::wire::view;

events! {
    /// A sub-agent starts.
    SubagentStart -> ContextOutput {
        /// Which.
        agent_id: String,
        /// What kind.
        agent_type: String,
    }
    /// A sub-agent is done.
    SubagentStop -> ContextOutput {
        /// Whether a hook already kept it going.
        stop_hook_active: bool,
        /// Which.
        agent_id: String,
        /// Where its transcript is.
        agent_transcript_path: String,
        /// What kind.
        agent_type: String,
        /// What it said last.
        last_assistant_message: Option<String>,
        /// Tasks that go on.
        background_tasks: Option<Vec<Value>>,
        /// Timers of the session.
        session_crons: Option<Vec<Value>>,
    }
    /// A teammate has nothing to do.
    TeammateIdle -> NoOutput {
        /// Who.
        teammate_name: String,
        /// In which team.
        team_name: String,
    }
    /// A task was made.
    TaskCreated -> NoOutput {
        /// Which.
        task_id: String,
        /// In a line.
        task_subject: String,
        /// In more words.
        task_description: Option<String>,
        /// For whom.
        teammate_name: Option<String>,
        /// In which team.
        team_name: Option<String>,
    }
    /// A task is done.
    TaskCompleted -> NoOutput {
        /// Which.
        task_id: String,
        /// In a line.
        task_subject: String,
        /// In more words.
        task_description: Option<String>,
        /// By whom.
        teammate_name: Option<String>,
        /// In which team.
        team_name: Option<String>,
    }
    /// The project is set up.
    Setup -> ContextOutput {
        /// `init` or `maintenance`.
        trigger: String,
    }
    /// The settings changed.
    ConfigChange -> NoOutput {
        /// Which.
        source: String,
        /// Their file.
        file_path: Option<String>,
    }
    /// Instructions were read.
    InstructionsLoaded -> NoOutput {
        /// From which file.
        file_path: String,
        /// What kind.
        memory_type: String,
        /// Why.
        load_reason: String,
        /// For which files.
        globs: Option<Vec<String>>,
        /// Because of which file.
        trigger_file_path: Option<String>,
        /// Named in which file.
        parent_file_path: Option<String>,
    }
    /// The working directory changed.
    CwdChanged -> WatchOutput {
        /// From.
        old_cwd: String,
        /// To.
        new_cwd: String,
    }
    /// A watched file changed.
    FileChanged -> WatchOutput {
        /// Which.
        file_path: String,
        /// How.
        event: String,
    }
    /// A directory was allowed.
    DirectoryAdded -> NoOutput {
        /// Which.
        directory: String,
        /// By whom.
        source: String,
    }
    /// A worktree is to be made; a hook makes it and says where.
    WorktreeCreate -> WorktreeOutput {
        /// Its name.
        name: String,
    }
    /// A worktree is to be removed.
    WorktreeRemove -> NoOutput {
        /// Where it is.
        worktree_path: String,
    }
}
