//! HTTP servers that restart, forget sessions, and cut off responses.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use mcp_client::{CallError, Client, Recovery, Revision};
use mcp_core::{Context, Server, resource, resources, tool, tools};
use mcp_http::Http;
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

use crate::within;

/// Add two numbers.
#[tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Say that the call has begun, and answer when the test allows it.
#[tool]
async fn gate(gates: &Gates, cx: &Context) -> String {
    cx.progress(1, 2, "begun");
    gates.begun.add_permits(1);
    gates.answer.acquire().await.expect("the gate stays open").forget();
    "through".to_owned()
}

/// Write on the board.
#[tool]
async fn write(cx: &Context) {
    cx.resource_updated("board://");
}

/// What is on the board.
#[resource("board://")]
fn board() -> &'static str {
    "hello"
}

#[derive(Clone)]
struct Gates(Arc<Both>);

struct Both {
    begun: Semaphore,
    answer: Semaphore,
}

impl std::ops::Deref for Gates {
    type Target = Both;

    fn deref(&self) -> &Both {
        &self.0
    }
}

fn gates() -> Gates {
    Gates(Arc::new(Both { begun: Semaphore::new(0), answer: Semaphore::new(0) }))
}

/// Serves at an address. With port 0 the system chooses the port.
async fn serve(address: SocketAddr, gates: &Gates) -> (SocketAddr, JoinHandle<()>) {
    let server = Server::builder("gates", "1.0.0").state(gates.clone());
    let server = server.tools(tools![add, gate, write]).resources(resources![board]);
    let listener = Http::new().listen(server, address).await.expect("the address is free");
    (listener.address(), tokio::spawn(async move { listener.serve().await.expect("serves") }))
}

const ANY: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

async fn connect(address: SocketAddr, revision: Revision) -> Client {
    let recovery =
        Recovery::default().first_delay(Duration::from_millis(20)).longest_delay(Duration::from_millis(200)).attempts(100);
    Client::http(format!("http://{address}/mcp")).revision(revision).recovery(recovery).await.unwrap()
}

#[tokio::test]
async fn a_call_to_a_server_that_restarts_is_answered_by_the_new_one() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::NEWEST] {
        let (address, server) = serve(ANY, &gates()).await;
        let client = connect(address, revision).await;
        server.abort();
        let _ = server.await;
        // No server listens at the address, so the call waits.
        let call = tokio::spawn(client.call("add", json!({"a": 2, "b": 3})).into_future());
        let (_, server) = serve(address, &gates()).await;
        // With a handshake, the new server does not know the session, so it is opened again.
        assert_eq!(within(call).await.unwrap().unwrap().to_text(), "5", "{revision}");
        server.abort();
    }
}

#[tokio::test]
async fn a_call_that_was_begun_when_its_server_ended_is_not_sent_again() {
    for revision in [Revision::V2025_11_25, Revision::NEWEST] {
        let gates = gates();
        let (address, server) = serve(ANY, &gates).await;
        let client = connect(address, revision).await;
        let call = tokio::spawn(client.call("gate", ()).into_future());
        within(gates.begun.acquire()).await.unwrap().forget();
        server.abort();
        let _ = server.await;
        let (_, server) = serve(address, &gates).await;
        let error = within(call).await.unwrap().unwrap_err();
        assert!(matches!(error, CallError::Lost { begun: true, .. }), "{revision}: {error:?}");
        assert_eq!(gates.begun.available_permits(), 0, "{revision}: the call was begun twice");
        server.abort();
    }
}

#[tokio::test]
async fn a_subscription_is_made_again_on_the_new_server() {
    for revision in [Revision::V2025_11_25, Revision::NEWEST] {
        let (address, server) = serve(ANY, &gates()).await;
        let client = connect(address, revision).await;
        let mut updates = client.subscribe("board://").await.unwrap();
        client.call("write", ()).await.unwrap();
        assert_eq!(within(updates.next()).await.as_deref(), Some("board://"), "{revision}");
        server.abort();
        let _ = server.await;
        let (_, server) = serve(address, &gates()).await;
        // It takes a while until the client has found out and subscribed again.
        let update = within(async {
            loop {
                // The call is lost if it is sent on a connection to the old server.
                let _ = client.call("write", ()).await;
                if let Ok(update) = tokio::time::timeout(Duration::from_millis(100), updates.next()).await {
                    return update;
                }
            }
        });
        assert_eq!(update.await.as_deref(), Some("board://"), "{revision}");
        server.abort();
    }
}

/// A proxy that forwards connections until the test closes all of them.
async fn proxy(target: SocketAddr) -> (SocketAddr, watch::Sender<usize>) {
    let (listener, cuts) = (TcpListener::bind(ANY).await.unwrap(), watch::Sender::new(0));
    let (address, watching) = (listener.local_addr().unwrap(), cuts.subscribe());
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let mut watching = watching.clone();
            watching.mark_unchanged();
            tokio::spawn(async move {
                let mut server = TcpStream::connect(target).await.expect("the server listens");
                tokio::select! {
                    _ = tokio::io::copy_bidirectional(&mut client, &mut server) => {}
                    _ = watching.changed() => {}
                }
            });
        }
    });
    (address, cuts)
}

#[tokio::test]
async fn a_response_that_is_cut_off_is_resumed_after_the_last_event() {
    let gates = gates();
    let (address, server) = serve(ANY, &gates).await;
    let (address, cuts) = proxy(address).await;
    let recovery = Recovery::default().first_delay(Duration::from_millis(20));
    let options = Client::http(format!("http://{address}/mcp")).header("host", "127.0.0.1").revision(Revision::V2025_11_25);
    let client = options.recovery(recovery).await.unwrap();
    let mut call = client.call("gate", ()).start();
    assert_eq!(within(call.progress()).await.unwrap().message.as_deref(), Some("begun"));
    cuts.send_modify(|cuts| *cuts += 1);
    gates.answer.add_permits(1);
    assert_eq!(within(call).await.unwrap().to_text(), "through");
    assert_eq!(gates.begun.available_permits(), 1, "the call was begun once");
    server.abort();
}
