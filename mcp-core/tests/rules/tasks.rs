//! Tasks in 2025-11-25 and 2026-07-28, and task tools in older revisions.

use std::time::Duration;

use mcp_core::task::{TaskSupport, Tasks, TasksInMemory};
use mcp_core::{AskError, Builder, Context, Server, ToolSpec, json_type, tool_fn};
use serde_json::{Value, json};

use crate::session::Peer;

const TASKS: &str = "io.modelcontextprotocol/tasks";

#[json_type]
struct Consent {
    yes: bool,
}

/// Asks the user a question. Returns whether the user agreed.
async fn consent(cx: &Context, question: &str) -> Result<bool, AskError> {
    Ok(cx.elicit::<Consent>(question).await?.accepted().is_some_and(|consent| consent.yes))
}

pub(crate) fn slow() -> Builder {
    let spec = |name: &'static str| ToolSpec::new(name, "Take long.");
    let optional = |name| spec(name).task_support(TaskSupport::Optional);
    let quick = tool_fn(spec("quick"), |_: Value, _: Context| async { "quick" });
    let count = tool_fn(optional("count"), |_: Value, cx: Context| async move {
        cx.progress(1, 2, "half way");
        futures_lite::future::yield_now().await;
        "counted"
    });
    let now = tool_fn(optional("now"), |_: Value, _: Context| async { "counted" });
    let wait = tool_fn(optional("wait"), |_: Value, cx: Context| async move {
        cx.cancelled().await;
    });
    let fail = tool_fn(spec("fail").task_support(TaskSupport::Required), |_: Value, _: Context| async {
        Err::<(), _>("the disk is full")
    });
    let delete = tool_fn(optional("delete"), |_: Value, cx: Context| async move {
        Ok::<_, AskError>(format!("deleted: {}", consent(&cx, "Delete it?").await?))
    });
    let both = tool_fn(optional("both"), |_: Value, cx: Context| async move {
        let (one, two) = (cx.keyed("who"), cx.keyed("who"));
        let asked = futures_lite::future::zip(consent(&one, "One?"), consent(&two, "Two?")).await;
        Ok::<_, AskError>(format!("{} {}", asked.0?, asked.1?))
    });
    let first = tool_fn(optional("first").asks_first(true), |_: Value, cx: Context| async move {
        let consent = consent(&cx, "Shall I begin?").await?;
        futures_lite::future::yield_now().await;
        Ok::<_, AskError>(format!("began: {consent}"))
    });
    let folders =
        tool_fn(optional("folders"), |_: Value, cx: Context| async move { Ok::<_, AskError>(cx.roots().await?.len()) });
    Server::builder("slow", "1.0.0").tools([quick, count, now, wait, fail, delete, both, first, folders])
}

/// A client of 2025-11-25 that can ask its user.
fn core(server: impl mcp_core::IntoServer) -> Peer {
    let mut peer = Peer::new(server);
    handshake(&mut peer);
    peer
}

fn handshake(peer: &mut Peer) {
    peer.ask("initialize", json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {"form": {}}}}));
}

/// Adds the `_meta` of a 2026-07-28 client that supports tasks and elicitation.
pub(crate) fn modern(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}, "extensions": {TASKS: {}}},
    });
    params
}

fn begin_core(peer: &mut Peer, tool: &str, task: Value) -> Value {
    peer.ask("tools/call", json!({"name": tool, "task": task}))["result"]["task"].take()
}

pub(crate) fn begin_modern(peer: &mut Peer, tool: &str) -> String {
    let result = peer.ask("tools/call", modern(json!({"name": tool})))["result"].take();
    assert_eq!((&result["resultType"], &result["status"]), (&json!("task"), &json!("working")), "{result}");
    result["taskId"].as_str().unwrap().to_owned()
}

pub(crate) fn get(peer: &mut Peer, id: &str) -> Value {
    peer.ask("tasks/get", modern(json!({"taskId": id})))["result"].take()
}

