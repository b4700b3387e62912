//! The server process under test, and raw HTTP connections to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use mcp_core::serde_json::{Value, json};

/// How long a test waits for one step before it fails. Generous, because CI machines are slow under load.
pub(crate) const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// A grace period that no test waits for.
pub(crate) const LONG_GRACE: &str = "3600";

/// A running process of the example `test_server`. Dropping it kills the process.
pub(crate) struct TestServer {
    process: Child,
    stdin: ChildStdin,
    output: Receiver<String>,
    pub(crate) address: SocketAddr,
}

impl TestServer {
    pub(crate) fn start(arguments: &[&str]) -> TestServer {
        TestServer::spawn(Command::new(example("test_server")).args(arguments).env_clear())
    }

    pub(crate) fn spawn(command: &mut Command) -> TestServer {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(process.stderr.take().unwrap()).read_line(&mut first).unwrap();
        let url = first.trim().strip_prefix("listening on http://").unwrap_or_else(|| panic!("no address in {first:?}"));
        let address = url.strip_suffix("/mcp").unwrap().parse().unwrap();
        let (sender, output) = channel();
        let stdout = BufReader::new(process.stdout.take().unwrap());
        thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let stdin = process.stdin.take().unwrap();
        TestServer { process, stdin, output, address }
    }

    // Not on Windows: the tests of signals use it.
    #[cfg(unix)]
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Waits until this many more calls have started.
    pub(crate) fn wait_for_calls(&self, count: usize) {
        (0..count).for_each(|_| assert_eq!(self.output.recv_timeout(TEST_TIMEOUT).unwrap(), "started"));
    }

    /// Ends all calls of the tool `wait`.
    pub(crate) fn release_calls(&mut self) {
        self.stdin.write_all(b"release\n").unwrap();
    }

    /// Waits until the server refuses new connections.
    pub(crate) fn wait_until_refused(&self) {
        let deadline = Instant::now() + TEST_TIMEOUT;
        while TcpStream::connect(self.address).is_ok() {
            assert!(Instant::now() < deadline, "new connections are still accepted");
            thread::yield_now();
        }
    }

    pub(crate) fn wait_for_exit(&mut self) -> ExitStatus {
        let deadline = Instant::now() + TEST_TIMEOUT;
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "the process does not exit");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the path of an example. Builds the example `test_server` on first use.
pub(crate) fn example(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        // This test binary is target/PROFILE/deps/NAME-HASH.
        let this = std::env::current_exe().unwrap();
        let profile = this.parent().and_then(Path::parent).unwrap();
        // `cargo xtask windows` sets it: there is no cargo where the tests run.
        if std::env::var_os("EXAMPLES_ARE_BUILT").is_some() {
            return profile.join("examples");
        }
        let mut build = Command::new(env!("CARGO"));
        // With the features of the whole workspace, as `cargo test --workspace` builds it, so that CI compiles nothing a second time.
        build.args(["build", "--quiet", "--workspace", "--example", "test_server"]);
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success(), "the example does not build");
        profile.join("examples")
    };
    BUILT.get_or_init(build).join(name).with_extension(std::env::consts::EXE_EXTENSION)
}

/// A connection to a server.
pub(crate) struct Connection(BufReader<TcpStream>);

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> Connection {
        Connection::over(TcpStream::connect(address).unwrap())
    }

    pub(crate) fn over(stream: TcpStream) -> Connection {
        stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
        Connection(BufReader::new(stream))
    }

    pub(crate) fn send(&mut self, bytes: &str) {
        self.0.get_mut().write_all(bytes.as_bytes()).unwrap();
    }

    /// Reads a response with a JSON body. Returns its status and its session id.
    pub(crate) fn response(&mut self) -> (u16, String) {
        let (status, session, length) = self.read_head();
        self.0.read_exact(&mut vec![0; length]).unwrap();
        (status, session)
    }

    /// Reads the head of a response. Returns its status.
    pub(crate) fn head(&mut self) -> u16 {
        self.read_head().0
    }

    /// Returns the status, the session id and the length of the body.
    fn read_head(&mut self) -> (u16, String, usize) {
        let (mut status, mut session, mut length) = (0, String::new(), 0);
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "the connection was closed before the end of the head");
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest[..3].parse().unwrap();
            }
            if let Some(id) = line.strip_prefix("mcp-session-id: ") {
                session = id.trim().to_owned();
            }
            if let Some(announced) = line.strip_prefix("content-length: ") {
                length = announced.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                return (status, session, length);
            }
        }
    }

    /// Reads until there is a line that contains `text`.
    pub(crate) fn read_until(&mut self, text: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "the connection was closed before {text:?}");
            if line.contains(text) {
                return line;
            }
        }
    }

    /// Reads to the end of the connection.
    pub(crate) fn rest(mut self) -> String {
        let mut rest = String::new();
        self.0.read_to_string(&mut rest).unwrap();
        rest
    }
}

/// A POST with additional header lines.
pub(crate) fn post(path: &str, headers: &str, body: &Value) -> String {
    let body = body.to_string();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
}

pub(crate) fn get(path: &str, headers: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n{headers}\r\n")
}

/// A tool call of a revision without handshake.
pub(crate) fn stateless_call(tool: &str) -> String {
    stateless("tools/call", json!({"name": tool}), &format!("mcp-name: {tool}\r\n"))
}

pub(crate) fn stateless(method: &str, mut params: Value, headers: &str) -> String {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    });
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    post("/mcp", &format!("mcp-protocol-version: 2026-07-28\r\nmcp-method: {method}\r\n{headers}"), &body)
}

pub(crate) fn initialize(path: &str) -> String {
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    post(path, "", &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}))
}

/// A tool call in the session of `headers` or `path`.
pub(crate) fn call(path: &str, headers: &str, tool: &str) -> String {
    post(path, headers, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool}}))
}
