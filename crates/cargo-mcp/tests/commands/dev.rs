//! Tests of `cargo mcp dev`: the client stays connected while the server changes.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::project::Project;

/// The time limit of one step. It allows several builds on a loaded machine.
const LONG: Duration = Duration::from_secs(400);

/// The client of a `cargo mcp dev`.
pub(crate) struct Client {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
}

impl Client {
    fn start(project: &Project) -> Client {
        let cargo = project.cargo();
        let variables = cargo.get_envs().filter_map(|(name, value)| Some((name, value?)));
        Client::spawn(&project.folder, |command| command.env("CARGO", env!("CARGO")).envs(variables))
    }

    pub(crate) fn spawn(folder: &Path, set: impl FnOnce(&mut Command) -> &mut Command) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-mcp"));
        set(command.args(["mcp", "dev"]).current_dir(folder));
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = lines_of(process.stdout.take().unwrap());
        let errors = lines_of(process.stderr.take().unwrap());
        Client { input: process.stdin.take(), process, lines, errors }
    }

    pub(crate) fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    pub(crate) fn request(&mut self, id: u64, method: &str, params: &Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.until(|message| message["id"] == id)
    }

    /// Returns the next message for which `wanted` returns true. All messages before it must be valid JSON.
    pub(crate) fn until(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = self.lines.recv_timeout(LONG).expect("a message in time");
            let message: Value =
                serde_json::from_str(&line).unwrap_or_else(|_| panic!("the client received invalid JSON: {line:?}"));
            if wanted(&message) {
                return message;
            }
        }
    }

    fn greet(&mut self, id: u64) -> String {
        let answer = self.request(id, "tools/call", &json!({"name": "greet", "arguments": {"name": "Ada"}}));
        answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// Closes the input, and waits for the end of the process.
    pub(crate) fn end(&mut self) -> ExitStatus {
        drop(self.input.take());
        self.process.wait().unwrap()
    }

    fn until_author_sees(&self, wanted: &str) {
        loop {
            if self.errors.recv_timeout(LONG).unwrap_or_else(|_| panic!("no {wanted:?} on stderr")).contains(wanted) {
                return;
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn lines_of(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    lines
}

#[test]
fn the_client_stays_connected_while_the_server_changes_fails_to_build_and_is_fixed() {
    let Some(project) = Project::new("reloaded") else { return };
    // Build the dependencies first: this can take minutes, and a client would not wait so long.
    assert!(project.cargo().args(["build", "--quiet"]).status().unwrap().success());
    let mut client = Client::start(&project);
    // This request arrives before the first build has finished. It waits and gets a response.
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let agreed = client.request(0, "initialize", &params);
    assert_eq!(agreed["result"]["capabilities"]["tools"]["listChanged"], true, "{agreed}");
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(client.greet(1), "Hello, Ada!");

    project.write("src/lib.rs", |text| text.replace("Hello", "Good day"));
    client.until(|message| message["method"] == "notifications/tools/list_changed");
    assert_eq!(client.greet(2), "Good day, Ada!");

    // The author sees the compile error, and the client keeps the previous server.
    project.write("src/lib.rs", |text| text.replace("format!", "fromat!"));
    client.until_author_sees("cannot find macro `fromat`");
    client.until_author_sees("the previous server keeps running");
    assert_eq!(client.greet(3), "Good day, Ada!");

    project.write("src/lib.rs", |text| text.replace("fromat!", "format!").replace("Good day", "Welcome"));
    client.until(|message| message["method"] == "notifications/tools/list_changed");
    assert_eq!(client.greet(4), "Welcome, Ada!");

    assert!(client.end().success());
}

#[test]
fn the_handshake_does_not_wait_for_the_build_and_the_lists_do() {
    let Some(project) = Project::new("slow") else { return };
    // This build lasts until the file `go` exists.
    let script = "fn main() { while !std::path::Path::new(\"go\").exists() { std::thread::yield_now() } }";
    std::fs::write(project.folder.join("build.rs"), script).unwrap();
    let mut client = Client::start(&project);
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let agreed = client.request(0, "initialize", &params);
    let result = &agreed["result"];
    assert_eq!(
        (&result["protocolVersion"], &result["serverInfo"]["name"]),
        (&json!("2025-06-18"), &json!("slow")),
        "{agreed}"
    );
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "prompts/list"}));
    std::fs::write(project.folder.join("go"), "").unwrap();
    // On a slow machine the list is empty first, and the client is notified of the real one.
    let mut listed = client.until(|message| message["id"] == 1);
    if listed["result"]["tools"] == json!([]) {
        client.until(|message| message["method"] == "notifications/tools/list_changed");
        listed = client.request(3, "tools/list", &json!({}));
    }
    assert_eq!(listed["result"]["tools"][0]["name"], "greet", "{listed}");
    // The server has no prompts, but the handshake said that there may be some.
    assert_eq!(client.request(4, "prompts/list", &json!({}))["result"]["prompts"], json!([]));
    assert_eq!(client.greet(5), "Hello, Ada!");
}

#[test]
fn a_client_without_a_handshake_is_notified_of_changes_on_its_subscription() {
    let Some(project) = Project::new("listened") else { return };
    assert!(project.cargo().args(["build", "--quiet"]).status().unwrap().success());
    let mut client = Client::start(&project);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let wanted = json!({"toolsListChanged": true});
    let listen = json!({"_meta": meta, "notifications": wanted});
    client.send(&json!({"jsonrpc": "2.0", "id": "s", "method": "subscriptions/listen", "params": listen}));
    let receipt = client.until(|message| message["method"] == "notifications/subscriptions/acknowledged");
    // The server itself never changes its tools. `cargo mcp dev` announces changes because it replaces the server.
    assert_eq!(receipt["params"]["notifications"], wanted, "{receipt}");

    let is_change = |message: &Value| {
        assert_ne!(message["id"], "s", "the subscription must stay open: {message}");
        message["method"] == "notifications/tools/list_changed"
    };
    for (id, (before, after)) in [("Hello", "Good day"), ("Good day", "Welcome")].into_iter().enumerate() {
        project.write("src/lib.rs", |text| text.replace(before, after));
        let change = client.until(is_change);
        assert_eq!(change["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "s", "{change}");
        let call = json!({"_meta": meta, "name": "greet", "arguments": {"name": "Ada"}});
        let answer = client.request(id as u64, "tools/call", &call);
        assert_eq!(answer["result"]["content"][0]["text"], format!("{after}, Ada!"), "{answer}");
    }
    assert!(client.end().success());
}
