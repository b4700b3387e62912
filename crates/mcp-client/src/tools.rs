//! Tools: listing and calling them.

use std::sync::Arc;

use mcp_core::ToolResult;
use mcp_core::protocol::{Icon, Revision, ToolAnnotations};
use mcp_core::transport::Code;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::call::Call;
use crate::client::Client;
use crate::connection::Request;
use crate::error::CallError;
use crate::pages::{List, Pages};
use crate::request::read;
use crate::tasks;

/// A tool as the server describes it. The description and annotations are as untrusted as the server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Tool {
    /// The name of the tool.
    pub name: String,
    /// The title of the tool, for display.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// The description, for the model.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// The JSON Schema of the arguments, unchanged.
    pub input_schema: Value,
    /// The JSON Schema of the structured output, unchanged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub output_schema: Option<Value>,
    /// Hints about the behaviour of the tool.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub annotations: Option<ToolAnnotations>,
    /// Whether the tool supports tasks, in revision 2025-11-25.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub execution: Option<Map<String, Value>>,
    /// The icons of the tool.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub icons: Vec<Icon>,
    /// The metadata of the server (`_meta`).
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

impl Client {
    /// Lists the tools of the server, page by page.
    ///
    /// The client caches their output schemas, and validates the structured output of later calls.
    ///
    /// ```
    /// # use mcp_client::Client;
    /// # use mcp_core::{server, tool, tools};
    /// # /// Add two numbers.
    /// # #[tool]
    /// # async fn add(a: i64, b: i64) -> i64 { a + b }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let client = Client::of(server!().tools(tools![add])).await?;
    /// let mut tools = client.tools();
    /// while let Some(tool) = tools.next().await {
    ///     println!("{}", tool?.name);
    /// }
    /// # assert_eq!(client.tools().all().await?.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn tools(&self) -> Pages<Tool> {
        let accept = |client: &Client, tool: &Tool| client.shared().tools.learn(tool, client.inner().is_http());
        Pages::new(self, List { method: "tools/list", field: "tools", accept: Arc::new(accept) })
    }

    /// Adds the arguments that the tool reads from HTTP headers, and the task that it requires.
    async fn add_tool_options(&self, request: &mut Request) -> Result<(), CallError> {
        let connection = self.inner().connection().await?;
        if let Some(known) = request.routing.name.as_ref().and_then(|name| self.shared().tools.get(name)) {
            if self.inner().uses_headers(&connection) {
                request.routing.arguments = known.header_arguments(&request.params["arguments"]);
            }
            if known.needs_task && connection.revision() == Some(Revision::V2025_11_25) {
                request.params.insert("task".into(), Value::Object(Map::new()));
            }
        }
        Ok(())
    }
}

impl Call {
    /// Runs the call to its result.
    pub(crate) async fn run(self) -> Result<ToolResult, CallError> {
        let (client, mut request) = (self.client.clone(), self.to_request()?);
        client.add_tool_options(&mut request).await?;
        let mut sent = client.send_within(request.clone(), &self.deadline).await;
        if is_header_mismatch(&sent) {
            // The server did not begin the call, because the header parameters of the tool have changed. List the tools again.
            client.shared().cache.forget(crate::event::Change::Tools);
            client.tools().all().await?;
            client.add_tool_options(&mut request).await?;
            sent = client.send_within(request, &self.deadline).await;
        }
        let result = tasks::follow(&client, sent?, &self.deadline).await?;
        client.check_result(&self.tool, &result)
    }
}

impl Client {
    /// Parses the result of a tool, and validates its structured output.
    pub(crate) fn check_result(&self, tool: &str, result: &RawValue) -> Result<ToolResult, CallError> {
        let result: ToolResult = read("tools/call", result)?;
        if self.shared().options.validate_output
            && !result.is_error
            && let Some(known) = self.shared().tools.get(tool)
        {
            let checked = known.check_output(result.structured.as_deref());
            checked.map_err(|reason| CallError::Output { tool: tool.to_owned(), reason })?;
        }
        Ok(result)
    }
}

fn is_header_mismatch(sent: &Result<Box<RawValue>, CallError>) -> bool {
    matches!(sent, Err(CallError::Rpc(error)) if error.code == Code::HEADER_MISMATCH)
}
