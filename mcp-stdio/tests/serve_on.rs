//! `serve_on` over in-memory pipes, with a paused clock.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context as Task, Poll};
use std::time::Duration;

use mcp_core::{Builder, Context, Server, tool, tools};
use mcp_stdio::{Error, Stdio, serve_on};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadBuf, ReadHalf, WriteHalf, duplex, split,
};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

/// Sleep.
#[tool]
async fn slow(ms: u64) -> &'static str {
    sleep(Duration::from_millis(ms)).await;
    "slept"
}

/// Return that many bytes of text.
#[tool]
async fn flood(bytes: usize) -> String {
    "x".repeat(bytes)
}

/// Return that many bytes of text after 10 ms, and count the results.
#[tool]
async fn flood_later(bytes: usize, made: &Made) -> String {
    sleep(Duration::from_millis(10)).await;
    made.0.fetch_add(1, Ordering::SeqCst);
    "x".repeat(bytes)
}

#[derive(Clone, Default)]
struct Made(Arc<AtomicUsize>);

/// Return the text, from a plain function.
#[tool]
fn echo(text: String) -> String {
    text
}

/// Wait without end, and record that the call was dropped.
#[tool]
async fn wait(dropped: &Dropped) {
    let _note = Note(dropped.0.clone());
    std::future::pending().await
}

#[derive(Clone, Default)]
struct Dropped(Arc<AtomicBool>);

struct Note(Arc<AtomicBool>);

impl Drop for Note {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Blocks plain functions until the test opens it.
#[derive(Clone, Default)]
struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    fn wait(&self) {
        let open = self.0.0.lock().unwrap();
        drop(self.0.1.wait_while(open, |open| !*open).unwrap());
    }

    fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }
}

/// A test that fails must not wait for blocked threads.
impl Drop for Gate {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.open();
        }
    }
}

fn server() -> Builder {
    Server::builder("test", "1.0.0")
        .tools(tools![slow, flood, flood_later, echo, wait])
        .state(Dropped::default())
        .state(Made::default())
}

/// The client end of the pipe.
struct Client {
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    serving: JoinHandle<Result<(), Error>>,
}

impl Client {
    fn new(server: Builder, options: Stdio, pipe: usize) -> Client {
        let (near, far) = duplex(pipe);
        let (reader, writer) = split(far);
        let serving = tokio::spawn(options.serve_on(server, reader, writer));
        let (output, input) = split(near);
        Client { input, output: BufReader::new(output).lines(), serving }
    }

    async fn start(server: Builder) -> Client {
        let mut client = Client::new(server, Stdio::new(), 1 << 16);
        client.handshake().await;
        client
    }

    async fn handshake(&mut self) {
        let card = json!({"name": "t", "version": "1"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": card});
        self.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})).await;
        assert_eq!(self.next().await["id"], 0);
    }

    async fn send(&mut self, message: &Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn call(&mut self, id: u64, tool: &str, arguments: Value) {
        self.send(&call(id, tool, arguments)).await;
    }

    async fn next(&mut self) -> Value {
        let line = self.output.next_line().await.unwrap().expect("the output goes on");
        serde_json::from_str(&line).unwrap()
    }
}

fn call(id: u64, tool: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

fn ping(id: u64) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "ping"})
}

/// Runs a test with a clock that advances only when all tasks are idle.
fn on_paused_clock(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap().block_on(test);
}

#[test]
fn a_slow_call_delays_no_other_message() {
    on_paused_clock(async {
        let mut client = Client::start(server()).await;
        let start = Instant::now();
        client.call(1, "slow", json!({"ms": 5000})).await;
        client.call(2, "slow", json!({"ms": 1000})).await;
        client.send(&ping(3)).await;
        client.call(4, "echo", json!({"text": "plain"})).await;
        assert_eq!(client.next().await["id"], 3);
        assert_eq!(client.next().await["id"], 4);
        assert_eq!(start.elapsed(), Duration::ZERO);
        assert_eq!(client.next().await["id"], 2);
        assert_eq!(client.next().await["id"], 1);
        assert!(start.elapsed() < Duration::from_millis(5100));
    });
}

