//! Redis is killed, paused and emptied while clients call three instances.
//!
//! No response may be wrong: a call that needs no Redis succeeds, a session is not reported as absent because Redis cannot be
//! reached, and afterwards everything works again without a restart.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use mcp_core::serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::client::{HttpResponse, post, stateless};
use crate::services::{Instance, Services, TIMEOUT};

const CLIENTS: i64 = 6;

/// Clients that call without a pause until they are stopped.
struct Load {
    stop: Arc<AtomicBool>,
    rounds: Arc<AtomicUsize>,
    clients: Vec<JoinHandle<Counts>>,
}

/// How many requests that need Redis had which outcome.
#[derive(Debug, Default)]
struct Counts {
    served: usize,
    absent: usize,
    unavailable: usize,
}

async fn three_instances() -> Option<(Services, Vec<Instance>, PathBuf)> {
    let mut services = Services::start().await?;
    let instances = vec![services.instance().await, services.instance().await, services.instance().await];
    let socket = services.nginx(&instances).await;
    Some((services, instances, socket))
}

async fn open_session(socket: &Path) -> String {
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    let opened = post(socket, &[], &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})).await;
    assert_eq!(opened.status, 200, "{}", opened.body);
    opened.headers["mcp-session-id"].to_str().unwrap().to_owned()
}

async fn list(socket: &Path, session: &str) -> HttpResponse {
    post(socket, &[("mcp-session-id", session)], &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await
}

impl Counts {
    /// Counts the response to a request of a session.
    fn add_list(&mut self, response: &HttpResponse) {
        match response.status {
            200 => {
                assert_eq!(response.body["result"]["tools"][0]["name"], "double", "{}", response.body);
                self.served += 1;
            }
            404 => self.absent += 1,
            503 => {
                assert!(response.body.to_string().contains("the session store is unavailable"), "{}", response.body);
                self.unavailable += 1;
            }
            status => panic!("{status} {}", response.body),
        }
    }

    /// Counts the response to a request about a task, or to the call that creates one.
    fn add_task(&mut self, response: &HttpResponse) {
        let (result, error) = (&response.body["result"], &response.body["error"]);
        match error["code"].as_i64() {
            None => {
                assert!(result["taskId"].is_string(), "{} {}", response.status, response.body);
                self.served += 1;
            }
            // The task is unknown.
            Some(-32602) => self.absent += 1,
            Some(-32603) => {
                assert!(error["message"].as_str().is_some_and(|text| text.contains("store")), "{error}");
                self.unavailable += 1;
            }
            Some(code) => panic!("{code} {}", response.body),
        }
    }
}

impl Load {
    fn start(socket: &Path, session: &str) -> Load {
        let (stop, rounds) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let client = |number: i64| {
            let (socket, session, stop, rounds) = (socket.to_owned(), session.to_owned(), stop.clone(), rounds.clone());
            tokio::spawn(async move {
                let mut counts = Counts::default();
                while !stop.load(Ordering::SeqCst) {
                    let double = json!({"name": "double", "arguments": {"number": number}});
                    let doubled = stateless(&socket, "tools/call", double).await;
                    assert_eq!(doubled.text().split(' ').next(), Some((number * 2).to_string().as_str()));
                    counts.add_list(&list(&socket, &session).await);
                    let begun = stateless(&socket, "tools/call", json!({"name": "later"})).await;
                    counts.add_task(&begun);
                    if let id @ Value::String(_) = &begun.body["result"]["taskId"] {
                        counts.add_task(&stateless(&socket, "tasks/get", json!({"taskId": id})).await);
                    }
                    rounds.fetch_add(1, Ordering::SeqCst);
                }
                counts
            })
        };
        let clients = (0..CLIENTS).map(client).collect();
        Load { stop, rounds, clients }
    }

    /// Waits until the clients have finished this many more rounds in total.
    async fn proceed(&self, rounds: usize) {
        let end = self.rounds.load(Ordering::SeqCst) + rounds;
        while self.rounds.load(Ordering::SeqCst) < end {
            assert!(self.clients.iter().all(|client| !client.is_finished()), "a client got a wrong response");
            sleep(Duration::from_millis(5)).await;
        }
    }

    async fn stop(self) -> Counts {
        self.stop.store(true, Ordering::SeqCst);
        let mut all = Counts::default();
        for client in self.clients {
            let counts = client.await.unwrap();
            all.served += counts.served;
            all.absent += counts.absent;
            all.unavailable += counts.unavailable;
        }
        all
    }
}

/// Waits until every instance serves a new session and a task, without any error in between.
async fn recovered(socket: &Path) {
    let deadline = Instant::now() + TIMEOUT;
    let mut in_a_row = 0;
    while in_a_row < 6 {
        assert!(Instant::now() < deadline, "the instances do not recover");
        let begun = stateless(socket, "tools/call", json!({"name": "later"})).await;
        in_a_row = if begun.body["result"]["taskId"].is_string() { in_a_row + 1 } else { 0 };
    }
    let session = open_session(socket).await;
    for _ in 0..6 {
        assert_eq!(list(socket, &session).await.status, 200);
    }
}

#[tokio::test]
async fn while_redis_is_dead_sessions_are_unavailable_and_not_absent() {
    let Some((mut services, _instances, socket)) = three_instances().await else { return };
    let session = open_session(&socket).await;
    let load = Load::start(&socket, &session);
    load.proceed(12).await;
    services.end_redis().await;
    load.proceed(12).await;
    let counts = load.stop().await;
    assert_eq!(counts.absent, 0, "{counts:?}");
    assert!(counts.served >= 12 && counts.unavailable >= 12, "{counts:?}");
    services.start_redis().await;
    recovered(&socket).await;
    // The new Redis is empty, so now the session is absent.
    assert_eq!(list(&socket, &session).await.status, 404);
}

#[tokio::test]
async fn while_redis_is_paused_calls_fail_in_time_and_sessions_survive() {
    let Some((services, _instances, socket)) = three_instances().await else { return };
    let session = open_session(&socket).await;
    let load = Load::start(&socket, &session);
    load.proceed(6).await;
    services.signal_redis("STOP").await;
    load.proceed(6).await;
    services.signal_redis("CONT").await;
    load.proceed(6).await;
    let counts = load.stop().await;
    assert_eq!(counts.absent, 0, "{counts:?}");
    assert!(counts.served > 0 && counts.unavailable > 0, "{counts:?}");
    recovered(&socket).await;
    assert_eq!(list(&socket, &session).await.status, 200);
}

#[tokio::test]
async fn after_redis_is_emptied_sessions_and_tasks_are_absent_and_new_ones_work() {
    let Some((services, _instances, socket)) = three_instances().await else { return };
    let session = open_session(&socket).await;
    let load = Load::start(&socket, &session);
    load.proceed(6).await;
    services.empty_redis().await;
    load.proceed(12).await;
    let counts = load.stop().await;
    assert_eq!(counts.unavailable, 0, "{counts:?}");
    assert!(counts.served >= 12 && counts.absent >= 6, "{counts:?}");
    for _ in 0..6 {
        assert_eq!(list(&socket, &session).await.status, 404);
    }
    recovered(&socket).await;
}
