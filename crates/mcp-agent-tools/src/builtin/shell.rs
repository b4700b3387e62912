//! Inputs of the tools that run shell commands.

use super::tool_types;

tool_types! {
    /// Runs a shell command.
    pub struct BashInput {
        /// The command line.
        command: String,
        ;
        /// A short description of the command.
        description: String,
        /// The time limit in milliseconds.
        timeout: u64,
        /// Whether the command runs in the background.
        run_in_background: bool,
        /// Whether the command runs without the sandbox.
        #[serde(rename = "dangerouslyDisableSandbox")]
        dangerously_disable_sandbox: bool,
    }

    /// Reads the output of a background command. Only in older CLI versions.
    pub struct BashOutputInput {
        /// The id of the command.
        bash_id: String,
        ;
        /// A regular expression: only matching lines are returned.
        filter: String,
    }

    /// Stops a background command. Only in older CLI versions; newer ones have `TaskStop`.
    pub struct KillShellInput {
        /// The id of the command.
        shell_id: String,
    }
}
