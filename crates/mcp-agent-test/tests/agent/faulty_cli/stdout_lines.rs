//! Valid, invalid and unknown lines on the standard output of a CLI.

use mcp_agent::{Error, Message};
use mcp_agent_test::{Script, ScriptedCli};
use serde_json::{Value, json};

use super::{in_memory, messages, program, with_program};
use crate::test_setup::within;

fn text(text: &str) -> Value {
    json!({"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}})
}

#[tokio::test]
async fn lines_that_are_not_frames_are_skipped() {
    let script = Script::new()
        .line("[SandboxDebug] starting")
        .line("")
        .line("null")
        .line("[1, 2]")
        .line("\"text\"")
        .line("{\"type\":")
        .raw(b"\xff\xfe\n".to_vec())
        .raw(b"\0\n".to_vec())
        .initialize()
        .line("{}")
        .line("{\"type\": 7}")
        .line("{\"type\": \"control_response\"}")
        .line("{\"type\": \"control_response\", \"response\": {\"subtype\": \"success\", \"request_id\": \"nobody's\"}}")
        .prompt()
        .text("still here")
        .result("done");
    let cli = ScriptedCli::new(script);
    let mut session = within(in_memory(&cli).open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    let heard = messages(&mut session).await.unwrap();
    assert!(heard.iter().any(|message| message.text() == Some("still here")));
}

#[tokio::test]
async fn unknown_message_types_are_kept_unchanged() {
    let odd = [
        json!({"type": "from_the_future", "deep": {"er": [1, 2.5, null]}}),
        json!({"type": "system", "subtype": "from_the_future", "x": "y"}),
        json!({"type": "assistant", "message": {"content": [{"type": "hologram", "data": 1}]}}),
        json!({"type": "user", "message": {"content": "a string"}}),
        json!({"type": "result_of_sorts"}),
    ];
    let script = odd.iter().fold(Script::new().initialize().prompt(), |script, frame| script.emit(frame.clone()));
    let cli = ScriptedCli::new(script.result("done"));
    let mut session = within(in_memory(&cli).open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    let heard = messages(&mut session).await.unwrap();
    let heard: Vec<Value> = heard.iter().map(|message| serde_json::to_value(message).unwrap()).collect();
    for frame in &odd {
        assert!(heard.contains(frame), "{frame}");
    }
}

#[tokio::test]
async fn text_is_complete_for_any_split_of_a_line_into_writes() {
    let long = format!("  {}\u{2028}\u{85}\r\u{b}ü  ", "white  space ".repeat(20_000));
    let line = format!("{}\n", text(&long));
    let script = line
        .as_bytes()
        .chunks(65_536 - 1)
        .fold(Script::new().initialize().prompt(), |script, chunk| script.raw(chunk.to_vec()));
    let two_at_once = format!("{}\r\n{}\n", text("two"), text("at once"));
    let cli = program(script.raw(two_at_once).result("done"));
    let mut session = within(with_program(&cli).open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    let heard = messages(&mut session).await.unwrap();
    let texts: Vec<&str> = heard.iter().filter_map(Message::text).collect();
    assert_eq!(texts, [long.as_str(), "two", "at once"]);
}

#[tokio::test]
async fn a_last_line_without_newline_is_a_message() {
    let result = json!({"type": "result", "subtype": "success", "is_error": false, "result": "cut short"});
    let cli = program(Script::new().initialize().prompt().raw(result.to_string()).exit(0));
    let mut session = within(with_program(&cli).open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    let heard = messages(&mut session).await.unwrap();
    assert!(matches!(heard.last(), Some(Message::Result(result)) if result.result.as_deref() == Some("cut short")));
}

#[tokio::test]
async fn an_incomplete_last_line_is_not_a_message() {
    let cli = program(Script::new().initialize().prompt().raw("{\"type\":\"assis").exit(0));
    let mut session = within(with_program(&cli).open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    let error = messages(&mut session).await.unwrap_err();
    assert!(matches!(&error, Error::Ended(ended) if ended.ending.success()), "{error}");
}

#[tokio::test]
async fn the_size_limit_applies_to_one_line_and_not_to_the_total() {
    let line = "z".repeat(100_000);
    let script = (0..20).fold(Script::new().initialize().prompt(), |script, _| script.text(&line));
    let cli = program(script.result("done").text(&"z".repeat(200_000)).hang());
    let agent = with_program(&cli).line_limit(150_000).shutdown_timeouts(mcp_agent::ShutdownTimeouts::NONE);
    let mut session = within(agent.open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    let heard = messages(&mut session).await.unwrap();
    assert_eq!(heard.iter().filter(|message| message.text() == Some(&line)).count(), 20);
    let error = within(session.interrupt()).await.unwrap_err();
    assert!(matches!(&error, Error::Ended(ended) if ended.source.is_some()), "{error}");
}
