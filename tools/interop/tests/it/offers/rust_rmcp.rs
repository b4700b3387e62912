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

use super::{assert_asked, assert_offered, place};
use crate::{HANDSHAKE, STATELESS};

const VERSION: &str = "3.8.0";
const WATCHED: &str = "test://watched-resource";

/// A client that answers, and writes down what it is told.
#[derive(Clone)]
struct Answering {
    config: ClientConfig,
    told: Arc<Told>,
}

#[derive(Default)]
struct Told {
    progress: Mutex<Vec<(f64, Option<f64>)>>,
    changes: Mutex<Vec<&'static str>>,
    more: Notify,
}

impl Told {
    fn change(&self, what: &'static str) {
        self.changes.lock().unwrap().push(what);
        self.more.notify_one();
    }
}

impl ClientHandler for Answering {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> impl Future<Output = Result<ElicitResult, ErrorData>> + Send + '_ {
        let account = json!({"username": "ada", "email": "ada@example.com"});
        std::future::ready(Ok(made(json!({"action": "accept", "content": account}))))
    }

    fn create_message(
        &self,
        _: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> impl Future<Output = Result<CreateMessageResult, ErrorData>> + Send + '_ {
        let content = json!({"type": "text", "text": "from the client's model"});
        std::future::ready(Ok(made(json!({"role": "assistant", "model": "none", "content": content}))))
    }

    fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) -> impl Future<Output = ()> + Send + '_ {
        self.told.progress.lock().unwrap().push((params.progress, params.total));
        std::future::ready(())
    }

    fn on_resource_updated(
        &self,
        _: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) -> impl Future<Output = ()> + Send + '_ {
        self.told.change("resource");
        std::future::ready(())
    }

    fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) -> impl Future<Output = ()> + Send + '_ {
        self.told.change("tools");
        std::future::ready(())
    }
}

#[test]
fn the_rust_sdk_has_all_that_is_offered_in_both_eras() {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    for (lifecycle, revision) in
        [(ClientLifecycleMode::Initialize, HANDSHAKE), (ClientLifecycleMode::Discover { preferred_versions }, STATELESS)]
    {
        let place = place(&format!("offers-rmcp-{revision}"));
        let [witness, arguments @ ..] = place.server();
        let mut command = Command::from(place.command(witness.as_ref()));
        command.args(arguments);
        let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let seen = runtime.block_on(async {
            let seen = visit(command, lifecycle, revision);
            time::timeout(Duration::from_secs(180), seen).await.expect("the client runs to its end")
        });
        assert_offered(&seen, VERSION, revision);
        assert_asked(&place, revision);
    }
}

async fn visit(command: Command, lifecycle: ClientLifecycleMode, revision: &str) -> Value {
    let capabilities = made(json!({"elicitation": {"form": {}}, "sampling": {}}));
    let config = ClientConfig::new(capabilities, Implementation::new("interop-rmcp", "1.0.0"))
        .with_protocol_version(made(json!(revision)));
    let told = Arc::new(Told::default());
    let handler = Answering { config, told: told.clone() };
    let transport = TokioChildProcess::new(command).expect("the server starts");
    let client = handler.serve_with_lifecycle(transport, lifecycle).await.expect("the server opens");
    let peer = client.peer_info().expect("the server introduces itself");

    let read: ReadResourceRequestParams = made(json!({"uri": "test://template/7/data"}));
    let filled = json!({"name": "test_prompt_with_arguments", "arguments": {"arg1": "one", "arg2": "two"}});
    let filled: GetPromptRequestParams = made(filled);
    let completion = client.complete_prompt_simple("test_prompt_with_arguments", "arg1", "par").await;
    let resources = json!(client.list_all_resources().await.expect("resources"));
    let templates = json!(client.list_all_resource_templates().await.expect("templates"));
    let prompts = json!(client.list_all_prompts().await.expect("prompts"));
    let mut seen = json!({
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
    seen["progress"] = json!(*told.progress.lock().unwrap());
    seen["changes"] = changes(&client, &told, revision).await;
    client.cancel().await.expect("the client closes");
    seen
}

/// What comes of it that a resource and the tools change.
async fn changes(client: &RunningService<RoleClient, Answering>, told: &Told, revision: &str) -> Value {
    let mut stream = None;
    if revision < STATELESS {
        let subscribe = json!({"method": "resources/subscribe", "params": {"uri": WATCHED}});
        let subscribe: ClientRequest = made(subscribe);
        client.send_request(subscribe).await.expect("the server takes the subscription");
    } else {
        let wanted: SubscriptionFilter = made(json!({"toolsListChanged": true, "resourceSubscriptions": [WATCHED]}));
        stream = Some(client.listen(wanted).await.expect("the server acknowledges the stream"));
    }
    text(client, "touch_watched_resource", json!({})).await;
    text(client, "test_trigger_tool_change", json!({})).await;
    while told.changes.lock().unwrap().len() < 2 {
        match &mut stream {
            None => told.more.notified().await,
            Some(stream) => match stream.next().await.expect("the stream is open") {
                Some(ServerNotification::ResourceUpdatedNotification(_)) => told.change("resource"),
                Some(ServerNotification::ToolListChangedNotification(_)) => told.change("tools"),
                other => panic!("something else came: {other:?}"),
            },
        }
    }
    json!(*told.changes.lock().unwrap())
}

async fn text(client: &RunningService<RoleClient, Answering>, name: &'static str, arguments: Value) -> Value {
    let arguments = arguments.as_object().expect("arguments are an object").clone();
    let result = client.call_tool(CallToolRequestParams::new(name).with_arguments(arguments)).await;
    json!(result.expect("the server answers"))["content"][0]["text"].take()
}

fn each(all: &Value, key: &str) -> Vec<Value> {
    all.as_array().into_iter().flatten().map(|one| one[key].clone()).collect()
}

fn made<T: DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json).expect("the client knows its own words")
}
