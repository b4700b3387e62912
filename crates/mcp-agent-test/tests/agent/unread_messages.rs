//! A program that does not read its messages: memory is bounded, and requests of the CLI are answered.

use mcp_agent::{Agent, Decision, Error, Handle, Message, Messages, Unread};
use mcp_agent_test::ManualCli;
use serde_json::{Value, json};

/// Opens a session with a CLI that the test controls.
async fn open(unread: Unread) -> (Handle, Messages, ManualCli) {
    let (transport, mut cli) = ManualCli::new();
    let agent = Agent::new().transport(transport).unread(unread).permission(|_| async { Decision::deny("no") });
    let opening = tokio::spawn(agent.open());
    let request = line(&mut cli).await;
    let reply = json!({"subtype": "success", "request_id": request["request_id"]});
    cli.send_line(json!({"type": "control_response", "response": reply}).to_string());
    let (handle, messages) = opening.await.unwrap().unwrap().split();
    (handle, messages, cli)
}

async fn line(cli: &mut ManualCli) -> Value {
    serde_json::from_slice(&cli.next_line().await.expect("a line")).expect("JSON")
}

fn text(number: usize, length: usize) -> String {
    let content = json!([{"type": "text", "text": format!("{number} {}", "x".repeat(length))}]);
    json!({"type": "assistant", "message": {"content": content}}).to_string()
}

/// Asks for permission, and waits for the answer.
async fn ask(cli: &mut ManualCli, id: usize) {
    let request = json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {}, "tool_use_id": "t"});
    cli.send_line(json!({"type": "control_request", "request_id": id.to_string(), "request": request}).to_string());
    let answer = line(cli).await;
    assert_eq!((&answer["type"], &answer["response"]["request_id"]), (&json!("control_response"), &json!(id.to_string())));
}

// Not on Windows: it is read from /proc.
#[cfg(target_os = "linux")]
fn memory() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

// Not on Windows: memory is read from /proc.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn unread_messages_use_bounded_memory_and_none_is_lost() {
    const COUNT: usize = 600;
    let (_handle, mut messages, mut cli) = open(Unread::spill().memory(4 << 20)).await;
    let before = memory();
    for number in 0..COUNT {
        cli.send_line(text(number, 100_000));
        // The answer also shows that everything before it was read from the CLI.
        if number % 20 == 0 {
            ask(&mut cli, number).await;
        }
    }
    let used = memory().saturating_sub(before);
    assert!(used < 40 << 20, "{used} bytes for {} bytes of messages", COUNT * 100_000);
    for number in 0..COUNT {
        let message = next_text(&mut messages).await;
        assert!(message.starts_with(&format!("{number} ")), "{number}: {:.20}", message);
    }
}

#[tokio::test]
async fn partial_messages_are_dropped_first_and_counted() {
    let (_handle, mut messages, mut cli) = open(Unread::spill().memory(100_000)).await;
    let delta =
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x".repeat(1000)}});
    for number in 0..1000 {
        cli.send_line(json!({"type": "stream_event", "event": delta}).to_string());
        if number % 100 == 0 {
            cli.send_line(text(number, 10));
        }
    }
    ask(&mut cli, 1).await;
    assert!(messages.dropped_partials() > 900, "{}", messages.dropped_partials());
    for number in (0..1000).step_by(100) {
        assert!(next_text(&mut messages).await.starts_with(&format!("{number} ")));
    }
}

#[tokio::test]
async fn the_turn_is_interrupted_if_the_program_says_so() {
    let (_handle, mut messages, mut cli) = open(Unread::interrupt().memory(10_000)).await;
    (0..20).for_each(|number| cli.send_line(text(number, 600)));
    let request = line(&mut cli).await;
    assert_eq!(request["request"]["subtype"], "interrupt");
    ask(&mut cli, 1).await;
    for number in 0..20 {
        assert!(next_text(&mut messages).await.starts_with(&format!("{number} ")));
    }
}

#[tokio::test]
async fn a_session_that_floods_after_its_interrupt_ends_with_an_error() {
    let (_handle, mut messages, cli) = open(Unread::interrupt().memory(10_000)).await;
    (0..100).for_each(|number| cli.send_line(text(number, 600)));
    let error = loop {
        match messages.next().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the session ended without an error"),
            Err(error) => break error,
        }
    };
    let Error::Ended(ended) = &error else { panic!("{error}") };
    assert!(ended.source.as_ref().unwrap().to_string().contains("not read"), "{ended:?}");
}

/// Returns the text of the next message of the model.
async fn next_text(messages: &mut Messages) -> String {
    loop {
        if let Message::Assistant(message) = messages.next().await.unwrap().expect("a message") {
            return message.message.content.text().unwrap().to_owned();
        }
    }
}
