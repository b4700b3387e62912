//! Nginx in front of three instances.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_core::serde_json::{Value, json};

use crate::client::{post, stateless};
use crate::services::{Instance, Services};

async fn three_instances() -> Option<(Services, [Instance; 3], PathBuf)> {
    let mut services = Services::start().await?;
    let instances = [services.instance().await, services.instance().await, services.instance().await];
    let socket = services.nginx(&instances).await;
    Some((services, instances, socket))
}

#[tokio::test]
async fn a_killed_instance_loses_no_idempotent_request() {
    let Some((_services, [mut first, second, third], socket)) = three_instances().await else { return };
    let pids = [first.pid(), second.pid(), third.pid()].map(|pid| pid.to_string());
    let (socket, answered) = (Arc::new(socket), Arc::new(AtomicUsize::new(0)));
    let (clients, calls) = (12, 25);
    let load: Vec<_> = (0..clients)
        .map(|client| {
            let (socket, answered) = (socket.clone(), answered.clone());
            tokio::spawn(async move {
                let mut served = HashSet::new();
                for call in 0..calls {
                    let number = client * 1000 + call;
                    let params = json!({"name": "double", "arguments": {"number": number}});
                    let answer = stateless(&socket, "tools/call", params).await;
                    assert_eq!(answer.status, 200, "{}", answer.body);
                    let (result, by) = answer.text().split_once(" by ").unwrap();
                    assert_eq!(result, (number * 2).to_string());
                    served.insert(by.to_owned());
                    answered.fetch_add(1, Ordering::SeqCst);
                }
                served
            })
        })
        .collect();
    while answered.load(Ordering::SeqCst) < 60 {
        tokio::task::yield_now().await;
    }
    first.kill().await;
    assert!(answered.load(Ordering::SeqCst) < clients * calls, "the instance must be killed during the load");
    let mut served = HashSet::new();
    for client in load {
        served.extend(client.await.unwrap());
    }
    assert_eq!(answered.load(Ordering::SeqCst), clients * calls);
    assert_eq!(served, HashSet::from(pids));
}

#[tokio::test]
async fn a_session_continues_on_the_remaining_instances() {
    let Some((_services, [mut first, mut second, _third], socket)) = three_instances().await else { return };
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"},
    }});
    let opened = post(&socket, &[], &hello).await;
    assert_eq!(opened.status, 200, "{}", opened.body);
    let session = opened.headers["mcp-session-id"].to_str().unwrap();
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for _ in 0..6 {
        let listed = post(&socket, &[("mcp-session-id", session)], &list).await;
        assert_eq!(listed.body["result"]["tools"][0]["name"], "double", "{}", listed.body);
    }
    first.kill().await;
    second.kill().await;
    let mut served = 0;
    for _ in 0..6 {
        // With a handshake, no header tells nginx which requests may be repeated, so requests to dead instances fail.
        let listed = post(&socket, &[("mcp-session-id", session)], &list).await;
        served += usize::from(listed.body["result"]["tools"][0]["name"] == "double");
    }
    assert!(served >= 2, "{served}");
    let unknown = post(&socket, &[("mcp-session-id", "0123456789abcdef0123456789abcdef")], &list).await;
    assert!([404, 502].contains(&unknown.status), "{}", unknown.status);
}

#[tokio::test]
async fn a_task_can_be_read_from_every_instance() {
    let Some((_services, instances, socket)) = three_instances().await else { return };
    let begun = stateless(&socket, "tools/call", json!({"name": "later"})).await;
    assert_eq!(begun.body["result"]["resultType"], "task", "{}", begun.body);
    let task = begun.body["result"]["taskId"].clone();
    let mut shown = 0;
    loop {
        let got = stateless(&socket, "tasks/get", json!({"taskId": task})).await;
        assert_eq!(got.status, 200, "{}", got.body);
        shown += 1;
        if got.body["result"]["status"] == "completed" && shown > instances.len() {
            assert_eq!(got.body["result"]["result"]["content"][0]["text"], "finished", "{}", got.body);
            break;
        }
    }
    let unknown = stateless(&socket, "tasks/get", json!({"taskId": "guess"})).await;
    assert_eq!(unknown.body["error"]["code"], -32602, "{}", unknown.body);
}

