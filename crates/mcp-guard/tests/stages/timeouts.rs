//! Rules and file checks read the file system, which may block for ever.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use mcp_core::transport::{BoxFuture, Host, Job};
use mcp_guard::{Guard, Layer, Rules};
use serde_json::json;

use crate::files::stateless_on;
use crate::{file_tools, folder, server};

/// A host whose threads never run a job, and on which a minute is over at once.
#[derive(Default)]
struct Stuck(Mutex<Vec<Job>>);

impl Host for Stuck {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<()> {
        if time == Duration::from_secs(60) { Box::pin(std::future::ready(())) } else { Box::pin(std::future::pending()) }
    }

    fn run_blocking(&self, job: Job) {
        self.0.lock().unwrap().push(job);
    }

    fn spawn(&self, _: BoxFuture<()>) {}
}

/// A host that has no thread for a job.
struct NoThread;

impl Host for NoThread {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, _: Duration) -> BoxFuture<()> {
        Box::pin(std::future::pending())
    }

    fn run_blocking(&self, _: Job) {}

    fn spawn(&self, _: BoxFuture<()>) {}
}

#[tokio::test]
async fn a_call_is_denied_if_rules_or_the_check_of_a_file_take_longer_than_a_minute_or_cannot_run() {
    let folder = folder();
    let rules = Rules::new(folder.path()).allow(Layer::User, "mcp__files__*").unwrap();
    let guards = [
        (Guard::new("files", rules), "a permission rule", "the rules could not be evaluated"),
        (Guard::without_rules().files(file_tools(folder.path())), "a check of a file", "could not be checked"),
    ];
    for (guard, stage, not_run) in guards {
        let server = server(folder.path(), guard).build().unwrap();
        let arguments = json!({"path": "a.txt"});
        let response = stateless_on(Stuck::default(), &server, Some("ada"), "read", arguments.clone()).await;
        assert!(response.contains(&format!("{stage} of the server did not finish within 60s")), "{response}");
        let response = stateless_on(NoThread, &server, Some("ada"), "read", arguments).await;
        assert!(response.contains(not_run), "{response}");
    }
}
