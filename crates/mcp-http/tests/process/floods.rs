//! Floods of one client, during which other clients are served.

use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use mcp_core::serde_json::json;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use socket2::{Domain, SockAddr, Socket, Type};

use crate::server::{Connection, TestServer, initialize, stateless};

/// The default limit on connections and on sessions.
const FLOOD: usize = 1024;

/// How fast a client must be answered during a flood.
const FAST: Duration = Duration::from_secs(1);

/// Opens a connection from this loopback address, which the server sees as the peer.
fn connect_from(source: &str, server: &TestServer) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    let source: IpAddr = source.parse().unwrap();
    socket.bind(&SockAddr::from(SocketAddr::new(source, 0))).unwrap();
    socket.connect(&server.address.into()).unwrap();
    socket.into()
}

/// Sends a request on a new connection. Returns the status and how long it took; the best of a few tries, because the machine
/// may be busy with other things.
fn answer(source: &str, server: &TestServer, request: &str) -> (u16, Duration) {
    let one = || {
        let started = Instant::now();
        let mut connection = Connection::over(connect_from(source, server));
        connection.send(request);
        (connection.response().0, started.elapsed())
    };
    let answers = [one(), one(), one()];
    assert!(answers.iter().all(|(status, _)| *status == answers[0].0), "{answers:?}");
    (answers[0].0, answers.iter().map(|(_, time)| *time).min().unwrap())
}

/// Allows this process, and the servers that it starts, as many open files as a flood needs.
fn raise_open_files() {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    setrlimit(Resource::RLIMIT_NOFILE, most.min(20_000), most).unwrap();
}

#[test]
fn clients_are_answered_fast_while_one_peer_holds_idle_connections() {
    raise_open_files();
    let server = TestServer::start(&[]);
    let flood: Vec<TcpStream> = (0..FLOOD).map(|_| connect_from("127.0.0.1", &server)).collect();
    let list = stateless("tools/list", json!({}), "");
    for source in ["127.0.0.2", "127.0.0.1"] {
        let (status, time) = answer(source, &server, &list);
        assert!(status == 200 && time < FAST, "{source}: {status} after {time:?}");
    }
    drop(flood);
}

#[test]
fn clients_are_answered_fast_while_many_peers_hold_idle_connections() {
    raise_open_files();
    let server = TestServer::start(&[]);
    let source = |number: usize| format!("127.0.1.{}", number % 16 + 1);
    let flood: Vec<TcpStream> = (0..FLOOD + 64).map(|number| connect_from(&source(number), &server)).collect();
    let list = stateless("tools/list", json!({}), "");
    for source in ["127.0.0.2", "127.0.1.1"] {
        let (status, time) = answer(source, &server, &list);
        assert!(status == 200 && time < FAST, "{source}: {status} after {time:?}");
    }
    drop(flood);
}

#[test]
fn clients_open_sessions_fast_after_one_client_has_opened_1024() {
    let server = TestServer::start(&[]);
    let mut flood = Connection::over(connect_from("127.0.0.1", &server));
    for _ in 0..FLOOD {
        flood.send(&initialize("/mcp"));
        assert_eq!(flood.response().0, 200);
    }
    for source in ["127.0.0.2", "127.0.0.1"] {
        let (status, time) = answer(source, &server, &initialize("/mcp"));
        assert!(status == 200 && time < FAST, "{source}: {status} after {time:?}");
    }
}