#[test]
fn task_support_is_announced_only_in_revisions_that_have_tasks() {
    let offered = |revision: &str| {
        let mut peer = Peer::new(slow());
        let params = json!({"protocolVersion": revision, "capabilities": {}});
        let capabilities = peer.ask("initialize", params)["result"]["capabilities"].take();
        let tools = peer.ask("tools/list", json!({}))["result"]["tools"].take();
        (capabilities["tasks"].clone(), tools[1]["execution"].clone(), tools[0].get("execution").is_some())
    };
    let tasks = json!({"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}});
    assert_eq!(offered("2025-11-25"), (tasks, json!({"taskSupport": "optional"}), false));
    for old in ["2024-11-05", "2025-03-26", "2025-06-18"] {
        assert_eq!(offered(old), (Value::Null, Value::Null, false));
    }
    let mut peer = Peer::new(slow());
    let capabilities = peer.ask("server/discover", modern(json!({})))["result"]["capabilities"].take();
    assert_eq!((&capabilities["extensions"], capabilities.get("tasks")), (&json!({TASKS: {}}), None));
    assert!(peer.ask("tools/list", modern(json!({})))["result"]["tools"][1].get("execution").is_none());

    let without = Server::builder("none", "1.0.0").tools(tool_fn(ToolSpec::new("a", "A."), |_: Value, _| async {}));
    let mut peer = core(without);
    for method in ["tasks/get", "tasks/list", "tasks/cancel", "tasks/result"] {
        assert_eq!(peer.ask(method, json!({"taskId": "1"}))["error"]["code"], -32601);
    }
    assert!(peer.ask("tools/call", json!({"name": "a", "task": {}}))["result"]["content"].is_array(), "it is ignored");
}

#[test]
fn a_revision_without_tasks_gets_the_result_of_the_call() {
    for old in ["2024-11-05", "2025-03-26", "2025-06-18"] {
        let mut peer = Peer::with_revision(old, slow());
        let result = peer.ask("tools/call", json!({"name": "fail", "task": {"ttl": 1}}))["result"].take();
        assert_eq!(result["content"][0]["text"], "the disk is full");
        assert_eq!(peer.ask("tasks/get", json!({"taskId": "1"}))["error"]["code"], -32601);
    }
}

#[test]
fn in_2025_11_25_the_client_requests_a_task_and_fetches_its_result() {
    let mut peer = core(slow());
    let task = begin_core(&mut peer, "count", json!({"ttl": 5000}));
    assert_eq!((&task["status"], &task["ttl"], &task["pollInterval"]), (&json!("working"), &json!(5000), &json!(500)));
    assert_eq!(task["createdAt"], "2026-07-28T12:00:00.000Z");
    let id = task["taskId"].as_str().unwrap();
    assert_eq!(id.len(), 32);

    let result = json!({"jsonrpc": "2.0", "id": "result", "method": "tasks/result", "params": {"taskId": id}});
    assert_eq!(peer.send(result.to_string()), None, "it waits");
    assert_eq!(peer.poll_spawned(), 1);
    assert_eq!(peer.ask("tasks/get", json!({"taskId": id}))["result"]["statusMessage"], "half way");
    assert_eq!(peer.poll_spawned(), 0);
    let answer: Value = serde_json::from_str(&peer.poll()[0]).unwrap();
    assert_eq!(answer["result"]["content"][0]["text"], "counted");
    assert_eq!(answer["result"]["_meta"], json!({"io.modelcontextprotocol/related-task": {"taskId": id}}));
    let notified = peer.notifications().pop().unwrap();
    assert_eq!(
        (&notified["method"], &notified["params"]["status"]),
        (&json!("notifications/tasks/status"), &json!("completed"))
    );
    assert_eq!(notified["params"]["taskId"], id);

    assert_eq!(peer.ask("tasks/get", json!({"taskId": id}))["result"]["status"], "completed");
    assert_eq!(peer.ask("tasks/result", json!({"taskId": id}))["result"]["content"][0]["text"], "counted", "again");
}

#[test]
fn in_2025_11_25_tools_declare_their_task_support() {
    let mut peer = core(slow());
    assert_eq!(peer.ask("tools/call", json!({"name": "quick", "task": {}}))["error"]["code"], -32601);
    assert_eq!(peer.ask("tools/call", json!({"name": "fail"}))["error"]["code"], -32601);
    assert_eq!(peer.ask("tools/call", json!({"name": "now"}))["result"]["content"][0]["text"], "counted");
    for wrong in [json!(7), json!({"ttl": "long"}), json!({"ttl": -1})] {
        assert_eq!(peer.ask("tools/call", json!({"name": "count", "task": wrong}))["error"]["code"], -32602);
    }
    let longest = begin_core(&mut peer, "count", json!({"ttl": 1_000_000_000_u64}));
    assert_eq!(longest["ttl"], 3_600_000, "an hour at most");
    assert_eq!(begin_core(&mut peer, "count", json!({}))["ttl"], 900_000);
}

#[test]
fn a_failing_tool_is_a_failed_task_in_2025_11_25_and_a_completed_one_in_2026_07_28() {
    let mut peer = core(slow());
    let id = begin_core(&mut peer, "fail", json!({}))["taskId"].as_str().unwrap().to_owned();
    assert_eq!(peer.poll_spawned(), 0);
    let task = peer.ask("tasks/get", json!({"taskId": id}))["result"].take();
    assert_eq!((&task["status"], &task["statusMessage"]), (&json!("failed"), &json!("the disk is full")));
    assert_eq!(peer.ask("tasks/result", json!({"taskId": id}))["result"]["isError"], true);

    let id = begin_modern(&mut peer, "fail");
    peer.poll_spawned();
    let task = get(&mut peer, &id);
    assert_eq!((&task["status"], &task["result"]["isError"]), (&json!("completed"), &json!(true)));
}

#[test]
fn in_2026_07_28_the_server_creates_the_task_and_the_task_has_the_result() {
    let mut peer = Peer::new(slow());
    let id = begin_modern(&mut peer, "count");
    assert_eq!(get(&mut peer, &id)["status"], "working");
    assert_eq!((peer.poll_spawned(), peer.poll_spawned()), (1, 0));
    let task = get(&mut peer, &id);
    assert_eq!((&task["status"], &task["resultType"]), (&json!("completed"), &json!("complete")));
    assert_eq!((&task["ttlMs"], &task["result"]["content"][0]["text"]), (&json!(900_000), &json!("counted")));
    assert_eq!(peer.notifications(), Vec::<Value>::new(), "nobody wanted to know");
    let quick = peer.ask("tools/call", modern(json!({"name": "quick", "task": {"ttl": 1}})))["result"].take();
    assert_eq!(quick["resultType"], "complete");
    for gone in ["tasks/result", "tasks/list"] {
        assert_eq!(peer.ask(gone, modern(json!({"taskId": id})))["error"]["code"], -32601);
    }
}

#[test]
fn in_2026_07_28_a_client_without_tasks_gets_the_result_or_an_error_with_the_missing_capability() {
    let mut peer = Peer::new(slow());
    let mut ask = |method: &str, mut params: Value| {
        params["_meta"] = crate::session::stateless();
        peer.ask(method, params)
    };
    assert_eq!(ask("tools/call", json!({"name": "now"}))["result"]["content"][0]["text"], "counted");
    let required = json!({"requiredCapabilities": {"extensions": {TASKS: {}}}});
    let listen = json!({"notifications": {"taskIds": ["1"]}});
    for (method, params) in [
        ("tools/call", json!({"name": "fail"})),
        ("tasks/get", json!({"taskId": "1"})),
        ("tasks/update", json!({"taskId": "1", "inputResponses": {}})),
        ("tasks/cancel", json!({"taskId": "1"})),
        ("subscriptions/listen", listen),
    ] {
        let error = ask(method, params)["error"].take();
        assert_eq!((&error["code"], &error["data"]), (&json!(-32021), &required), "{method}");
    }
}

#[test]
fn a_cancelled_task_stops_and_stays_cancelled() {
    let mut peer = core(slow());
    let id = begin_core(&mut peer, "wait", json!({}))["taskId"].as_str().unwrap().to_owned();
    assert_eq!(peer.poll_spawned(), 1);
    let cancelled = peer.ask("tasks/cancel", json!({"taskId": id}))["result"].take();
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(peer.poll_spawned(), 0, "nothing of it is left");
    assert_eq!(peer.ask("tasks/get", json!({"taskId": id}))["result"]["status"], "cancelled");
    assert_eq!(peer.ask("tasks/cancel", json!({"taskId": id}))["error"]["code"], -32602, "it is over");
    assert_eq!(peer.ask("tasks/result", json!({"taskId": id}))["error"]["code"], -32602);

    let id = begin_modern(&mut peer, "wait");
    for _ in 0..2 {
        let acknowledged = peer.ask("tasks/cancel", modern(json!({"taskId": id})))["result"].take();
        assert_eq!(acknowledged["resultType"], "complete");
        assert_eq!(peer.poll_spawned(), 0);
    }
    assert_eq!(get(&mut peer, &id)["status"], "cancelled");
}

#[test]
fn cancelling_the_request_does_not_cancel_its_task() {
    let mut peer = core(slow());
    let id = begin_core(&mut peer, "count", json!({}))["taskId"].as_str().unwrap().to_owned();
    peer.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"ask"}}"#);
    assert_eq!((peer.poll_spawned(), peer.poll_spawned()), (1, 0));
    assert_eq!(peer.ask("tasks/get", json!({"taskId": id}))["result"]["status"], "completed");
}

