//! Tests that every request gets a response.

use super::*;
use crate::hook::{Hook, HookOutput, PreToolUse};
use crate::mount::{Manifest, Mount, Mounted, Mounts, ToCli};
use serde_json::json;
use serde_json::value::to_raw_value;

async fn answer(service: &Service, request: Value) -> Value {
    let answer = match service.serve(&RequestId::numbered(7), to_raw_value(&request).expect("serialises")) {
        Work::Done(answer) => answer,
        Work::Going(work) => work.await,
    };
    match answer {
        Answer::Success(raw) => serde_json::from_str(raw.get()).expect("json"),
        Answer::Mcp(response) => {
            json!({"mcp_response": serde_json::from_str::<Value>(&response.to_json()).expect("json")})
        }
        Answer::Error { message, code } => json!({"error": message, "code": code}),
        Answer::Elsewhere => json!("elsewhere"),
    }
}

fn service(callbacks: Callbacks) -> Service {
    let mounted = MountedServers::new(&Mounts::default(), |_, _| {});
    mounted.put("calc", &Echo, &crate::options::MountOptions::new());
    Service::new(callbacks, Arc::new(mounted))
}

/// A mounted server for these tests.
struct Echo;

/// The method name of a message selects the behaviour: respond now, respond later, no response, or panic.
struct Answering(Arc<dyn Mounted>);

impl Mount for Echo {
    fn manifest(&self) -> Result<Manifest, serde_json::Error> {
        Ok(Manifest { initialize_result: RawValue::NULL.to_owned(), tools_list_result: RawValue::NULL.to_owned() })
    }

    fn open(&self, to_cli: ToCli) -> Arc<dyn Mounted> {
        let server = mcp_core::Server::builder("echo", "1.0.0").build().expect("a valid server");
        Arc::new(Answering(server.open(to_cli)))
    }
}

impl Mounted for Answering {
    fn receive(&self, message: &RawValue) -> Received {
        let message: Value = serde_json::from_str(message.get()).expect("json");
        let ping = to_raw_value(&json!({"jsonrpc": "2.0", "id": message["id"], "method": "ping"})).expect("serialises");
        let Received::Now(response) = self.0.receive(&ping) else { panic!("a ping is answered at once") };
        match message["method"].as_str() {
            Some("now") => Received::Now(response),
            Some("later") => Received::Later(Box::pin(async move {
                tokio::task::yield_now().await;
                Some(response)
            })),
            Some("cancelled") => Received::Later(Box::pin(std::future::ready(None))),
            Some("panic") => panic!("now"),
            Some("panic later") => Received::Later(Box::pin(async { panic!("later") })),
            _ => Received::Nothing,
        }
    }
}

fn to_server(method: &str) -> Value {
    json!({"subtype": "mcp_message", "server_name": "calc", "message": {"jsonrpc": "2.0", "id": 0, "method": method}})
}

#[tokio::test]
async fn every_message_to_a_mounted_server_gets_a_response() {
    let service = service(Callbacks::default());
    let response = json!({"mcp_response": {"jsonrpc": "2.0", "id": 0, "result": {}}});
    assert_eq!(answer(&service, to_server("now")).await, response);
    assert_eq!(answer(&service, to_server("later")).await, response);
    assert_eq!(answer(&service, to_server("notification")).await, response, "the usual acknowledgement");
    assert_eq!(answer(&service, to_server("cancelled")).await["error"], "cancelled");
    assert_eq!(answer(&service, to_server("panic")).await["error"], "the mounted server panicked");
    assert_eq!(answer(&service, to_server("panic later")).await["error"], "the mounted server panicked");
}

#[tokio::test]
async fn unknown_requests_are_rejected_with_the_code_of_the_protocol() {
    let service = service(Callbacks::default());
    for request in [json!({"subtype": "new_thing"}), json!({}), json!(null), json!({"subtype": "can_use_tool"})] {
        assert_eq!(answer(&service, request).await["code"], "unsupported_request");
    }
    let elsewhere = json!({"subtype": "mcp_message", "server_name": "other", "message": {}});
    assert!(answer(&service, elsewhere).await["error"].is_string());
}

#[tokio::test]
async fn a_panic_in_the_permission_callback_denies_the_tool_use() {
    let panics = Callback::new(|ask: Ask| async move {
        assert!(ask.tool_name.is_empty(), "asked for {}", ask.tool_name);
        Decision::allow()
    });
    let service = service(Callbacks { permission: Some(panics), ..Callbacks::default() });
    let asked = answer(&service, json!({"subtype": "can_use_tool", "tool_name": "Bash"})).await;
    assert_eq!(asked["behavior"], "deny");
    let asked = answer(&service, json!({"subtype": "can_use_tool"})).await;
    assert_eq!(asked["behavior"], "allow");
}

#[tokio::test]
async fn a_panicking_hook_and_an_unknown_hook_give_errors() {
    let mut hooks = Hooks::default();
    hooks.add(Hook::<PreToolUse>::new(), |call| async move {
        assert_eq!(call.tool_name, "good");
        HookOutput::<PreToolUse>::pass()
    });
    let service = service(Callbacks { hooks, ..Callbacks::default() });
    let call = |id: &str, tool: &str| json!({"subtype": "hook_callback", "callback_id": id, "input": {"tool_name": tool}});
    assert_eq!(answer(&service, call("hook_0", "good")).await, json!({}));
    assert_eq!(answer(&service, call("hook_0", "bad")).await["error"], "the hook callback panicked");
    assert!(answer(&service, call("hook_1", "good")).await["error"].is_string());
}

#[tokio::test]
async fn without_a_callback_elicitations_are_declined_and_dialogs_cancelled() {
    let service = service(Callbacks::default());
    assert_eq!(answer(&service, json!({"subtype": "elicitation"})).await, json!({"action": "decline"}));
    assert_eq!(answer(&service, json!({"subtype": "request_user_dialog"})).await, json!({"behavior": "cancelled"}));
}

#[tokio::test]
async fn other_requests_can_have_a_callback() {
    let other = Callback::new(|request: ControlRequest| async move { request.field::<Value>("x").ok_or("no x".to_owned()) });
    let service = service(Callbacks { other: Some(other), ..Callbacks::default() });
    assert_eq!(answer(&service, json!({"subtype": "oauth_token_refresh", "x": {"a": 1}})).await, json!({"a": 1}));
    assert_eq!(answer(&service, json!({"subtype": "oauth_token_refresh"})).await["error"], "no x");
}
