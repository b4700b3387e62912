//! A client of the example `torture`, with every wait bounded.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Far more than anything takes, and still an end.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// A server process and what came out of it.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    replies: HashMap<String, Value>,
    pub(crate) notifications: Vec<Value>,
    errors: Receiver<String>,
}

impl Client {
    /// A server that has agreed on a revision.
    pub(crate) fn start(arguments: &[&str]) -> Client {
        let mut client = Client::spawn(Command::new(server()).args(arguments));
        client.handshake();
        client
    }

    /// Whatever this command starts, nothing said yet.
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

    /// Waits for a reply. Whatever else comes meanwhile is kept; what is no JSON-RPC message fails.
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

    /// Whether a ping is answered. Its reply comes after those to everything that was answered before.
    pub(crate) fn ping(&mut self) -> Duration {
        let start = Instant::now();
        self.request("ping", "ping", &json!({}));
        assert_eq!(self.reply("ping")["result"], json!({}));
        start.elapsed()
    }

    /// Waits for a notification of that method.
    pub(crate) fn notification(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.notifications.iter().position(|message| message["method"] == method) {
                return self.notifications.remove(at)["params"].take();
            }
            assert!(self.take(), "the output ended before {method}");
        }
    }

    /// Takes in one more message; false at the end of the output.
    fn take(&mut self) -> bool {
        let Some(line) = next(&self.lines) else {
            return false;
        };
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("the output holds {line:?}"));
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
        panic!("stderr never said {wanted:?}");
    }

    /// All of stderr, to the end of the process.
    pub(crate) fn all_errors(&self) -> String {
        std::iter::from_fn(|| next(&self.errors)).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// How many threads the server has.
    #[cfg(target_os = "linux")]
    pub(crate) fn threads(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap().count()
    }

    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for the end of the output: no process holds it any more.
    pub(crate) fn silence(&mut self) {
        while self.take() {}
    }

    /// Waits for the end of the process, and says how it ended and how long that took.
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

    /// The memory that the server occupies, in KiB, and how many descriptors it has open.
    #[cfg(target_os = "linux")]
    pub(crate) fn usage(&self) -> (u64, usize) {
        let process = Path::new("/proc").join(self.child.id().to_string());
        let status = std::fs::read_to_string(process.join("status")).unwrap();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
        let memory = resident.trim().trim_end_matches(" kB").parse().unwrap();
        (memory, std::fs::read_dir(process.join("fd")).unwrap().count())
    }

    /// Whether a reply came that nobody has asked for yet.
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
        Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("nothing came for {LONG:?}"),
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

/// A server whose output is left to the test.
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

/// The example `torture`, built as it stands now.
pub(crate) fn server() -> &'static Path {
    static SERVER: OnceLock<PathBuf> = OnceLock::new();
    SERVER.get_or_init(|| example("torture"))
}

/// An example, built as it stands now with all that these tests use.
pub(crate) fn example(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        // target/<profile>/deps/<this test>
        let profile = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().to_owned();
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "mcp-workspace", "--package", "torture"]);
        for example in ["calculator", "logs", "notes", "progress", "torture"] {
            build.args(["--example", example]);
        }
        build.arg("--target-dir").arg(profile.parent().unwrap()).current_dir(env!("CARGO_MANIFEST_DIR"));
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success(), "the examples build");
        profile.join("examples")
    });
    folder.join(name)
}
