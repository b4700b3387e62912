//! The results of the tools for shell commands.

use serde_json::Value;

use crate::builtin::tool_types;

tool_types! {
    /// The result of a shell command.
    #[serde(rename_all = "camelCase")]
    pub struct BashOutput {
        /// The standard output of the command.
        stdout: String,
        /// The standard error of the command.
        stderr: String,
        /// Whether the command was interrupted.
        interrupted: bool,
        ;
        /// The file with the output of a background command.
        raw_output_path: String,
        /// Whether the output is a picture.
        is_image: bool,
        /// The id of the background task, if the command runs in the background.
        background_task_id: String,
        /// Whether the user moved the command to the background.
        backgrounded_by_user: bool,
        /// After how many milliseconds the command was moved to the background or stopped.
        timed_out_after_ms: f64,
        /// A note about the working directory of a background command.
        background_cwd_hint: String,
        /// Whether the command is stopped after the last answer of the model.
        background_ends_with_final_response: bool,
        /// Whether the end of the command starts a new turn.
        background_wakes_owner: bool,
        /// Whether the command ran without the sandbox.
        dangerously_disable_sandbox: bool,
        /// What the exit code of the command means, if it is not an error.
        return_code_interpretation: String,
        /// Whether commands of this kind have no output.
        no_output_expected: bool,
        /// The structured content of the result.
        structured_content: Vec<Value>,
        /// The file with the whole output, if it was too long for the model.
        persisted_output_path: String,
        /// The size of the whole output in bytes.
        persisted_output_size: u64,
        /// A note about files that have changed since the model read them.
        stale_read_file_state_hint: String,
        /// A note about the limit of requests to GitHub.
        gh_rate_limit_hint: String,
        /// What the command did with Git.
        git_operation: GitOperation,
    }

    /// What a command did with Git.
    pub struct GitOperation {
        ;
        /// The commit that was made.
        commit: GitCommit,
        /// The push that was done.
        push: GitPush,
        /// The merge or rebase that was done.
        branch: GitBranch,
        /// The change of a pull request.
        pr: GitPullRequest,
    }

    /// A commit.
    pub struct GitCommit {
        /// The hash of the commit.
        sha: String,
        /// The kind of commit: `committed`, `amended` or `cherry-picked`.
        kind: String,
        ;
        /// The branch that contains the commit.
        branch: String,
    }

    /// A push.
    pub struct GitPush {
        /// The branch that was pushed.
        branch: String,
    }

    /// A merge or a rebase.
    pub struct GitBranch {
        /// The branch that was merged, or that was rebased onto.
        #[serde(rename = "ref")]
        reference: String,
        /// What was done: `merged` or `rebased`.
        action: String,
    }

    /// A change of a pull request.
    pub struct GitPullRequest {
        /// The number of the pull request.
        number: u64,
        /// What was done, for instance `created`, `merged` or `commented`.
        action: String,
        ;
        /// The web page of the pull request.
        url: String,
    }

    /// The result of stopping a background task.
    pub struct TaskStopOutput {
        /// The text for the model.
        message: String,
        /// The id of the task.
        task_id: String,
        /// The type of the task.
        task_type: String,
        ;
        /// The shell command of the task.
        command: String,
    }
}
