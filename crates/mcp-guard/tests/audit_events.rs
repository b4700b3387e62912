//! Decisions as `tracing` events. The only test of this program, because the subscriber is that of the whole process.

use std::io;
use std::sync::{Arc, Mutex};

use mcp_core::{Server, tool, tools};
use mcp_guard::{Guard, Layer, Rules};
use mcp_test::Client;
use serde_json::json;

/// Read a file.
#[tool]
fn read(path: String) -> String {
    path
}

/// What was written to the log.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn decisions_are_tracing_events_without_a_log() {
    let log = Log::default();
    let out = log.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_max_level(tracing::Level::INFO).without_time();
    tracing::subscriber::set_global_default(subscriber.with_writer(move || out.clone()).finish()).unwrap();

    let rules = Rules::new("/code").ask(Layer::Policy, "mcp__files__read").unwrap();
    let guard = Guard::new("files", rules.clone()).ask(|_, _| async { false });
    let client = Client::new(Server::builder("files", "1.0.0").tools(tools![read]).hook(guard));
    assert!(client.call("read", json!({"path": "secret"})).await.is_error);
    rules.judge("mcp__other__read", &json!({"path": "secret"}));

    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let events: Vec<&str> =
        text.lines().filter_map(|line| line.split_once("mcp_guard::audit: ")).map(|(_, event)| event).collect();
    let digest = events[0].split("input_sha256=\"").nth(1).and_then(|rest| rest.get(..64)).expect("a digest");
    let expected = [
        format!(
            r#"permission was not given tool="mcp__files__read" input_sha256="{digest}" behavior="deny" decided_by="answer" rule="mcp__files__read" layer="policy" answer=false"#
        ),
        format!(
            r#"no rule matches, and the permission mode default requires a confirmation tool="mcp__other__read" input_sha256="{digest}" behavior="ask" decided_by="mode""#
        ),
    ];
    assert_eq!(events, expected);
    assert!(!text.contains("secret"), "{text}");
}
