//! Inputs of the tools for MCP resources and for editors.

use super::tool_types;

tool_types! {
    /// Lists MCP resources.
    pub struct ListMcpResourcesInput {
        ;
        /// The server; all servers if not set.
        server: String,
    }

    /// Reads an MCP resource.
    pub struct ReadMcpResourceInput {
        /// The name of the server.
        server: String,
        /// The URI of the resource.
        uri: String,
    }

    /// Gets diagnostics from the editor.
    pub struct GetDiagnosticsInput {
        ;
        /// The file; all files if not set.
        uri: String,
    }

    /// Runs code in the notebook of the editor.
    pub struct ExecuteCodeInput {
        /// The code to run.
        code: String,
    }
}
