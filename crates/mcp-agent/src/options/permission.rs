//! Who decides what the model may do.

use std::path::PathBuf;

use crate::agent::Agent;
use crate::permission::PermissionMode;
use crate::wire::words;

/// Who decides what the model may do.
#[derive(Debug, Clone, Default)]
pub(crate) struct Permissions {
    pub(crate) mode: Option<PermissionMode>,
    pub(crate) allow_bypass: bool,
    pub(crate) prompt_tool: Option<String>,
    pub(crate) prompts: Option<PermissionPrompts>,
    pub(crate) directories: Vec<PathBuf>,
}

words! {
    /// Whether anybody is asked.
    pub enum PermissionPrompts {
        /// The host is.
        Host = "host",
        /// Nobody: what would be asked is denied.
        None = "none",
    }
}

/// Permissions
impl Agent {
    /// How permission is given where no rule says it.
    ///
    /// Without a [`permission`](Self::permission) callback, what would be asked is denied.
    #[must_use]
    pub fn permission_mode(mut self, mode: PermissionMode) -> Self {
        self.options.permissions.mode = Some(mode);
        self
    }

    /// Gives leave to switch to [`PermissionMode::BypassPermissions`]. Only for sandboxes.
    #[must_use]
    pub fn allow_dangerously_skip_permissions(mut self) -> Self {
        self.options.permissions.allow_bypass = true;
        self
    }

    /// Lets a tool of an MCP server decide, in place of a [`permission`](Self::permission) callback.
    #[must_use]
    pub fn permission_prompt_tool(mut self, tool: impl Into<String>) -> Self {
        self.options.permissions.prompt_tool = Some(tool.into());
        self
    }

    /// Whether anybody is asked.
    #[must_use]
    pub fn permission_prompts(mut self, prompts: PermissionPrompts) -> Self {
        self.options.permissions.prompts = Some(prompts);
        self
    }

    /// One more directory that tools may work in, beside the working directory.
    #[must_use]
    pub fn add_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.options.permissions.directories.push(directory.into());
        self
    }
}
