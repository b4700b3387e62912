//! Values that belong to one session, in every way to connect that has sessions.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_client::{Builder, Client, Revision};
use mcp_core::{Live, Server, tool, tools};
use mcp_http::Http;
use serde_json::json;

/// How many counters exist.
type Alive = Arc<AtomicUsize>;

struct Counter {
    count: AtomicUsize,
    alive: Alive,
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Count the calls of this session.
#[tool]
fn count(counter: &Counter) -> usize {
    counter.count.fetch_add(1, Ordering::SeqCst) + 1
}

fn server(alive: &Alive) -> Live {
    let alive = alive.clone();
    let make = move || {
        alive.fetch_add(1, Ordering::SeqCst);
        Counter { count: AtomicUsize::default(), alive: alive.clone() }
    };
    Live::new(Server::builder("counter", "1.0.0").session_state(make).tools(tools![count])).unwrap()
}

async fn count_in(client: &Client) -> usize {
    client.call_as("count", json!({})).await.unwrap()
}

/// Two clients of one server, each of which closes its session at the end.
async fn each_has_its_own(way: &str, alive: &Alive, builder: impl Fn() -> Builder) {
    let connect = || async { builder().revision(Revision::V2025_11_25).await.unwrap() };
    let (one, two) = (connect().await, connect().await);
    assert_eq!([count_in(&one).await, count_in(&one).await, count_in(&two).await], [1, 2, 1], "{way}");
    assert_eq!(alive.load(Ordering::SeqCst), 2, "{way}");
    one.close().await;
    two.close().await;
    let dropped = async {
        while alive.load(Ordering::SeqCst) > 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), dropped).await.unwrap_or_else(|_| panic!("{way}: a value is kept"));
}

#[tokio::test]
async fn each_session_has_a_value_of_its_own_which_is_dropped_with_the_session() {
    let alive = Alive::default();
    let live = server(&alive);
    each_has_its_own("in process", &alive, || Client::of(live.clone())).await;
    let listener = Http::new().with_sse().listen(live.clone(), "127.0.0.1:0").await.unwrap();
    let address = listener.address();
    let serving = tokio::spawn(listener.serve());
    each_has_its_own("Streamable HTTP", &alive, || Client::http(format!("http://{address}/mcp"))).await;
    each_has_its_own("HTTP with SSE", &alive, || Client::sse(format!("http://{address}/sse"))).await;
    serving.abort();
}
