//! The tracing spans of the stages.

use std::sync::{Arc, Mutex};

use mcp_core::{Server, tool, tools};
use mcp_guard::{Files, Guard, Layer, Opinion, Rules};
use mcp_test::Client;
use serde_json::json;

use crate::{call, folder};

/// Keep a text. Only this test calls this tool, so log lines that name it come from this test.
#[tool]
fn keep(path: String, content: String) -> &'static str {
    let _ = (path, content);
    "kept"
}

#[tokio::test]
async fn every_stage_is_a_span_with_names_and_sizes_and_no_values() {
    let folder = folder();
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(tracing::Level::TRACE)
        .with_span_events(tracing_subscriber::fmt::format::FmtSpan::NEW)
        .with_writer(move || writer.clone())
        .finish();
    // The global default, because tracing caches for the whole process which spans are enabled.
    tracing::subscriber::set_global_default(subscriber).expect("no other test sets one");
    tracing::callsite::rebuild_interest_cache();
    let rules = Rules::new(folder.path()).allow(Layer::User, "mcp__files__*").unwrap();
    let files = Files::new(folder.path()).writes("keep", "path");
    let pipeline =
        Guard::new("files", rules).before(|_| async { Opinion::pass() }).files(files).after(|_, result| async { result });
    let client = Client::new(Server::builder("files", "1.0.0").tools(tools![keep]).hook(pipeline));
    assert!(!call(&client, "keep", json!({"path": "new-secret.txt", "content": "very secret"})).await.1);
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    // A line is written when a span begins, so the lines are in the order of the stages.
    let stages = [
        "invocation{argument_bytes=49}",
        "pre_hook{hooks=1}",
        "permission{rules=true}",
        "validation{argument_bytes=49}",
        "check{checks=0 files=true}",
        "execution",
        "post_hook{hooks=1}",
        "result{is_error=false result_bytes=4}",
    ];
    let begun = log.lines().filter_map(|line| line.split_once("tool_pipeline{tool=\"keep\"}:"));
    let is_stage = |rest: &&str| rest.ends_with(": new") && !rest.starts_with(' ');
    let begun: Vec<&str> = begun.map(|(_, rest)| rest).filter(is_stage).collect();
    for (stage, line) in stages.iter().zip(&begun) {
        assert!(line.starts_with(stage), "{stage} in {line}");
    }
    assert_eq!(begun.len(), stages.len(), "{log}");
    assert!(!log.contains("secret"), "{log}");
}

/// What was written to the log.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