#[test]
fn at_the_end_of_input_calls_have_the_grace_to_finish() {
    on_paused_clock(async {
        let dropped = Dropped::default();
        let server = Server::builder("test", "1.0.0").tools(tools![slow, wait]).state(dropped.clone());
        let mut client = Client::start(server).await;
        client.call(1, "slow", json!({"ms": 900})).await;
        client.call(2, "slow", json!({"ms": 1100})).await;
        client.call(3, "wait", json!({})).await;
        let tail = ping(4).to_string();
        client.input.write_all(tail.as_bytes()).await.unwrap();
        let start = Instant::now();
        client.input.shutdown().await.unwrap();
        assert_eq!(client.next().await["id"], 4, "the last line needs no newline");
        assert_eq!(client.next().await["id"], 1);
        assert_eq!(client.output.next_line().await.unwrap(), None, "the rest is cancelled");
        assert!(client.serving.await.unwrap().is_ok());
        assert!(start.elapsed() < Duration::from_millis(1050), "{:?}", start.elapsed());
        assert!(dropped.0.load(Ordering::SeqCst));
    });
}

#[test]
fn the_shutdown_does_not_wait_for_a_client_that_does_not_read() {
    on_paused_clock(async {
        let mut client = Client::new(server(), Stdio::new(), 100);
        for id in 0..20 {
            // The server reads although it cannot write.
            client.send(&ping(id)).await;
        }
        let start = Instant::now();
        client.input.shutdown().await.unwrap();
        assert!(client.serving.await.unwrap().is_ok());
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    });
}

#[test]
fn a_client_that_does_not_read_is_not_read_and_loses_no_reply() {
    on_paused_clock(async {
        let mut client = Client::start(server()).await;
        let mut sent = 0;
        // Longer than the pipe, so that writing blocks as soon as the server does not read.
        let padding = " ".repeat(1 << 16);
        let mut rest = Vec::new();
        while rest.is_empty() {
            sent += 1;
            assert!(sent < 100, "the server has read 100 requests from a client that does not read");
            let line = format!("{padding}{}\n", call(sent, "flood", json!({"bytes": 1 << 20})));
            let mut left = line.as_bytes();
            while !left.is_empty() {
                match timeout(Duration::from_secs(60), client.input.write(left)).await {
                    Ok(written) => left = &left[written.unwrap()..],
                    Err(_) => {
                        rest = left.to_vec();
                        break;
                    }
                }
            }
        }
        assert!(sent > 20, "the server stopped reading after {sent} requests");
        let (input, output) = (&mut client.input, &mut client.output);
        let writing = async { input.write_all(&rest).await.unwrap() };
        let reading = async {
            for id in 1..=sent {
                let line = output.next_line().await.unwrap().unwrap();
                let reply: Value = serde_json::from_str(&line).unwrap();
                assert_eq!(reply["id"], id);
                assert_eq!(reply["result"]["content"][0]["text"].as_str().map(str::len), Some(1 << 20));
            }
        };
        both(writing, reading).await;
    });
}

#[test]
fn running_calls_pause_while_their_client_does_not_read() {
    on_paused_clock(async {
        let made = Made::default();
        let server = Server::builder("test", "1.0.0").tools(tools![flood_later]).state(made.clone());
        let mut client = Client::start(server).await;
        let calls = 80;
        for id in 1..=calls {
            client.call(id, "flood_later", json!({"bytes": 1 << 20})).await;
        }
        // All calls would have finished by now.
        sleep(Duration::from_secs(60)).await;
        let so_far = made.0.load(Ordering::SeqCst);
        assert!((30..=40).contains(&so_far), "{so_far} results of 1 MiB were created for a client that does not read");
        let mut seen = std::collections::HashSet::new();
        for _ in 1..=calls {
            let reply = client.next().await;
            assert_eq!(reply["result"]["content"][0]["text"].as_str().map(str::len), Some(1 << 20));
            assert!(seen.insert(reply["id"].as_u64().unwrap()));
        }
    });
}