#[test]
fn running_and_finished_tasks_expire() {
    let mut peer = core(slow().tasks(Tasks::default().ttl(Duration::from_secs(5))));
    let done = begin_core(&mut peer, "count", json!({}))["taskId"].as_str().unwrap().to_owned();
    let running = begin_core(&mut peer, "wait", json!({}))["taskId"].as_str().unwrap().to_owned();
    assert_eq!((peer.poll_spawned(), peer.poll_spawned()), (2, 1));
    peer.advance_time(Duration::from_millis(4999));
    assert_eq!(peer.poll_spawned(), 1);
    assert_eq!(peer.ask("tasks/list", json!({}))["result"]["tasks"].as_array().unwrap().len(), 2);
    peer.advance_time(Duration::from_millis(1));
    assert_eq!(peer.poll_spawned(), 0);
    for id in [done, running] {
        assert_eq!(peer.ask("tasks/get", json!({"taskId": id}))["error"]["code"], -32602);
    }
    assert_eq!(peer.ask("tasks/list", json!({}))["result"]["tasks"], json!([]));
}

#[test]
fn only_the_owner_sees_a_task() {
    let server = slow().build().unwrap();
    let mut peer = core(server.clone());
    let id = begin_core(&mut peer, "wait", json!({}))["taskId"].as_str().unwrap().to_owned();
    let mut other = peer.on_same_host(server.clone());
    handshake(&mut other);
    for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
        assert_eq!(other.ask(method, json!({"taskId": id}))["error"]["code"], -32602, "{method}");
    }
    assert_eq!(other.ask("tasks/list", json!({}))["result"]["tasks"], json!([]));
    assert_eq!(peer.ask("tasks/get", json!({"taskId": id}))["result"]["status"], "working");

    // Without a session and a principal, whoever knows the id is the owner.
    let mut anna = peer.on_same_host(server.clone()).with_principal("anna");
    let id = begin_modern(&mut anna, "wait");
    assert_eq!(get(&mut anna.on_same_host(server.clone()).with_principal("anna"), &id)["status"], "working");
    for mut stranger in [peer.on_same_host(server.clone()).with_principal("bert"), peer.on_same_host(server.clone())] {
        assert_eq!(get(&mut stranger, &id), Value::Null);
        let update = modern(json!({"taskId": id, "inputResponses": {}}));
        assert_eq!(stranger.ask("tasks/update", update)["error"]["code"], -32602);
    }
}

