//! The audit log of a guard.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use mcp_guard::{AuditLog, Guard, Layer, Opinion, Refusal, Rules};
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

/// The fields of each line, without those of the time and of the digest.
fn lines_of(lines: &Lines) -> Vec<Value> {
    let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    let fields = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let fields = line.as_object_mut().unwrap();
        assert!(fields.remove("time").is_some() && fields.remove("input_sha256").is_some());
        line
    };
    text.lines().map(fields).collect()
}

/// Makes one call, and returns the only line of the log.
async fn line_of_call(guard: Guard, tool: &str, arguments: Value) -> Value {
    let (folder, lines) = (folder(), Lines::default());
    let guard = guard.audit(AuditLog::new(lines.clone()));
    let client = Client::new(server(folder.path(), guard));
    let (text, is_error) = call(&client, tool, arguments).await;
    let mut lines = lines_of(&lines);
    assert_eq!(lines.len(), 1, "{lines:?}");
    let line = lines.remove(0);
    assert_eq!(line["behavior"], if is_error { "deny" } else { "allow" }, "{text}");
    line
}

/// Rules that allow every tool.
fn allowing() -> Rules {
    Rules::new("/code").allow(Layer::User, "mcp__files__*").unwrap()
}

/// Rules that require a question.
fn asking() -> Rules {
    allowing().ask(Layer::Policy, "mcp__files__read").unwrap()
}

fn a() -> Value {
    json!({"path": "a.txt"})
}

#[tokio::test]
async fn a_call_that_a_hook_denies_is_recorded_as_denied() {
    let guard = Guard::new("files", allowing()).before(|_| async { Opinion::deny("not today") });
    let expected = json!({"tool": "mcp__files__read", "behavior": "deny", "decided_by": "hook", "reason": "not today"});
    assert_eq!(line_of_call(guard, "read", a()).await, expected);
    // The rule is stricter than the hook.
    let denying = allowing().deny(Layer::Policy, "mcp__files__read").unwrap();
    let line = line_of_call(Guard::new("files", denying).before(|_| async { Opinion::ask("sure?") }), "read", a()).await;
    assert_eq!(
        (&line["decided_by"], &line["rule"], &line["layer"]),
        (&json!("rule"), &json!("mcp__files__read"), &json!("policy"))
    );
}

#[tokio::test]
async fn the_answer_to_a_question_is_recorded_with_the_rule_that_required_it() {
    for is_allowed in [true, false] {
        let guard = Guard::new("files", asking()).ask(move |_, _| async move { is_allowed });
        let expected = json!({
            "tool": "mcp__files__read", "behavior": if is_allowed { "allow" } else { "deny" }, "decided_by": "answer",
            "reason": if is_allowed { "the rule mcp__files__read requires a confirmation" } else { "permission was not given" },
            "rule": "mcp__files__read", "layer": "policy", "answer": is_allowed,
        });
        assert_eq!(line_of_call(guard, "read", a()).await, expected);
    }
    let line = line_of_call(Guard::new("files", asking()), "read", a()).await;
    assert_eq!((&line["decided_by"], &line["answer"]), (&json!("answer"), &Value::Null), "nobody can be asked");
    let guard = Guard::new("files", allowing()).before(|_| async { Opinion::ask("sure?") }).ask(|_, _| async { true });
    let line = line_of_call(guard, "read", a()).await;
    assert_eq!((&line["reason"], &line["rule"]), (&json!("sure?"), &Value::Null), "the hook required the question");
}

#[tokio::test]
async fn refusals_of_the_file_check_of_other_checks_and_of_validation_are_recorded() {
    let folder = folder();
    let write = json!({"path": "a.txt", "content": "secret"});
    let lines = Lines::default();
    let guard = Guard::new("files", allowing()).files(file_tools(folder.path())).audit(AuditLog::new(lines.clone()));
    let client = Client::new(server(folder.path(), guard));
    assert!(call(&client, "write", write).await.1);
    let unread = json!({
        "tool": "mcp__files__write", "behavior": "deny", "decided_by": "files", "reason": "the file was not read yet",
    });
    assert_eq!(lines_of(&lines), [unread]);

    let guard = Guard::new("files", allowing()).check(|_| async { Err(Refusal::new("the disk is full")) });
    let line = line_of_call(guard, "read", a()).await;
    assert_eq!((&line["decided_by"], &line["reason"]), (&json!("check"), &json!("the disk is full")));

    let guard = Guard::new("files", asking()).ask(|_, _| async { true }).check(|_| async { Err(Refusal::new("full")) });
    let line = line_of_call(guard, "read", a()).await;
    let found = [&line["decided_by"], &line["answer"], &line["rule"]];
    assert_eq!(found, [&json!("check"), &json!(true), &json!("mcp__files__read")], "refused after the answer");

    let line = line_of_call(Guard::new("files", allowing()), "read", json!({"path": 7})).await;
    assert_eq!(line["decided_by"], "validation");
}

#[tokio::test]
async fn decisions_of_a_guard_without_rules_are_recorded() {
    let line = line_of_call(Guard::without_rules(), "read", a()).await;
    assert_eq!((&line["tool"], &line["decided_by"]), (&json!("read"), &json!("nothing")));
    let guard = Guard::without_rules().before(|_| async { Opinion::deny("not today") });
    let line = line_of_call(guard, "read", a()).await;
    assert_eq!((&line["decided_by"], &line["reason"]), (&json!("hook"), &json!("not today")));
}

#[tokio::test]
async fn a_mode_is_recorded_with_the_layer_that_has_set_it() {
    let settings = json!({"permissions": {"defaultMode": "dontAsk"}});
    let rules = Rules::new("/code").settings(Layer::Project, &settings).unwrap();
    let line = line_of_call(Guard::new("files", rules), "read", a()).await;
    assert_eq!((&line["decided_by"], &line["layer"], &line["rule"]), (&json!("mode"), &json!("project"), &Value::Null));
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
    let verdict = rules.judge("Bash", &json!({"command": "ls"}));
    assert_eq!((verdict.behavior, verdict.why), (mcp_guard::Behavior::Deny, mcp_guard::Reason::AuditLog));
    let client = Client::new(server(folder.path(), Guard::without_rules().audit(AuditLog::new(Full))));
    assert!(call(&client, "read", json!({"path": "a.txt"})).await.1);
}