#[test]
fn a_client_that_reads_slowly_at_the_end_gets_every_reply() {
    on_paused_clock(async {
        let mut client = Client::start(server()).await;
        for id in 1..=8 {
            client.call(id, "flood", json!({"bytes": 1 << 20})).await;
        }
        client.input.shutdown().await.unwrap();
        let start = Instant::now();
        let (mut reader, mut all) = (client.output.into_inner(), Vec::new());
        loop {
            let piece = reader.fill_buf().await.unwrap();
            if piece.is_empty() {
                break;
            }
            all.extend_from_slice(piece);
            let length = piece.len();
            reader.consume(length);
            sleep(Duration::from_millis(50)).await;
        }
        assert!(start.elapsed() > Duration::from_secs(5), "slower than the grace");
        assert_eq!(all.trim_ascii_end().split(|byte| *byte == b'\n').count(), 8);
        client.serving.await.unwrap().unwrap();
    });
}

#[test]
fn a_server_ends_when_its_client_closes_the_output() {
    on_paused_clock(async {
        let (near, far) = duplex(1 << 16);
        let (reader, writer) = split(far);
        let serving = tokio::spawn(serve_on(server(), reader, writer));
        let (output, mut input) = split(near);
        input.write_all(format!("{}\n", ping(1)).as_bytes()).await.unwrap();
        drop((output, input));
        assert!(serving.await.unwrap().is_ok());
    });
}

#[test]
fn a_server_that_is_dropped_drops_its_calls() {
    on_paused_clock(async {
        let dropped = Dropped::default();
        let mut client = Client::start(Server::builder("test", "1.0.0").tools(tools![wait]).state(dropped.clone())).await;
        client.call(1, "wait", json!({})).await;
        client.send(&ping(2)).await;
        assert_eq!(client.next().await["id"], 2);
        client.serving.abort();
        assert!(client.serving.await.unwrap_err().is_cancelled());
        while !dropped.0.load(Ordering::SeqCst) {
            tokio::task::yield_now().await;
        }
    });
}

#[test]
fn a_line_over_the_limit_is_answered_and_the_next_one_too() {
    on_paused_clock(async {
        let mut client = Client::new(server(), Stdio::new().max_line(1000), 1 << 16);
        client.handshake().await;
        client.call(1, "echo", json!({"text": "x".repeat(5000)})).await;
        let reply = client.next().await;
        assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!(1), &json!(-32600)));
        client.call(2, "echo", json!({"text": "short"})).await;
        assert_eq!(client.next().await["result"]["content"][0]["text"], "short");
    });
}

#[test]
fn read_errors_and_build_errors_are_returned() {
    struct Broken;

    impl AsyncRead for Broken {
        fn poll_read(self: Pin<&mut Self>, _: &mut Task<'_>, _: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Err(io::Error::other("a broken reader")))
        }
    }

    on_paused_clock(async {
        let error = serve_on(server(), Broken, tokio::io::sink()).await.unwrap_err();
        assert!(matches!(&error, Error::Read(source) if source.to_string() == "a broken reader"));
        assert_eq!(std::error::Error::source(&error).map(ToString::to_string), Some("a broken reader".into()));
        let error = serve_on(server().tools(tools![slow]), tokio::io::empty(), tokio::io::sink()).await.unwrap_err();
        assert!(matches!(error, Error::Build(_)));
    });
}

#[test]
fn progress_is_sent_while_the_call_runs() {
    /// Report progress, and wait without end.
    #[tool]
    async fn report(cx: &Context) {
        cx.progress(1, 2, "");
        std::future::pending().await
    }

    on_paused_clock(async {
        let mut client = Client::start(Server::builder("test", "1.0.0").tools(tools![report])).await;
        let params = json!({"name": "report", "_meta": {"progressToken": 7}});
        client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).await;
        assert_eq!(client.next().await["params"]["progressToken"], 7);
    });
}

#[test]
fn a_silent_call_sends_heartbeats_only_if_progress_was_requested() {
    on_paused_clock(async {
        let mut client = Client::start(server().heartbeat(Duration::from_secs(20))).await;
        let params = json!({"name": "slow", "arguments": {"ms": 70_000}, "_meta": {"progressToken": "alive"}});
        let start = Instant::now();
        client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).await;
        client.call(2, "slow", json!({"ms": 69_000})).await;
        let mut last = -1.0;
        for beat in 1..=3 {
            let message = client.next().await;
            assert_eq!(
                (&message["method"], &message["params"]["progressToken"]),
                (&json!("notifications/progress"), &json!("alive"))
            );
            let progress = message["params"]["progress"].as_f64().unwrap();
            assert!(progress > last, "{progress} after {last}");
            last = progress;
            let (due, now) = (Duration::from_secs(20 * beat), start.elapsed());
            assert!(now >= due && now < due + Duration::from_secs(1), "{now:?}");
        }
        assert_eq!(client.next().await["id"], 2, "its progress was not requested");
        assert_eq!(client.next().await["id"], 1);
    });
}

