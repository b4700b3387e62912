//! `MCP_RECORD=file` and logs.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::client::{Client, example, server};

#[test]
fn a_recording_has_every_message_unchanged() {
    for arguments in [&[][..], &["--serve"]] {
        let file = std::env::temp_dir().join(format!("mcp-record-{}-{}", arguments.len(), std::process::id()));
        let mut client = Client::spawn(Command::new(server()).args(arguments).env("MCP_RECORD", &file));
        client.handshake();
        client.call("one", "echo", &json!({"text": "hello"}));
        assert_eq!(client.text("one"), "hello");
        client.raw(b"this is not json\n");
        client.ping();
        client.close_input();
        client.end();

        let kept = fs::read_to_string(&file).unwrap();
        let lines: Vec<Value> = kept.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let speakers: Vec<&str> = lines.iter().map(|line| line["from"].as_str().unwrap()).collect();
        // The ping may be read before the invalid line is answered, or after that.
        assert_eq!(speakers[..5], ["client", "server", "client", "server", "client"], "{kept}");
        assert_eq!(speakers.iter().filter(|speaker| **speaker == "server").count(), 4, "{kept}");
        assert_eq!(speakers.len(), 8, "{kept}");
        assert_eq!(lines[2]["message"]["params"]["arguments"]["text"], "hello");
        assert_eq!(lines[3]["message"]["result"]["content"][0]["text"], "hello");
        assert_eq!(lines[4]["text"], "this is not json");
        assert!(lines.windows(2).all(|pair| pair[0]["ms"].as_f64() <= pair[1]["ms"].as_f64()), "{kept}");
        fs::remove_file(file).unwrap();
    }
}

#[test]
fn logs_show_only_warnings_and_errors_unless_rust_log_is_set() {
    let call = |log: Option<&str>| {
        let mut command = Command::new(example("logs"));
        command.args(["call", "look_up", "word=egg"]).env_remove("RUST_LOG").envs(log.map(|log| ("RUST_LOG", log)));
        let output = command.output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(call(None), "", "there are no warnings");
    let said = call(Some("logs=debug"));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 2, "{said}");
    assert!(lines[0].contains("Z  INFO look_up{word=\"egg\"}: logs: looking it up words=2"), "{said}");
    assert!(lines[1].contains("Z DEBUG look_up{word=\"egg\"}: logs: found\\nit"), "{said}");
    assert_eq!(call(Some("off")), "");
}
