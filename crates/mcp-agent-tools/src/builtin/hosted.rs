//! Inputs of the tools for services of Anthropic.

use serde_json::{Map, Value};

use super::tool_types;

tool_types! {
    /// Publishes and reads artifacts.
    pub struct ArtifactInput {
        ;
        /// What to do; `publish` if it is not set.
        action: String,
        /// The path of the file to publish.
        file_path: String,
        /// The icon of the page.
        favicon: String,
        /// The icon in lists.
        icon: String,
        /// The length of a page of a list.
        limit: u64,
        /// Where a page of a list begins.
        page_token: String,
        /// Whose artifacts: `mine`, `shared` or `all`.
        scope: String,
        /// The title of the artifact.
        title: String,
        /// The description of the artifact.
        description: String,
        /// The name of this version.
        label: String,
        /// The URL of the artifact.
        url: String,
        /// What to look for in the artifact.
        prompt: String,
        /// Whether changes of others may be lost.
        force: bool,
        /// Whether the artifact is pinned.
        pin: bool,
        /// The folder for files.
        out_dir: String,
        /// The files to upload.
        file_paths: Vec<String>,
        /// The id of a file.
        asset_id: String,
        /// The event after which a list begins.
        after: String,
        /// What the artifact may do.
        capabilities: Map<String, Value>,
        /// The version of its interface.
        contract: String,
    }

    /// Uses the design tool.
    pub struct ClaudeDesignInput {
        /// The name of the operation.
        operation: String,
        /// The arguments of the operation.
        arguments: Map<String, Value>,
    }

    /// Reads and writes a project.
    pub struct ProjectsInput {
        /// What to do, for instance `project_info` or `project_read`.
        method: String,
        ;
        /// The path in the project.
        path: String,
        /// The content to write.
        content: String,
        /// The path of a local file to write.
        local_path: String,
        /// Whether the file is shown to the user.
        present_to_user: bool,
        /// The text to search for.
        query: String,
        /// The number of results.
        n: u64,
    }

    /// Sends feedback.
    pub struct SendFeedbackInput {
        /// The kind of feedback: `bug`, `idea` or `missing_capability`.
        #[serde(rename = "type")]
        kind: String,
        /// The title of the feedback.
        title: String,
        /// The text of the feedback.
        details: String,
        ;
        /// The part of the product.
        area: String,
        /// What the model did wrong.
        failure_mode: String,
        /// What the model was doing.
        task_category: String,
    }

    /// Asks the user for a role.
    pub struct ShowOnboardingRolePickerInput {}

    /// Offers to set up the browser.
    pub struct OfferChromeSetupInput {
        ;
        /// Why the setup is offered.
        reason: String,
    }

    /// Asks MCP servers for their tools again.
    pub struct RefreshMcpToolsInput {
        ;
        /// The name of the server; all servers if it is not set.
        server: String,
    }

    /// Lists a directory of resources of an MCP server.
    pub struct ReadMcpResourceDirInput {
        /// The name of the server.
        server: String,
        /// The URI of the directory.
        uri: String,
    }
}
