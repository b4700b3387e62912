//! Options of permissions.

use std::path::PathBuf;

use crate::agent::Agent;
use crate::permission::PermissionMode;
use crate::wire::words;

/// Options of permissions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Permissions {
    pub(crate) mode: Option<PermissionMode>,
    pub(crate) allow_bypass: bool,
    pub(crate) prompt_tool: Option<String>,
    pub(crate) prompts: Option<PermissionPrompts>,
    pub(crate) directories: Vec<PathBuf>,
}

words! {
    /// Who is asked for permission.
    pub enum PermissionPrompts {
        /// The host: the permission callback.
        Host = "host",
        /// Nobody: a tool use that needs the user's permission is denied.
        None = "none",
    }
}

/// # Permissions
impl Agent {
    /// Sets the permission mode: what happens to tool uses that no rule allows or denies.
    ///
    /// Without a [`permission`](Self::permission) callback, a tool use that needs the user's permission is denied.
    #[must_use]
    pub fn permission_mode(mut self, mode: PermissionMode) -> Self {
        self.options.permissions.mode = Some(mode);
        self
    }

    /// Allows switching to [`PermissionMode::BypassPermissions`]. Use it only in a sandbox.
    #[must_use]
    pub fn allow_dangerously_skip_permissions(mut self) -> Self {
        self.options.permissions.allow_bypass = true;
        self
    }

    /// Sets a tool of an MCP server that decides on permissions, instead of a [`permission`](Self::permission)
    /// callback.
    #[must_use]
    pub fn permission_prompt_tool(mut self, tool: impl Into<String>) -> Self {
        self.options.permissions.prompt_tool = Some(tool.into());
        self
    }

    /// Sets who is asked for permission.
    #[must_use]
    pub fn permission_prompts(mut self, prompts: PermissionPrompts) -> Self {
        self.options.permissions.prompts = Some(prompts);
        self
    }

    /// Adds a directory that tools may access, besides the working directory.
    #[must_use]
    pub fn add_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.options.permissions.directories.push(directory.into());
        self
    }
}
