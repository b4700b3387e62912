//! Secrets must not be written to stderr.

use std::process::Command;

use serde_json::json;

use crate::client::{Client, server};

/// Stands for a secret.
const CANARY: &str = "canary-5f1d0c";

#[test]
fn with_all_logs_on_stderr_has_no_argument_no_result_and_no_environment() {
    for way in [&[][..], &["--serve"]] {
        let mut command = Command::new(server());
        let mut client = Client::spawn(command.args(way).env("RUST_LOG", "debug").env("SECRET", CANARY));
        client.handshake();
        let calls = [
            ("returned", "echo", json!({"text": CANARY})),
            ("refused", "echo", json!({"text": [CANARY], CANARY: 1})),
            ("failed", "panic", json!({CANARY: CANARY})),
            ("late", "block_shortly", json!({"ms": 200})),
            ("unknown", CANARY, json!({})),
        ];
        for (id, tool, arguments) in &calls {
            client.call(id, tool, arguments);
        }
        client.request("method", CANARY, &json!({"x": CANARY}));
        for id in calls.iter().map(|(id, ..)| *id).chain(["method"]) {
            client.reply(id);
        }
        // The reply to a truncated request has its id, so the test can wait for it.
        client.raw(format!("{{\"id\":\"half\",\"method\":\"{CANARY}\n").as_bytes());
        client.reply("half");
        client.call("cancelled", "slow", &json!({"ms": 3_600_000, CANARY: CANARY}));
        client.cancel("cancelled");
        client.call("panics", "panic_async", &json!({}));
        client.reply("panics");
        client.close_input();
        client.end();
        let errors = client.all_errors();
        assert!(errors.contains("a call panicked"), "nothing was logged: {errors}");
        assert!(!errors.contains(CANARY), "{errors}");
    }
}
