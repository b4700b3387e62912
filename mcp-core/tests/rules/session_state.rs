//! Values that belong to one session.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use mcp_core::{Builder, Context, Server, ToolSpec, tool, tool_fn, tools};
use serde_json::{Value, json};

use crate::session::{Peer, stateless};

/// How many carts exist.
type Alive = Arc<AtomicUsize>;

struct Cart {
    items: Mutex<Vec<String>>,
    alive: Alive,
}

impl Cart {
    fn new(alive: &Alive) -> Cart {
        alive.fetch_add(1, Ordering::SeqCst);
        Cart { items: Mutex::default(), alive: alive.clone() }
    }
}

impl Drop for Cart {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Put something into the cart.
#[tool]
fn put(item: String, cart: &Cart) -> String {
    let mut items = cart.items.lock().unwrap();
    items.push(item);
    items.join(",")
}

/// Hold the cart until the call is cancelled.
#[tool]
async fn hold(cart: &Cart) {
    let _items = cart;
    std::future::pending().await
}

/// Do nothing.
#[tool]
fn nothing() {}

fn shop(alive: &Alive) -> Builder {
    let alive = alive.clone();
    let spec = ToolSpec::new("peek", "Count the items.");
    let peek = tool_fn(spec, |_: Value, cx: Context| async move {
        cx.state::<Cart>().map_or_else(|| "no cart".to_owned(), |cart| cart.items.lock().unwrap().len().to_string())
    });
    Server::builder("shop", "1.0.0").session_state(move || Cart::new(&alive)).tools(tools![put, hold, nothing]).tools(peek)
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

fn put_into(peer: &mut Peer, item: &str) -> Value {
    peer.ask("tools/call", json!({"name": "put", "arguments": {"item": item}}))
}

#[test]
fn each_session_has_its_own_value_and_keeps_it() {
    let alive = Alive::default();
    let server = shop(&alive).build().unwrap();
    let (mut one, mut two) = (Peer::with_revision("2025-11-25", server.clone()), Peer::with_revision("2025-11-25", server));
    assert_eq!(text(&put_into(&mut one, "tea")), "tea");
    assert_eq!(text(&put_into(&mut two, "milk")), "milk");
    assert_eq!(text(&put_into(&mut one, "cups")), "tea,cups");
    assert_eq!(text(&two.ask("tools/call", json!({"name": "peek"}))), "1", "tools that are made at run time have it too");
}

#[test]
fn a_value_is_made_when_it_is_first_needed_and_dropped_with_its_session() {
    let alive = Alive::default();
    let count = || alive.load(Ordering::SeqCst);
    let server = shop(&alive).build().unwrap();
    let mut peer = Peer::with_revision("2025-11-25", server.clone());
    peer.ask("tools/call", json!({"name": "nothing"}));
    assert_eq!(count(), 0, "nothing needed it");
    put_into(&mut peer, "tea");
    assert_eq!(count(), 1);
    peer.disconnect();
    assert_eq!(count(), 0, "the client has disconnected");
    let mut peer = Peer::with_revision("2025-11-25", server);
    put_into(&mut peer, "tea");
    drop(peer);
    assert_eq!(count(), 0, "the session was dropped");
}

#[test]
fn a_call_in_flight_keeps_the_value_until_it_has_ended() {
    let alive = Alive::default();
    let mut peer = Peer::with_revision("2025-11-25", shop(&alive));
    peer.send(r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"hold"}}"#);
    peer.disconnect();
    peer.poll();
    assert_eq!(alive.load(Ordering::SeqCst), 0, "the call was cancelled");
}

#[test]
fn a_connection_without_a_handshake_is_a_session_too() {
    let mut peer = Peer::new(shop(&Alive::default()));
    let put = |item: &str| json!({"name": "put", "arguments": {"item": item}, "_meta": stateless()});
    peer.ask("tools/call", put("tea"));
    assert_eq!(text(&peer.ask("tools/call", put("milk"))), "tea,milk");
}

#[test]
fn a_request_without_a_session_is_refused_with_the_reason() {
    let alive = Alive::default();
    let mut peer = Peer::new(shop(&alive)).for_one_message();
    let error = put_into_stateless(&mut peer);
    assert_eq!(error["error"]["code"], -32600);
    let reason = error["error"]["message"].as_str().unwrap();
    assert!(reason.starts_with("`put` keeps a value for each session, and this request has no session"), "{reason}");
    assert_eq!(alive.load(Ordering::SeqCst), 0);
    let other = peer.ask("tools/call", json!({"name": "peek", "_meta": stateless()}));
    assert_eq!(text(&other), "no cart");
    let other = peer.ask("tools/call", json!({"name": "nothing", "_meta": stateless()}));
    assert!(other["result"]["isError"].is_null(), "{other}");
}

fn put_into_stateless(peer: &mut Peer) -> Value {
    peer.ask("tools/call", json!({"name": "put", "arguments": {"item": "tea"}, "_meta": stateless()}))
}

#[test]
fn a_missing_value_and_two_values_of_one_type_are_faults_of_the_server() {
    let missing = Server::builder("shop", "1.0.0").tools(tools![put]).build().unwrap_err().to_string();
    assert!(missing.contains("`put`: it borrows a `") && missing.contains(".session_state(..)"), "{missing}");
    let alive = Alive::default();
    let twice = shop(&alive).state(Cart::new(&alive)).build().unwrap_err().to_string();
    assert!(twice.contains("two values of type") && twice.contains("Cart"), "{twice}");
}