#[test]
fn the_last_progress_report_of_a_blocking_function_is_sent_while_it_runs() {
    /// Report progress twice, and then wait for the test.
    #[tool]
    fn report(cx: &Context, gate: &Gate) {
        cx.progress(1, 3, "");
        cx.progress(2, 3, "");
        gate.wait();
    }

    // With a real clock: a paused one does not advance while a thread is blocked.
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
        let gate = Gate::default();
        let mut client = Client::start(Server::builder("test", "1.0.0").tools(tools![report]).state(gate.clone())).await;
        let params = json!({"name": "report", "_meta": {"progressToken": 7}});
        client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).await;
        for done in 1..=2 {
            let message = timeout(Duration::from_secs(60), client.next()).await.expect("the report is sent");
            assert_eq!(message["params"]["progress"], done);
        }
        gate.open();
        assert_eq!(client.next().await["id"], 1);
    });
}

#[test]
fn a_blocking_call_that_gets_no_thread_fails_and_delays_no_other_call() {
    /// Wait for the test.
    #[tool]
    fn stuck(gate: &Gate) {
        gate.wait();
    }

    on_paused_clock(async {
        let gate = Gate::default();
        let mut client =
            Client::start(Server::builder("test", "1.0.0").tools(tools![stuck, slow]).state(gate.clone())).await;
        for id in 1..=300 {
            client.call(id, "stuck", json!({})).await;
        }
        client.call(301, "slow", json!({"ms": 0})).await;
        assert_eq!(client.next().await["id"], 301);
        // The paused clock does not advance while threads are blocked.
        tokio::time::advance(Duration::from_secs(31)).await;
        for _ in 257..=300 {
            let reply = client.next().await;
            assert!((257..=300).contains(&reply["id"].as_u64().unwrap()), "{reply}");
            assert_eq!(reply["result"]["isError"], true);
            assert!(reply["result"]["content"][0]["text"].as_str().unwrap().contains("retry later"), "{reply}");
        }
        gate.open();
        for _ in 1..=256 {
            let reply = client.next().await;
            assert_eq!((&reply["result"]["isError"], reply["id"].as_u64().unwrap() <= 256), (&Value::Null, true), "{reply}");
        }
        // The threads are free again.
        client.call(302, "stuck", json!({})).await;
        assert_eq!(client.next().await["id"], 302);
    });
}

/// Runs both futures concurrently.
async fn both(left: impl Future<Output = ()>, right: impl Future<Output = ()>) {
    let (mut left, mut right) = (std::pin::pin!(left), std::pin::pin!(right));
    let (mut left_done, mut right_done) = (false, false);
    std::future::poll_fn(|task| {
        left_done = left_done || left.as_mut().poll(task).is_ready();
        right_done = right_done || right.as_mut().poll(task).is_ready();
        if left_done && right_done { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// Counts the calls of one connection.
struct Calls {
    count: AtomicUsize,
    _note: Note,
}

/// Count the calls of this connection.
#[tool]
async fn count(calls: &Calls) -> usize {
    calls.count.fetch_add(1, Ordering::SeqCst) + 1
}

#[test]
fn the_value_of_a_session_lives_as_long_as_the_connection() {
    on_paused_clock(async {
        let dropped = Arc::new(AtomicBool::new(false));
        let noted = dropped.clone();
        let make = move || Calls { count: AtomicUsize::new(0), _note: Note(noted.clone()) };
        let mut client = Client::start(Server::builder("test", "1.0.0").session_state(make).tools(tools![count])).await;
        for expected in ["1", "2"] {
            client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "count"}})).await;
            assert_eq!(client.next().await["result"]["content"][0]["text"], expected);
        }
        assert!(!dropped.load(Ordering::SeqCst));
        let Client { input, output, serving } = client;
        drop((input, output));
        serving.await.unwrap().unwrap();
        assert!(dropped.load(Ordering::SeqCst));
    });
}
