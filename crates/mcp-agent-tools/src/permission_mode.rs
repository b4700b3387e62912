//! The permission modes of the CLI.

use crate::words;

words! {
    /// What happens to tool uses that no permission rule allows or denies.
    pub enum PermissionMode {
        /// The host is asked.
        Default = "default",
        /// Edits of files are allowed; for other tools the host is asked.
        AcceptEdits = "acceptEdits",
        /// Everything is allowed. The CLI enters it only if it was started with permission to do so.
        BypassPermissions = "bypassPermissions",
        /// Nothing may be changed: the model only plans.
        Plan = "plan",
        /// A tool use that no rule allows is denied.
        DontAsk = "dontAsk",
        /// A classifier decides.
        Auto = "auto",
    }
}