#[test]
fn tasks_end_with_their_session() {
    let mut peer = core(slow());
    begin_core(&mut peer, "wait", json!({}));
    assert_eq!(peer.poll_spawned(), 1);
    peer.disconnect();
    assert_eq!(peer.poll_spawned(), 0);
}

#[test]
fn tasks_are_listed_in_pages() {
    let mut peer = core(slow().page_size(2));
    let ids: Vec<Value> = (0..3)
        .map(|_| {
            peer.advance_time(Duration::from_millis(1));
            begin_core(&mut peer, "wait", json!({}))["taskId"].take()
        })
        .collect();
    let page = peer.ask("tasks/list", json!({}))["result"].take();
    let listed =
        |page: &Value| page["tasks"].as_array().unwrap().iter().map(|task| task["taskId"].clone()).collect::<Vec<_>>();
    assert_eq!(listed(&page), ids[..2]);
    let page = peer.ask("tasks/list", json!({"cursor": page["nextCursor"]}))["result"].take();
    assert_eq!((listed(&page), page.get("nextCursor")), (ids[2..].to_vec(), None));
    assert_eq!(peer.ask("tasks/list", json!({"cursor": "elsewhere"}))["error"]["code"], -32602);
}

#[test]
fn the_number_and_size_of_tasks_are_limited() {
    let large = tool_fn(ToolSpec::new("large", "Say much.").task_support(TaskSupport::Required), |_: Value, _| async {
        "x".repeat(10_000)
    });
    let tasks = Tasks::default().store(TasksInMemory::new(2, 5_000));
    let mut peer = core(Server::builder("large", "1.0.0").tools(large).tasks(tasks));
    let id = begin_core(&mut peer, "large", json!({}))["taskId"].as_str().unwrap().to_owned();
    assert_eq!(peer.poll_spawned(), 0);
    assert_eq!(peer.ask("tasks/get", json!({"taskId": id}))["result"]["status"], "failed");
    assert_eq!(peer.ask("tasks/result", json!({"taskId": id}))["error"]["code"], -32603);
    assert!(begin_core(&mut peer, "large", json!({}))["taskId"].is_string());
    let refused = peer.ask("tools/call", json!({"name": "large", "task": {}}))["error"].take();
    assert_eq!(refused["code"], -32000, "{refused}");
    assert_eq!(peer.poll_spawned(), 0, "what was refused does not run");
}

