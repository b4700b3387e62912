//! A guarded server as a process with stdio, and over HTTP: what one caller has read counts for no other caller.

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use http::Request;
use http_body_util::BodyExt as _;
use mcp_core::Builder;
use mcp_guard::{Guard, Layer, Rules};
use mcp_http::{Endpoint, Http};
use serde_json::{Value, json};
use tower_service::Service as _;

use crate::{file_tools, folder, server};

/// The folder of the server, set in the process of the server.
const FOLDER: &str = "FOLDER_OF_A_GUARDED_SERVER";

/// A server whose rules deny `.env` and allow everything else.
fn guarded(folder: &Path) -> Builder {
    let rules = Rules::new(folder).allow(Layer::User, "mcp__files__*").unwrap().deny(Layer::User, "Read(.env)").unwrap();
    server(folder, Guard::new("files", rules).files(file_tools(folder)))
}

fn initialize() -> Value {
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
}

fn initialized() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
}

fn tool_call(tool: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

fn read(path: &str) -> Value {
    tool_call("read", json!({"path": path}))
}

fn write(content: &str) -> Value {
    tool_call("write", json!({"path": "a.txt", "content": content}))
}

/// The server of `a_guarded_server_process_...`, in a process of its own. As a test of the other process it does nothing.
#[tokio::test]
async fn serves_in_the_process_of_another_test() {
    if let Some(folder) = env::var_os(FOLDER) {
        mcp_stdio::serve(guarded(Path::new(&folder))).await.unwrap();
    }
}

/// A server in another process.
struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    fn start(folder: &Path) -> Self {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "transports::serves_in_the_process_of_another_test", "--nocapture"]).env(FOLDER, folder);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut process = Self { child, input, output };
        assert!(process.request(&initialize()).contains("2025-11-25"));
        writeln!(process.input, "{}", initialized()).unwrap();
        process
    }

    /// Sends a request, and returns the response.
    fn request(&mut self, request: &Value) -> String {
        writeln!(self.input, "{request}").unwrap();
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the server has ended");
            // The test harness writes lines of its own, and the name of the test without an end of line.
            if let Some(at) = line.find('{') {
                return line[at..].to_owned();
            }
        }
    }

    fn end(self) {
        let Self { mut child, input, output } = self;
        drop(input);
        drop(output);
        child.wait().unwrap();
    }
}

#[test]
fn a_guarded_server_process_denies_by_rules_and_requires_that_this_client_has_read_the_file() {
    let folder = folder();
    fs::write(folder.path().join(".env"), "secret").unwrap();
    let (mut reader, mut writer) = (Process::start(folder.path()), Process::start(folder.path()));
    assert!(reader.request(&read(".env")).contains("the rule Read(.env) denies it"));
    assert!(reader.request(&read("a.txt")).contains("one two one"));
    let response = writer.request(&write("x"));
    assert!(response.contains("read it first"), "{response}");
    assert!(reader.request(&write("mine")).contains("written"));
    assert_eq!(fs::read_to_string(folder.path().join("a.txt")).unwrap(), "mine");
    reader.end();
    writer.end();
}

/// Posts a message. Returns the id of the session, if the response has one, and its body.
async fn post(endpoint: &Endpoint, session: Option<&str>, message: &Value) -> (Option<String>, String) {
    let mut request = Request::post("/mcp").header("host", "localhost").header("content-type", "application/json");
    request = request.header("accept", "application/json, text/event-stream");
    if let Some(session) = session {
        request = request.header("mcp-session-id", session);
    }
    let Ok(response) = endpoint.clone().call(request.body(message.to_string()).unwrap()).await;
    let id = response.headers().get("mcp-session-id").map(|id| id.to_str().unwrap().to_owned());
    let Ok(body) = response.into_body().collect().await;
    (id, String::from_utf8(body.to_bytes().to_vec()).unwrap())
}

#[tokio::test]
async fn what_one_session_over_http_has_read_another_session_may_not_write() {
    let folder = folder();
    let endpoint = Http::new().endpoint(guarded(folder.path())).unwrap();
    let mut sessions = Vec::new();
    for _ in 0..2 {
        let session = post(&endpoint, None, &initialize()).await.0.expect("a session");
        post(&endpoint, Some(&session), &initialized()).await;
        sessions.push(session);
    }
    let (reader, writer) = (Some(sessions[0].as_str()), Some(sessions[1].as_str()));
    assert!(post(&endpoint, reader, &read("a.txt")).await.1.contains("one two one"));
    let (_, response) = post(&endpoint, writer, &write("x")).await;
    assert!(response.contains("read it first"), "{response}");
    let (_, response) = post(&endpoint, reader, &write("mine")).await;
    assert!(response.contains("written"), "{response}");
    assert_eq!(fs::read_to_string(folder.path().join("a.txt")).unwrap(), "mine");
}
