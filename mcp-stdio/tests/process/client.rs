//! A client of the example `torture`. Every wait has a timeout.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Timeout of every wait: far more than any step takes.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// A server process and its output so far.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    replies: HashMap<String, Value>,
    pub(crate) notifications: Vec<Value>,
    errors: Receiver<String>,
}

impl Client {
    /// Starts a server and performs the handshake.
    pub(crate) fn start(arguments: &[&str]) -> Client {
        let mut client = Client::spawn(Command::new(server()).args(arguments));
        client.handshake();
        client
    }

    /// Starts a server without a handshake.
    pub(crate) fn spawn(command: &mut Command) -> Client {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = lines_of(child.stdout.take().unwrap());
        let errors = lines_of(child.stderr.take().unwrap());
        let input = child.stdin.take();
        Client { child, input, lines, replies: HashMap::new(), notifications: Vec::new(), errors }
    }

    pub(crate) fn handshake(&mut self) {
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        self.request("init", "initialize", &params);
        assert_eq!(self.reply("init")["result"]["protocolVersion"], "2025-11-25");
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("open").write_all(bytes).unwrap();
    }

    pub(crate) fn request(&mut self, id: &str, method: &str, params: &Value) {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.raw(format!("{request}\n").as_bytes());
    }

    pub(crate) fn call(&mut self, id: &str, tool: &str, arguments: &Value) {
        self.request(id, "tools/call", &json!({"name": tool, "arguments": arguments}));
    }

    pub(crate) fn cancel(&mut self, id: &str) {
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        self.raw(format!("{cancel}\n").as_bytes());
    }

    /// Waits for a reply. Keeps other messages that come meanwhile. Fails if a line is not a JSON-RPC message.
    pub(crate) fn reply(&mut self, id: &str) -> Value {
        loop {
            if let Some(reply) = self.replies.remove(id) {
                return reply;
            }
            assert!(self.take(), "the output ended before the reply to {id}");
        }
    }

    pub(crate) fn text(&mut self, id: &str) -> String {
        let reply = self.reply(id);
        reply["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {reply}")).to_owned()
    }

    /// Sends a ping and waits for its reply. Returns the time that it took. Replies that were sent before it are then kept.
    pub(crate) fn ping(&mut self) -> Duration {
        let start = Instant::now();
        self.request("ping", "ping", &json!({}));
        assert_eq!(self.reply("ping")["result"], json!({}));
        start.elapsed()
    }

    /// Waits for a notification with this method. Returns its parameters.
    pub(crate) fn notification(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.notifications.iter().position(|message| message["method"] == method) {
                return self.notifications.remove(at)["params"].take();
            }
            assert!(self.take(), "the output ended before {method}");
        }
    }

    /// Keeps one more message. Returns false at the end of the output.
    fn take(&mut self) -> bool {
        let Some(line) = next(&self.lines) else {
            return false;
        };
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("the output contains {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        match message["id"].as_str().map(str::to_owned) {
            Some(id) => assert!(self.replies.insert(id, message).is_none(), "answered twice: {line}"),
            None => self.notifications.push(message),
        }
        true
    }

    /// Waits for a line on stderr.
    pub(crate) fn error_line(&self, wanted: &str) {
        while let Some(line) = next(&self.errors) {
            if line.contains(wanted) {
                return;
            }
        }
        panic!("stderr does not contain {wanted:?}");
    }

    /// Returns all of stderr, until the process ends.
    pub(crate) fn all_errors(&self) -> String {
        std::iter::from_fn(|| next(&self.errors)).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Returns the number of threads of the server.
    // Not on Windows: it is read from /proc.
    #[cfg(target_os = "linux")]
    pub(crate) fn threads(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap().count()
    }

    /// Returns the process id of the server.
    // Not on Windows: the tests of signals use it.
    #[cfg(unix)]
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for the end of the output: no process has it open any more.
    pub(crate) fn silence(&mut self) {
        while self.take() {}
    }

    /// Waits for the end of the process. Returns its status and the time that it took.
    pub(crate) fn end(&mut self) -> (ExitStatus, Duration) {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, start.elapsed());
            }
            assert!(start.elapsed() < LONG, "the server does not end");
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Returns the resident memory of the server in KiB, and the number of its open descriptors.
    // Not on Windows: it is read from /proc.
    #[cfg(target_os = "linux")]
    pub(crate) fn usage(&self) -> (u64, usize) {
        let process = Path::new("/proc").join(self.child.id().to_string());
        let status = std::fs::read_to_string(process.join("status")).unwrap();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
        let memory = resident.trim().trim_end_matches(" kB").parse().unwrap();
        (memory, std::fs::read_dir(process.join("fd")).unwrap().count())
    }

    /// Returns whether a reply was kept.
    pub(crate) fn has_reply(&self, id: &str) -> bool {
        self.replies.contains_key(id)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn next(lines: &Receiver<String>) -> Option<String> {
    match lines.recv_timeout(LONG) {
        Ok(line) => Some(line),
        Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => None,
        Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("no line within {LONG:?}"),
    }
}

fn lines_of(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });
    lines
}

/// Starts a server. The test reads its output itself.
pub(crate) fn start_unread() -> (Child, ChildStdin, ChildStdout) {
    let mut child = Command::new(server())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the server starts");
    let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    (child, input, output)
}

/// Returns the path of the example `torture`. Builds it first.
pub(crate) fn server() -> &'static Path {
    static SERVER: OnceLock<PathBuf> = OnceLock::new();
    SERVER.get_or_init(|| example("torture"))
}

/// The environment variable of `cargo xtask windows`: the examples are built, and there is no cargo where the tests run.
pub(crate) const PREBUILT: &str = "EXAMPLES_ARE_BUILT";

/// Returns the path of an example. Builds all examples that these tests use first.
pub(crate) fn example(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        // target/<profile>/deps/<this test>
        let profile = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().to_owned();
        if std::env::var_os(PREBUILT).is_some() {
            return profile.join("examples");
        }
        let mut build = Command::new(env!("CARGO"));
        // With the features of the whole workspace, as `cargo test --workspace` builds it, so that CI compiles nothing a second time.
        build.args(["build", "--quiet", "--workspace"]);
        for example in ["calculator", "console", "logs", "notes", "progress", "tools", "torture"] {
            build.args(["--example", example]);
        }
        build.arg("--target-dir").arg(profile.parent().unwrap()).current_dir(env!("CARGO_MANIFEST_DIR"));
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success(), "the examples build");
        profile.join("examples")
    });
    folder.join(name).with_extension(std::env::consts::EXE_EXTENSION)
}
