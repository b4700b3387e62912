//! The results of the tools for MCP servers.

use crate::builtin::tool_types;

tool_types! {
    /// A resource in the list of all resources.
    #[serde(rename_all = "camelCase")]
    pub struct ListedResource {
        /// The URI of the resource.
        uri: String,
        /// The name of the resource.
        name: String,
        /// The server that has the resource.
        server: String,
        ;
        /// The media type of the resource.
        mime_type: String,
        /// The description of the resource.
        description: String,
    }

    /// The result of reading a resource.
    pub struct ReadMcpResourceOutput {
        /// The parts of the resource.
        contents: Vec<ResourceContent>,
        ;
        /// Why the resource could not be read.
        error: String,
    }

    /// A part of a resource.
    #[serde(rename_all = "camelCase")]
    pub struct ResourceContent {
        /// The URI of the resource.
        uri: String,
        ;
        /// The media type of the resource.
        mime_type: String,
        /// The text of this part of the resource.
        text: String,
        /// The path of the file with the content, if it is not text.
        blob_saved_to: String,
    }

    /// The result of listing a directory of resources.
    pub struct ReadMcpResourceDirOutput {
        /// The resources in the directory.
        resources: Vec<ResourceEntry>,
        ;
        /// Why the directory could not be listed.
        error: String,
    }

    /// A resource of a directory.
    #[serde(rename_all = "camelCase")]
    pub struct ResourceEntry {
        /// The URI of the resource.
        uri: String,
        /// The name of the resource.
        name: String,
        ;
        /// The media type of the resource.
        mime_type: String,
    }

    /// A server that was asked for its tools again.
    #[serde(rename_all = "camelCase")]
    pub struct RefreshedServer {
        /// The name of the server.
        server: String,
        /// The result: `refreshed`, `error` or `not_connected`.
        status: String,
        ;
        /// The number of tools of the server.
        tool_count: u64,
        /// The names of the new tools.
        added: Vec<String>,
        /// The names of the removed tools.
        removed: Vec<String>,
        /// Why the tools could not be read.
        error: String,
    }
}
