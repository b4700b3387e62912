//! The results of the tools for MCP servers.

use crate::builtin::tool_types;

tool_types! {
    /// A resource in the list of all resources.
    #[serde(rename_all = "camelCase")]
    pub struct ListedResource {
        /// Its URI.
        uri: String,
        /// Its name.
        name: String,
        /// Its server.
        server: String,
        ;
        /// Its media type.
        mime_type: String,
        /// Its description.
        description: String,
    }

    /// The result of reading a resource.
    pub struct ReadMcpResourceOutput {
        /// The parts of the resource.
        contents: Vec<ResourceContent>,
        ;
        /// Why it failed.
        error: String,
    }

    /// A part of a resource.
    #[serde(rename_all = "camelCase")]
    pub struct ResourceContent {
        /// Its URI.
        uri: String,
        ;
        /// Its media type.
        mime_type: String,
        /// Its text.
        text: String,
        /// The file with its content, if it is not text.
        blob_saved_to: String,
    }

    /// The result of listing a directory of resources.
    pub struct ReadMcpResourceDirOutput {
        /// The resources.
        resources: Vec<ResourceEntry>,
        ;
        /// Why it failed.
        error: String,
    }

    /// A resource of a directory.
    #[serde(rename_all = "camelCase")]
    pub struct ResourceEntry {
        /// Its URI.
        uri: String,
        /// Its name.
        name: String,
        ;
        /// Its media type.
        mime_type: String,
    }

    /// A server that was asked for its tools again.
    #[serde(rename_all = "camelCase")]
    pub struct RefreshedServer {
        /// Its name.
        server: String,
        /// `refreshed`, `error` or `not_connected`.
        status: String,
        ;
        /// The number of its tools.
        tool_count: u64,
        /// The tools that are new.
        added: Vec<String>,
        /// The tools that are gone.
        removed: Vec<String>,
        /// Why it failed.
        error: String,
    }
}
