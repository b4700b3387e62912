//! Partial messages that were left out, because they were not read in time.

use std::sync::Mutex;

use mcp_agent::{Agent, Decision, Unread, random_uuid};
use mcp_agent_test::ManualCli;
use mcp_agent_web::{Hub, Update, Watch};
use serde_json::{Value, json};

use crate::shared_store::SharedStore;
use crate::support::{event, names, prompt, transcript, until};

const PARTIALS: usize = 100;

/// Reads lines until one has this type.
async fn line_of(cli: &mut ManualCli, kind: &str) -> Value {
    loop {
        let line: Value = serde_json::from_slice(&cli.next_line().await.expect("a line")).expect("JSON");
        if line["type"] == kind {
            return line;
        }
    }
}

/// Runs a turn in which the store is slow while the CLI writes many partial messages. Then the CLI exits.
async fn turn_with_a_slow_store(mut cli: ManualCli, store: &SharedStore, watch: &mut Watch) -> Vec<Update> {
    let request = line_of(&mut cli, "control_request").await;
    let reply = json!({"subtype": "success", "request_id": request["request_id"]});
    cli.send_line(json!({"type": "control_response", "response": reply}).to_string());
    line_of(&mut cli, "user").await;
    store.is_slow.send_replace(true);
    let delta =
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x".repeat(1000)}});
    let partial = json!({"type": "stream_event", "session_id": "s", "event": delta}).to_string();
    (0..PARTIALS).for_each(|_| cli.send_line(partial.clone()));
    // The answer shows that everything before the request was read from the CLI.
    let ask = json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {}, "tool_use_id": "t"});
    cli.send_line(json!({"type": "control_request", "request_id": "1", "request": ask}).to_string());
    line_of(&mut cli, "control_response").await;
    drop(cli);
    store.is_slow.send_replace(false);
    until(watch, "claude.turn_end").await
}

fn count(seen: &[Update], name: &str) -> usize {
    names(seen).iter().filter(|seen| seen.starts_with(name)).count()
}

#[tokio::test]
async fn dropped_partial_messages_are_counted_over_all_sessions_of_a_chat() {
    let store = SharedStore::default();
    let ((first, first_cli), (second, second_cli)) = (ManualCli::new(), ManualCli::new());
    let transports = Mutex::new(vec![second, first]);
    let hub = Hub::builder(move |_| {
        let transport = transports.lock().unwrap().pop().expect("two sessions");
        let unread = Unread::spill().memory(20_000);
        Agent::new().transport(transport).unread(unread).permission(|_| async { Decision::deny("no") })
    });
    let hub = hub.store(store.clone()).build();
    let chat = random_uuid();
    let (mut watch, mut seen) = (hub.watch(&chat, None).await.unwrap(), Vec::new());
    for cli in [first_cli, second_cli] {
        hub.send(&chat, prompt("Talk.")).await.unwrap();
        let turn = turn_with_a_slow_store(cli, &store, &mut watch).await;
        assert!(count(&turn, "chat.dropped") > 0, "{:?}", names(&turn));
        seen.extend(turn);
    }
    let reported = seen.iter().rev().find_map(|update| match update {
        Update::Event { data, .. } => Some(event(data)).filter(|event| event.name == "chat.dropped"),
        _ => None,
    });
    let reported: Value = serde_json::from_str(reported.unwrap().raw.get()).unwrap();
    let dropped = 2 * PARTIALS - count(&seen, "claude.stream_event");
    assert_eq!((&reported["partials"], transcript(&seen).dropped_partials), (&json!(dropped), dropped as u64));
}
