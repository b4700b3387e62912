//! The shell, and commands that run in the background.

use super::inputs;

inputs! {
    /// Runs a shell command.
    pub struct BashInput {
        /// The command, as the shell reads it.
        command: String,
        ;
        /// What it does, in a few words.
        description: String,
        /// How long it may take, in milliseconds.
        timeout: u64,
        /// Whether to go on meanwhile.
        run_in_background: bool,
        /// Whether it runs outside the sandbox.
        #[serde(rename = "dangerouslyDisableSandbox")]
        dangerously_disable_sandbox: bool,
    }

    /// Reads what a command in the background has said. Older CLIs have it.
    pub struct BashOutputInput {
        /// Which command.
        bash_id: String,
        ;
        /// Only lines that this regular expression matches.
        filter: String,
    }

    /// Ends a command in the background. Older CLIs have it; today it is `TaskStop`.
    pub struct KillShellInput {
        /// Which command.
        shell_id: String,
    }
}
