//! A server that a signal asks to end.
//
// The tests of `windows.rs` that check the same, or the reason why there is none:
// - sigterm_lets_the_server_answer_all_running_calls -> ctrl_c_ctrl_break_close_logoff_and_shutdown_let_the_server_answer_all_running_calls
// - sigint_lets_the_server_answer_all_running_calls -> ctrl_c_ctrl_break_close_logoff_and_shutdown_let_the_server_answer_all_running_calls
// - calls_of_every_transport_are_answered_after_the_signal: only the request to end depends on the system, not what follows
// - idle_connections_and_open_streams_do_not_delay_the_end: only the request to end depends on the system, not what follows
// - calls_that_take_longer_than_the_grace_period_are_cancelled -> calls_that_take_longer_than_the_grace_period_are_cancelled
// - a_second_signal_ends_the_process_at_once -> a_second_event_ends_the_process_at_once
// - a_second_signal_ends_a_server_that_a_tool_blocks -> a_second_event_ends_a_server_that_a_tool_blocks

use std::net::TcpStream;

use mcp_core::serde_json::json;
use nix::sys::signal::Signal::{self, SIGINT, SIGTERM};
use nix::sys::signal::kill;
use nix::unistd::Pid;

use crate::server::{Connection, LONG_GRACE, TestServer, call, get, initialize, stateless, stateless_call};

impl TestServer {
    fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.id().try_into().unwrap()), signal).unwrap();
    }
}

/// 50 calls run when the signal arrives; all of them are answered, and then the process ends.
fn assert_drains(signal: Signal) {
    let mut server = TestServer::start(&[LONG_GRACE]);
    let mut calls: Vec<Connection> = (0..50).map(|_| Connection::open(server.address)).collect();
    calls.iter_mut().for_each(|connection| connection.send(&stateless_call("wait")));
    server.wait_for_calls(50);
    server.signal(signal);
    server.wait_until_refused();
    server.release_calls();
    let answered = calls.into_iter().map(Connection::rest).filter(|answer| answer.contains("released")).count();
    assert_eq!(answered, 50);
    assert_eq!(server.wait_for_exit().code(), Some(0));
}

#[test]
fn sigterm_lets_the_server_answer_all_running_calls() {
    assert_drains(SIGTERM);
}

#[test]
fn sigint_lets_the_server_answer_all_running_calls() {
    assert_drains(SIGINT);
}

#[test]
fn calls_of_every_transport_are_answered_after_the_signal() {
    let mut server = TestServer::start(&[LONG_GRACE]);
    let session = open_session(&server);
    let headers = format!("mcp-session-id: {session}\r\n");

    let mut handshake = Connection::open(server.address);
    handshake.send(&call("/mcp", &headers, "wait"));
    server.wait_for_calls(1);

    let mut legacy = Connection::open(server.address);
    legacy.send(&get("/sse", ""));
    let endpoint = legacy.read_until("/sse?session=").trim().trim_start_matches("data: ").to_owned();
    let mut posts = Connection::open(server.address);
    posts.send(&initialize(&endpoint));
    assert_eq!(posts.head(), 202);
    legacy.read_until("protocolVersion");
    posts.send(&call(&endpoint, "", "wait"));
    assert_eq!(posts.head(), 202);
    server.wait_for_calls(1);

    server.signal(SIGTERM);
    server.wait_until_refused();
    server.release_calls();
    assert!(handshake.rest().contains("released"));
    assert!(legacy.rest().contains("released"));
    assert_eq!(server.wait_for_exit().code(), Some(0));
}

#[test]
fn idle_connections_and_open_streams_do_not_delay_the_end() {
    let mut server = TestServer::start(&[LONG_GRACE]);
    let unused = TcpStream::connect(server.address).unwrap();
    let mut idle = Connection::open(server.address);
    idle.send(&stateless("tools/list", json!({}), ""));
    assert_eq!(idle.response().0, 200);
    let session = open_session(&server);
    let mut listening = Connection::open(server.address);
    listening.send(&get("/mcp", &format!("mcp-session-id: {session}\r\n")));
    assert_eq!(listening.head(), 200);
    let mut subscribed = Connection::open(server.address);
    subscribed.send(&stateless("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}), ""));
    subscribed.read_until("acknowledged");
    let mut legacy = Connection::open(server.address);
    legacy.send(&get("/sse", ""));
    legacy.read_until("/sse?session=");

    server.signal(SIGTERM);
    assert_eq!(server.wait_for_exit().code(), Some(0));
    drop((unused, idle, listening, subscribed, legacy));
}

#[test]
fn calls_that_take_longer_than_the_grace_period_are_cancelled() {
    let mut server = TestServer::start(&["0"]);
    let mut connection = Connection::open(server.address);
    connection.send(&stateless_call("wait"));
    server.wait_for_calls(1);
    server.signal(SIGTERM);
    assert_eq!(server.wait_for_exit().code(), Some(0));
    assert_eq!(connection.rest(), "");
}

#[test]
fn a_second_signal_ends_the_process_at_once() {
    for (second, status) in [(SIGTERM, 143), (SIGINT, 130)] {
        let mut server = TestServer::start(&[LONG_GRACE]);
        let mut connection = Connection::open(server.address);
        connection.send(&stateless_call("wait"));
        server.wait_for_calls(1);
        server.signal(SIGTERM);
        server.wait_until_refused();
        server.signal(second);
        assert_eq!(server.wait_for_exit().code(), Some(status));
    }
}

#[test]
fn a_second_signal_ends_a_server_that_a_tool_blocks() {
    let mut server = TestServer::start(&[LONG_GRACE]);
    let mut connection = Connection::open(server.address);
    connection.send(&stateless_call("block"));
    server.wait_for_calls(1);
    server.signal(SIGINT);
    server.signal(SIGTERM);
    // The system may deliver the two in any order.
    assert!([Some(130), Some(143)].contains(&server.wait_for_exit().code()));
}

/// Opens a session and returns its id.
fn open_session(server: &TestServer) -> String {
    let mut connection = Connection::open(server.address);
    connection.send(&initialize("/mcp"));
    let (status, session) = connection.response();
    assert_eq!((status, session.len()), (200, 32));
    session
}
