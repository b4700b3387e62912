//! The audit log of a guard.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use mcp_guard::{AuditLog, Guard, Layer, Rules};
use mcp_test::Client;
use serde_json::{Value, json};

use crate::{call, file_tools, folder, server};

/// Collects what is written.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A full disk.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn every_decision_is_a_line_with_tool_digest_rule_and_layer_and_no_values() {
    let (folder, lines) = (folder(), Lines::default());
    let rules = Rules::new(folder.path()).allow(Layer::User, "mcp__files__*").unwrap();
    let rules = rules.deny(Layer::Policy, "Edit(.env)").unwrap().audit(AuditLog::new(lines.clone()));
    let client = Client::new(server(folder.path(), Guard::new("files", rules).files(file_tools(folder.path()))));
    call(&client, "write", json!({"path": ".env", "content": "very secret"})).await;
    call(&client, "read", json!({"path": "a.txt"})).await;
    let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    let found: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), 2, "{text}");
    let of =
        |line: &Value| ["tool", "behavior", "rule", "layer"].map(|key| line[key].as_str().unwrap_or_default().to_owned());
    assert_eq!(of(&found[0]), ["mcp__files__write", "deny", "Edit(.env)", "policy"]);
    assert_eq!(of(&found[1]), ["mcp__files__read", "allow", "mcp__files__*", "user"]);
    for line in &found {
        assert_eq!(line["input_sha256"].as_str().unwrap().len(), 64);
        assert!(line["time"].as_u64().unwrap() > 1_700_000_000_000);
    }
    assert_ne!(found[0]["input_sha256"], found[1]["input_sha256"]);
    assert!(!text.contains("secret"), "{text}");
}

#[tokio::test]
async fn a_call_is_denied_if_the_audit_log_cannot_be_written() {
    let folder = folder();
    let rules = Rules::new(folder.path()).allow(Layer::User, "mcp__files__*").unwrap().audit(AuditLog::new(Full));
    let client = Client::new(server(folder.path(), Guard::new("files", rules)));
    let (text, refused) = call(&client, "read", json!({"path": "a.txt"})).await;
    assert!(refused && text.contains("audit log"), "{text}");
    let rules = Rules::new(folder.path()).allow(Layer::User, "Bash").unwrap().audit(AuditLog::new(Full));
    assert_eq!(rules.judge("Bash", &json!({"command": "ls"})).behavior, mcp_guard::Behavior::Deny);
}
