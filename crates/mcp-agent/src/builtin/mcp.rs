//! Resources of MCP servers, and the tools of an editor.

use super::inputs;

inputs! {
    /// Lists resources.
    pub struct ListMcpResourcesInput {
        ;
        /// Only of this server.
        server: String,
    }

    /// Reads a resource.
    pub struct ReadMcpResourceInput {
        /// Whose.
        server: String,
        /// Which.
        uri: String,
    }

    /// Asks the editor what it finds wrong.
    pub struct GetDiagnosticsInput {
        ;
        /// Only with this file.
        uri: String,
    }

    /// Runs code in the editor's notebook.
    pub struct ExecuteCodeInput {
        /// The code.
        code: String,
    }
}
