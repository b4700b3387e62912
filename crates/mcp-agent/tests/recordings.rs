//! Parses recorded output of the real CLI and checks that nothing is lost.

use std::fs;
use std::path::Path;

use mcp_agent::Message;
use serde_json::Value;

#[test]
#[expect(clippy::print_stderr, reason = "a test says why it is skipped")]
fn every_recorded_message_round_trips() {
    let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/agent-kit/transcripts");
    if !recordings.is_dir() {
        eprintln!("SKIPPED: the folder of recordings does not exist");
        return;
    }
    let (mut messages, mut unknown) = (0, Vec::new());
    for entry in fs::read_dir(recordings).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "ndjson") || path.to_string_lossy().contains("mcp_side") {
            continue;
        }
        for line in fs::read_to_string(&path).unwrap().lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let Some(message) = line.get("msg").filter(|message| line["dir"] == "out" && message.is_object()) else {
                continue;
            };
            let text = message.to_string();
            let parsed: Message = serde_json::from_str(&text).unwrap();
            assert_eq!(serde_json::to_string(&parsed).unwrap(), text, "{}", path.display());
            let kind = parsed.head().kind;
            if !kind.starts_with("control_") && matches!(parsed, Message::Other(_)) {
                unknown.push(text.clone());
            }
            if let Message::Result(result) = &parsed {
                assert!(result.duration_ms > 0 || result.is_error, "{text}");
            }
            messages += 1;
        }
    }
    assert!(messages > 300, "only {messages} messages were found");
    assert!(unknown.is_empty(), "kinds that are not typed: {unknown:#?}");
}