#[test]
fn in_2025_11_25_a_question_is_sent_to_the_client_that_waits_for_the_result() {
    let mut peer = core(slow());
    let id = begin_core(&mut peer, "delete", json!({}))["taskId"].as_str().unwrap().to_owned();
    assert_eq!(peer.poll_spawned(), 1);
    let notified = peer.notifications();
    assert_eq!((notified.len(), &notified[0]["params"]["status"]), (1, &json!("input_required")));
    let result = json!({"jsonrpc": "2.0", "id": "result", "method": "tasks/result", "params": {"taskId": id}});
    assert_eq!(peer.send(result.to_string()), None);
    let question = peer.notifications().pop().unwrap();
    assert_eq!(question["method"], "elicitation/create");
    assert_eq!(question["params"]["_meta"]["io.modelcontextprotocol/related-task"]["taskId"], id);
    // The client that received the question disconnects. The next one that waits receives it again.
    peer.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"result"}}"#);
    peer.poll();
    assert_eq!(peer.send(result.to_string()), None);
    assert_eq!(peer.notifications(), std::slice::from_ref(&question));

    let answer = json!({"action": "accept", "content": {"yes": true}});
    peer.send(json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}).to_string());
    assert_eq!(peer.poll_spawned(), 0);
    let statuses: Vec<Value> = peer.notifications().iter().map(|notified| notified["params"]["status"].clone()).collect();
    assert_eq!(statuses, ["working", "completed"]);
    let answer: Value = serde_json::from_str(&peer.poll()[0]).unwrap();
    assert_eq!(answer["result"]["content"][0]["text"], "deleted: true");
}

