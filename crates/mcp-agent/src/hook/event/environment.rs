//! Events of sub-agents, tasks, files and settings.

use super::{HookEvent, events};
use crate::hook::call::{SessionCron, TaskSummary};
use crate::hook::event_output::{ContextOutput, NoOutput, WatchOutput, WorktreeOutput};
use crate::wire::view;

events! {
    /// A sub-agent starts.
    SubagentStart -> ContextOutput {
        /// The id of the sub-agent.
        agent_id: String,
        /// The type of the sub-agent.
        agent_type: String,
    }
    /// A sub-agent is about to end its work.
    SubagentStop -> ContextOutput {
        /// Whether a hook has already prevented the sub-agent from stopping.
        stop_hook_active: bool,
        /// The id of the sub-agent.
        agent_id: String,
        /// The path of the sub-agent's transcript.
        agent_transcript_path: String,
        /// The type of the sub-agent.
        agent_type: String,
        /// The last message of the sub-agent.
        last_assistant_message: Option<String>,
        /// Background tasks that are still running.
        background_tasks: Option<Vec<TaskSummary>>,
        /// Scheduled jobs of the session.
        session_crons: Option<Vec<SessionCron>>,
    }
    /// A teammate is idle.
    TeammateIdle -> NoOutput {
        /// The name of the teammate.
        teammate_name: String,
        /// The name of the team.
        team_name: String,
    }
    /// A task was created.
    TaskCreated -> NoOutput {
        /// The id of the task.
        task_id: String,
        /// The title of the task, in one line.
        task_subject: String,
        /// The description of the task.
        task_description: Option<String>,
        /// The teammate that the task is assigned to.
        teammate_name: Option<String>,
        /// The name of the team.
        team_name: Option<String>,
    }
    /// A task is completed.
    TaskCompleted -> NoOutput {
        /// The id of the task.
        task_id: String,
        /// The title of the task, in one line.
        task_subject: String,
        /// The description of the task.
        task_description: Option<String>,
        /// The teammate that completed the task.
        teammate_name: Option<String>,
        /// The name of the team.
        team_name: Option<String>,
    }
    /// The project is set up.
    Setup -> ContextOutput {
        /// What caused the setup: `init` or `maintenance`.
        trigger: String,
    }
    /// The settings changed.
    ConfigChange -> NoOutput {
        /// The source of the settings.
        source: String,
        /// The path of the settings file.
        file_path: Option<String>,
    }
    /// Instructions were loaded.
    InstructionsLoaded -> NoOutput {
        /// The path of the file with the instructions.
        file_path: String,
        /// The type of instructions.
        memory_type: String,
        /// Why the instructions were loaded.
        load_reason: String,
        /// The patterns of the files that the instructions apply to.
        globs: Option<Vec<String>>,
        /// The path of the file that triggered loading.
        trigger_file_path: Option<String>,
        /// The path of the file that includes the instructions.
        parent_file_path: Option<String>,
    }
    /// The working directory changed.
    CwdChanged -> WatchOutput {
        /// The old directory.
        old_cwd: String,
        /// The new directory.
        new_cwd: String,
    }
    /// A watched file changed.
    FileChanged -> WatchOutput {
        /// The path of the file.
        file_path: String,
        /// The kind of change.
        event: String,
    }
    /// A directory was added to the allowed ones.
    DirectoryAdded -> NoOutput {
        /// The path of the directory.
        directory: String,
        /// Who added the directory.
        source: String,
    }
    /// A worktree is needed. The hook creates it and returns its path.
    WorktreeCreate -> WorktreeOutput {
        /// The name of the worktree.
        name: String,
    }
    /// A worktree is about to be removed.
    WorktreeRemove -> NoOutput {
        /// The path of the worktree.
        worktree_path: String,
    }
}
