//! crates.io `rmcp`, the official Rust SDK.
#![expect(deprecated, reason = "sampling is deprecated in rmcp, and exists in the revisions before that")]

use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, ClientConfig, ClientRequest, CreateMessageRequestParams, CreateMessageResult,
    ElicitRequestParams, ElicitResult, GetPromptRequestParams, Implementation, ProgressNotificationParam, ProtocolVersion,
    ReadResourceRequestParams, ResourceUpdatedNotificationParam, ServerNotification, SubscriptionFilter,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, NotificationContext, RequestContext, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, ErrorData, RoleClient};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::{process::Command, runtime, time};

use super::{assert_features, assert_requests, everything_sandbox};
use crate::{HANDSHAKE, STATELESS};

const VERSION: &str = "3.8.0";
const WATCHED: &str = "test://watched-resource";

/// A client that answers requests and stores notifications.
#[derive(Clone)]
struct FeatureClient {
    config: ClientConfig,
    notifications: Arc<Notifications>,
}

#[derive(Default)]
struct Notifications {
    progress: Mutex<Vec<(f64, Option<f64>)>>,
    changes: Mutex<Vec<&'static str>>,
    more: Notify,
}

impl Notifications {
    fn change(&self, what: &'static str) {
        self.changes.lock().unwrap().push(what);
        self.more.notify_one();
    }
}

impl ClientHandler for FeatureClient {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> impl Future<Output = Result<ElicitResult, ErrorData>> + Send + '_ {
        let account = json!({"username": "ada", "email": "ada@example.com"});
        std::future::ready(Ok(parse(json!({"action": "accept", "content": account}))))
    }

    fn create_message(
        &self,
        _: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> impl Future<Output = Result<CreateMessageResult, ErrorData>> + Send + '_ {
        let content = json!({"type": "text", "text": "from the client's model"});
        std::future::ready(Ok(parse(json!({"role": "assistant", "model": "none", "content": content}))))
    }

    fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) -> impl Future<Output = ()> + Send + '_ {
        self.notifications.progress.lock().unwrap().push((params.progress, params.total));
        std::future::ready(())
    }

    fn on_resource_updated(
        &self,
        _: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) -> impl Future<Output = ()> + Send + '_ {
        self.notifications.change("resource");
        std::future::ready(())
    }

    fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) -> impl Future<Output = ()> + Send + '_ {
        self.notifications.change("tools");
        std::future::ready(())
    }
}

#[test]
fn the_rust_sdk_uses_every_feature_with_and_without_a_handshake() {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    for (lifecycle, revision) in
        [(ClientLifecycleMode::Initialize, HANDSHAKE), (ClientLifecycleMode::Discover { preferred_versions }, STATELESS)]
    {
        let sandbox = everything_sandbox(&format!("features-rmcp-{revision}"));
        let [recorder, arguments @ ..] = sandbox.server();
        let mut command = Command::from(sandbox.command(recorder.as_ref()));
        command.args(arguments);
        let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let report = runtime.block_on(async {
            let client = run_client(command, lifecycle, revision);
            time::timeout(Duration::from_secs(180), client).await.expect("the client finishes")
        });
        assert_features(&report, VERSION, revision);
        assert_requests(&sandbox, revision);
    }
}

async fn run_client(command: Command, lifecycle: ClientLifecycleMode, revision: &str) -> Value {
    let capabilities = parse(json!({"elicitation": {"form": {}}, "sampling": {}}));
    let config = ClientConfig::new(capabilities, Implementation::new("interop-rmcp", "1.0.0"))
        .with_protocol_version(parse(json!(revision)));
    let notifications = Arc::new(Notifications::default());
    let handler = FeatureClient { config, notifications: notifications.clone() };
    let transport = TokioChildProcess::new(command).expect("the server starts");
    let client = handler.serve_with_lifecycle(transport, lifecycle).await.expect("the server accepts the connection");
    let peer = client.peer_info().expect("the server sends its name");

    let read: ReadResourceRequestParams = parse(json!({"uri": "test://template/7/data"}));
    let filled = json!({"name": "test_prompt_with_arguments", "arguments": {"arg1": "one", "arg2": "two"}});
    let filled: GetPromptRequestParams = parse(filled);
    let completion = client.complete_prompt_simple("test_prompt_with_arguments", "arg1", "par").await;
    let resources = json!(client.list_all_resources().await.expect("resources"));
    let templates = json!(client.list_all_resource_templates().await.expect("templates"));
    let prompts = json!(client.list_all_prompts().await.expect("prompts"));
    let mut report = json!({
        "client": VERSION,
        "revision": peer.protocol_version,
        "resources": each(&resources, "uri"),
        "templates": each(&templates, "uriTemplate"),
        "read": json!(client.read_resource(read).await.expect("a resource"))["contents"][0]["text"],
        "prompts": each(&prompts, "name"),
        "prompt": json!(client.get_prompt(filled).await.expect("a prompt"))["messages"][0]["content"]["text"],
        "completion": completion.expect("completions"),
        "elicited": text(&client, "test_elicitation", json!({"message": "Who are you?"})).await,
        "sampled": text(&client, "test_sampling", json!({"prompt": "Say something."})).await,
        "progressed": text(&client, "test_tool_with_progress", json!({})).await,
    });
    report["progress"] = json!(*notifications.progress.lock().unwrap());
    report["changes"] = changes(&client, &notifications, revision).await;
    client.cancel().await.expect("the client closes");
    report
}

/// Subscribes, changes a resource and the tools, and returns the notifications.
async fn changes(
    client: &RunningService<RoleClient, FeatureClient>,
    notifications: &Notifications,
    revision: &str,
) -> Value {
    let mut stream = None;
    if revision < STATELESS {
        let subscribe = json!({"method": "resources/subscribe", "params": {"uri": WATCHED}});
        let subscribe: ClientRequest = parse(subscribe);
        client.send_request(subscribe).await.expect("the server accepts the subscription");
    } else {
        let wanted: SubscriptionFilter = parse(json!({"toolsListChanged": true, "resourceSubscriptions": [WATCHED]}));
        stream = Some(client.listen(wanted).await.expect("the server acknowledges the stream"));
    }
    text(client, "touch_watched_resource", json!({})).await;
    text(client, "test_trigger_tool_change", json!({})).await;
    while notifications.changes.lock().unwrap().len() < 2 {
        match &mut stream {
            None => notifications.more.notified().await,
            Some(stream) => match stream.next().await.expect("the stream is open") {
                Some(ServerNotification::ResourceUpdatedNotification(_)) => notifications.change("resource"),
                Some(ServerNotification::ToolListChangedNotification(_)) => notifications.change("tools"),
                other => panic!("unexpected notification: {other:?}"),
            },
        }
    }
    json!(*notifications.changes.lock().unwrap())
}

async fn text(client: &RunningService<RoleClient, FeatureClient>, name: &'static str, arguments: Value) -> Value {
    let arguments = arguments.as_object().expect("arguments are an object").clone();
    let result = client.call_tool(CallToolRequestParams::new(name).with_arguments(arguments)).await;
    json!(result.expect("the server responds"))["content"][0]["text"].take()
}

fn each(all: &Value, key: &str) -> Vec<Value> {
    all.as_array().into_iter().flatten().map(|one| one[key].clone()).collect()
}

fn parse<T: DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json).expect("the JSON matches the type of the client")
}