/// Starts a task, then sends some other requests, so that the next one goes to another instance.
async fn begin(socket: &Path, tool: &str, others: usize) -> Value {
    let begun = stateless(socket, "tools/call", json!({"name": tool})).await;
    for _ in 0..others {
        stateless(socket, "tools/list", json!({})).await;
    }
    begun.body["result"]["taskId"].clone()
}

/// Waits until the task has a status, and returns the task.
async fn wait_for(socket: &Path, task: &Value, status: &str) -> Value {
    loop {
        let got = stateless(socket, "tasks/get", json!({"taskId": task})).await;
        assert_eq!(got.status, 200, "{}", got.body);
        if got.body["result"]["status"] == status {
            return got.body["result"].clone();
        }
    }
}

#[tokio::test]
async fn a_task_can_be_cancelled_through_every_instance() {
    let Some((_services, instances, socket)) = three_instances().await else { return };
    for others in 0..instances.len() {
        let task = begin(&socket, "wait", others).await;
        let response = stateless(&socket, "tasks/cancel", json!({"taskId": task})).await;
        assert_eq!(response.body["result"]["resultType"], "complete", "{}", response.body);
        wait_for(&socket, &task, "cancelled").await;
    }
}

#[tokio::test]
async fn input_for_a_task_can_be_sent_to_every_instance() {
    let Some((_services, instances, socket)) = three_instances().await else { return };
    for others in 0..instances.len() {
        let task = begin(&socket, "sign", others).await;
        let asked = wait_for(&socket, &task, "input_required").await;
        let key = asked["inputRequests"].as_object().unwrap().keys().next().unwrap().clone();
        let answers = json!({key: {"action": "accept", "content": {"name": "Ada"}}});
        let response = stateless(&socket, "tasks/update", json!({"taskId": task, "inputResponses": answers})).await;
        assert_eq!(response.body["result"]["resultType"], "complete", "{}", response.body);
        let done = wait_for(&socket, &task, "completed").await;
        assert_eq!(done["result"]["content"][0]["text"], "Ada", "{done}");
    }
}

#[tokio::test]
async fn input_that_one_instance_requested_can_be_sent_to_another() {
    let Some((_services, mut instances, socket)) = three_instances().await else { return };
    let pids = instances.each_ref().map(Instance::pid);
    let greet = json!({"name": "greet"});
    let asked = stateless(&socket, "tools/call", greet.clone()).await;
    assert_eq!(asked.body["result"]["resultType"], "input_required", "{}", asked.body);
    let requests = asked.body["result"]["inputRequests"].as_object().unwrap();
    let key = requests.keys().next().unwrap();
    let mut again = greet;
    again["inputResponses"] = json!({key: {"action": "accept", "content": {"name": "Ada"}}});
    again["requestState"] = asked.body["result"]["requestState"].clone();
    // All instances can continue the call, also when two of them are dead.
    let mut served = HashSet::new();
    for _ in 0..6 {
        let answer = stateless(&socket, "tools/call", again.clone()).await;
        served.insert(answer.text().strip_prefix("Hello, Ada, by ").unwrap().to_owned());
    }
    assert_eq!(served, HashSet::from(pids.map(|pid| pid.to_string())));
    let (last, others) = instances.split_last_mut().unwrap();
    for other in others {
        other.kill().await;
    }
    let answer = stateless(&socket, "tools/call", again.clone()).await;
    assert_eq!(answer.text(), format!("Hello, Ada, by {}", last.pid()));
    again["requestState"] = json!("forged");
    let forged = stateless(&socket, "tools/call", again).await;
    assert_eq!(forged.body["error"]["code"], -32602, "{}", forged.body);
}