#[test]
fn in_2026_07_28_a_task_shows_its_questions_and_takes_answers_one_by_one() {
    let mut peer = Peer::new(slow());
    let id = begin_modern(&mut peer, "both");
    assert_eq!(peer.poll_spawned(), 1);
    let task = get(&mut peer, &id);
    assert_eq!(task["status"], "input_required");
    let keys: Vec<String> = task["inputRequests"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["who", "who#2"], "no key is used twice");
    assert_eq!(task["inputRequests"]["who"]["params"]["message"], "One?");

    let mut update = |key: &str| {
        let responses = json!({key: {"action": "accept", "content": {"yes": true}}, "unknown": {}});
        let result = peer.ask("tasks/update", modern(json!({"taskId": id, "inputResponses": responses})))["result"].take();
        assert_eq!((&result["resultType"], result.get("taskId")), (&json!("complete"), None));
        peer.poll_spawned();
        get(&mut peer, &id)
    };
    let task = update("who");
    assert_eq!(task["status"], "input_required");
    assert_eq!(task["inputRequests"].as_object().unwrap().len(), 1);
    let task = update("who#2");
    assert_eq!(task["result"]["content"][0]["text"], "true true");
    assert_eq!(update("who")["status"], "completed", "a late answer is ignored");
}

#[test]
fn in_2026_07_28_a_tool_can_ask_before_it_becomes_a_task() {
    let mut peer = Peer::new(slow());
    let asked = peer.ask("tools/call", modern(json!({"name": "first"})))["result"].take();
    assert_eq!((&asked["resultType"], asked.get("taskId")), (&json!("input_required"), None));
    let key = asked["inputRequests"].as_object().unwrap().keys().next().unwrap();
    let responses = json!({key: {"action": "accept", "content": {"yes": true}}});
    let again = json!({"name": "first", "inputResponses": responses, "requestState": asked["requestState"]});
    let task = peer.ask("tools/call", modern(again))["result"].take();
    assert_eq!((&task["resultType"], task.get("requestState")), (&json!("task"), None));
    assert_eq!(peer.poll_spawned(), 0);
    assert_eq!(get(&mut peer, task["taskId"].as_str().unwrap())["result"]["content"][0]["text"], "began: true");
}

#[test]
fn a_rejected_task_request_is_not_in_flight() {
    let mut peer = Peer::new(slow());
    let forged = json!({"name": "first", "inputResponses": {}, "requestState": "0".repeat(32)});
    let refusal = peer.ask("tools/call", modern(forged));
    assert_eq!(refusal["error"]["code"], -32602, "{refusal}");
    assert_eq!(peer.in_flight(), 0);
}

#[test]
fn in_2026_07_28_a_task_that_ends_with_a_protocol_error_has_failed() {
    let mut peer = Peer::new(slow());
    let id = begin_modern(&mut peer, "folders");
    peer.poll_spawned();
    let task = get(&mut peer, &id);
    assert_eq!((&task["status"], &task["error"]["code"]), (&json!("failed"), &json!(-32021)), "{task}");
    assert!(task.get("result").is_none());
}

#[test]
fn in_2026_07_28_a_client_can_subscribe_to_the_status_of_its_tasks() {
    let server = slow().build().unwrap();
    let mut peer = Peer::new(server.clone());
    let id = begin_modern(&mut peer, "count");
    let wanted = modern(json!({"notifications": {"taskIds": [id, "of somebody else"]}}));
    let listen = json!({"jsonrpc": "2.0", "id": "s1", "method": "subscriptions/listen", "params": wanted});
    assert_eq!(peer.send(listen.to_string()), None);
    assert_eq!(peer.notifications()[0]["params"]["notifications"], json!({"taskIds": [id]}));
    assert_eq!((peer.poll_spawned(), peer.poll_spawned()), (1, 0));
    let notified = peer.notifications();
    assert_eq!((notified.len(), &notified[0]["method"]), (1, &json!("notifications/tasks")));
    let params = &notified[0]["params"];
    assert_eq!((&params["status"], &params["result"]["content"][0]["text"]), (&json!("completed"), &json!("counted")));
    assert_eq!(params["_meta"]["io.modelcontextprotocol/subscriptionId"], "s1");
}
