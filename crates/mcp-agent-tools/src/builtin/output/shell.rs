//! The results of the tools for shell commands.

use serde_json::Value;

use crate::builtin::tool_types;

tool_types! {
    /// The result of a shell command.
    #[serde(rename_all = "camelCase")]
    pub struct BashOutput {
        /// Its standard output.
        stdout: String,
        /// Its standard error.
        stderr: String,
        /// Whether it was interrupted.
        interrupted: bool,
        ;
        /// The file with the output of a background command.
        raw_output_path: String,
        /// Whether the output is a picture.
        is_image: bool,
        /// The id of the task, if it runs in the background.
        background_task_id: String,
        /// Whether the user moved it to the background.
        backgrounded_by_user: bool,
        /// After how many milliseconds it was moved to the background or stopped.
        timed_out_after_ms: f64,
        /// A note about the working directory of a background command.
        background_cwd_hint: String,
        /// Whether it is stopped after the last answer of the model.
        background_ends_with_final_response: bool,
        /// Whether its end starts a new turn.
        background_wakes_owner: bool,
        /// Whether it ran without the sandbox.
        dangerously_disable_sandbox: bool,
        /// What its exit code means, if it is not an error.
        return_code_interpretation: String,
        /// Whether commands of this kind have no output.
        no_output_expected: bool,
        /// Structured content.
        structured_content: Vec<Value>,
        /// The file with the whole output, if it was too long for the model.
        persisted_output_path: String,
        /// The size of the whole output in bytes.
        persisted_output_size: u64,
        /// A note about files that have changed since the model read them.
        stale_read_file_state_hint: String,
        /// A note about the limit of requests to GitHub.
        gh_rate_limit_hint: String,
        /// What it did with Git.
        git_operation: GitOperation,
    }

    /// What a command did with Git.
    pub struct GitOperation {
        ;
        /// A commit.
        commit: GitCommit,
        /// A push.
        push: GitPush,
        /// A merge or a rebase.
        branch: GitBranch,
        /// A change of a pull request.
        pr: GitPullRequest,
    }

    /// A commit.
    pub struct GitCommit {
        /// Its hash.
        sha: String,
        /// `committed`, `amended` or `cherry-picked`.
        kind: String,
        ;
        /// Its branch.
        branch: String,
    }

    /// A push.
    pub struct GitPush {
        /// The branch.
        branch: String,
    }

    /// A merge or a rebase.
    pub struct GitBranch {
        /// The other branch.
        #[serde(rename = "ref")]
        reference: String,
        /// `merged` or `rebased`.
        action: String,
    }

    /// A change of a pull request.
    pub struct GitPullRequest {
        /// Its number.
        number: u64,
        /// What was done, for instance `created`, `merged` or `commented`.
        action: String,
        ;
        /// Its page.
        url: String,
    }

    /// The result of stopping a background task.
    pub struct TaskStopOutput {
        /// The text for the model.
        message: String,
        /// The id of the task.
        task_id: String,
        /// Its type.
        task_type: String,
        ;
        /// Its command.
        command: String,
    }
}
