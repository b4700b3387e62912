//! Resources: listing, reading and watching them.

use std::sync::Arc;

use mcp_core::protocol::{Annotations, Icon, ResourceContents};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::client::{Client, params};
use crate::connection::Request;
use crate::error::CallError;
use crate::pages::{List, Pages};
use crate::request::read;

/// A resource as the server describes it. A link to a resource in the result of a tool has the same members.
pub use mcp_core::protocol::ResourceLink as Resource;

/// A template for the URIs of resources.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceTemplate {
    /// The URI template (RFC 6570).
    pub uri_template: String,
    /// The name of the resource.
    pub name: String,
    /// The title of the resource, for display.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// The description of the resource.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// The MIME type of the resource.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mime_type: Option<String>,
    /// The annotations of the resource.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub annotations: Option<Annotations>,
    /// The icons of the resource.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub icons: Vec<Icon>,
    /// The metadata of the server (`_meta`).
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

impl Client {
    /// Lists the resources of the server, page by page.
    pub fn resources(&self) -> Pages<Resource> {
        Pages::new(self, List { method: "resources/list", field: "resources", accept: Arc::new(|_, _| Ok(())) })
    }

    /// Lists the resource templates of the server, page by page.
    pub fn resource_templates(&self) -> Pages<ResourceTemplate> {
        let (method, field) = ("resources/templates/list", "resourceTemplates");
        Pages::new(self, List { method, field, accept: Arc::new(|_, _| Ok(())) })
    }

    /// Reads a resource. It may consist of several contents.
    ///
    /// # Errors
    /// See [`CallError`]: [`CallError::Rpc`] if there is no such resource.
    pub async fn read(&self, uri: &str) -> Result<Vec<ResourceContents>, CallError> {
        #[derive(Deserialize)]
        struct Contents {
            contents: Vec<ResourceContents>,
        }
        let result = self.send(Request::new("resources/read", params(json!({"uri": uri}))).named(uri)).await?;
        Ok(read::<Contents>("resources/read", &result)?.contents)
    }
}
