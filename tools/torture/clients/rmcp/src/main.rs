//! The client of rmcp that `hostile_servers.py` controls. See `examples/client.rs` of this package.

use std::future::Future;
use std::io::{BufRead as _, Write as _};
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, Implementation, ProtocolVersion,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RequestContext, RunningService};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientHandler, ErrorData, RoleClient};
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::task::JoinSet;

/// rmcp has no time limit of its own, so the program sets one, as any program that uses it has to.
const LIMIT: Duration = Duration::from_secs(3);

struct Handler {
    config: ClientConfig,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> impl Future<Output = Result<ElicitResult, ErrorData>> + Send + '_ {
        std::future::ready(Ok(serde_json::from_value(json!({"action": "accept", "content": {}})).expect("a valid answer")))
    }
}

type Client = RunningService<RoleClient, Handler>;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut client: Option<Arc<Client>> = None;
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("commands are text");
        let (command, count) = line.split_once(' ').unwrap_or((&line, "0"));
        let outcome = match (command, &client) {
            ("connect", _) => match limited(connect(&arguments)).await {
                Ok(connected) => {
                    client = Some(Arc::new(connected));
                    Ok(json!(true))
                }
                Err(error) => Err(error),
            },
            ("call", Some(client)) => call(client, json!({})).await,
            ("calls", Some(client)) => Ok(calls(client, count.parse().expect("a number")).await),
            ("list", Some(client)) => {
                limited(async { client.list_all_tools().await.map_err(|error| error.to_string()) })
                    .await
                    .map(|tools| json!(tools.len()))
            }
            ("close", Some(_)) => match client.take().and_then(Arc::into_inner) {
                Some(client) => client.cancel().await.map(|_| json!(true)).map_err(|error| error.to_string()),
                None => Err("the client is in use".to_owned()),
            },
            _ => Err(format!("`{command}` is impossible")),
        };
        let line = match outcome {
            Ok(value) => json!({"ok": value}),
            Err(error) => json!({"error": error.chars().take(300).collect::<String>(), "length": error.len()}),
        };
        println!("{line}");
        let _ = std::io::stdout().flush();
    }
}

async fn limited<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    tokio::time::timeout(LIMIT, work).await.unwrap_or_else(|_| Err("timeout".to_owned()))
}

async fn connect(arguments: &[String]) -> Result<Client, String> {
    let capabilities: ClientCapabilities = serde_json::from_value(json!({"elicitation": {"form": {}}})).expect("valid");
    let config = ClientConfig::new(capabilities, Implementation::new("hostile", "1"));
    let lifecycle = match arguments[0].as_str() {
        "stateless" => ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] },
        _ => ClientLifecycleMode::Initialize,
    };
    let version = if arguments[0] == "stateless" { "2026-07-28" } else { "2025-11-25" };
    let version: ProtocolVersion = serde_json::from_value(json!(version)).expect("a revision is a string");
    let handler = Handler { config: config.with_protocol_version(version) };
    if arguments[1].starts_with("http") {
        let transport = StreamableHttpClientTransport::from_uri(arguments[1].clone());
        return handler.serve_with_lifecycle(transport, lifecycle).await.map_err(|error| error.to_string());
    }
    let mut command = Command::new(&arguments[1]);
    command.args(&arguments[2..]);
    let transport = TokioChildProcess::new(command).map_err(|error| error.to_string())?;
    handler.serve_with_lifecycle(transport, lifecycle).await.map_err(|error| error.to_string())
}

async fn call(client: &Client, arguments: Value) -> Result<Value, String> {
    let arguments = arguments.as_object().expect("an object").clone();
    let asked = CallToolRequestParams::new("t").with_arguments(arguments);
    let result = limited(async { client.call_tool(asked).await.map_err(|error| error.to_string()) }).await?;
    let text: String = result.content.iter().filter_map(|block| block.as_text()).map(|text| text.text.as_str()).collect();
    Ok(json!(text))
}

/// Makes many calls at once. Returns how many of them failed.
async fn calls(client: &Arc<Client>, count: usize) -> Value {
    let mut calls = JoinSet::new();
    for _ in 0..count {
        let client = client.clone();
        calls.spawn(async move { call(&client, json!({"text": "x".repeat(1000)})).await });
    }
    json!(calls.join_all().await.into_iter().filter(Result::is_err).count())
}
