//! A server binary that serves over HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, Output, Stdio};

use serde_json::Value;

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3},"_meta":{
    "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;

/// The example `calc`, which cargo builds before the tests.
fn program() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.join("examples").join(format!("calc{}", std::env::consts::EXE_SUFFIX))
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(arguments).env_remove("MCP_TOKEN").stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// A process that serves. It is killed at the end of the test.
struct Serving {
    child: Child,
    /// `host:port`
    address: String,
    /// What it printed after the URL.
    announced: String,
    /// Kept open, so that the process can print.
    _stderr: BufReader<ChildStderr>,
}

impl Serving {
    fn start(command: &mut Command) -> Serving {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut first = String::new();
        stderr.read_line(&mut first).unwrap();
        let address = first.trim().strip_prefix("listening on http://").and_then(|rest| rest.strip_suffix("/mcp"));
        let address = address.unwrap_or_else(|| panic!("{first}")).to_owned();
        let mut announced = String::new();
        stderr.read_line(&mut announced).unwrap();
        Serving { child, address, announced, _stderr: stderr }
    }

    /// Posts a call of `add`. Returns the status and the body.
    fn post(&self, headers: &[(&str, &str)]) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = headers.iter().find(|(name, _)| *name == "Host").map_or(self.address.as_str(), |(_, host)| host);
        let mut request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n\
             Mcp-Name: add\r\nContent-Length: {}\r\n",
            PING.len()
        );
        for (name, value) in headers.iter().filter(|(name, _)| *name != "Host") {
            request += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{request}\r\n{PING}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn http_needs_no_code_and_the_line_for_claude_code_is_printed() {
    for arguments in [&["serve", "--http", "0"][..], &["--http=127.0.0.1:0"]] {
        let serving = Serving::start(&mut command(arguments));
        let url = format!("http://{}/mcp", serving.address);
        assert!(serving.address.starts_with("127.0.0.1:"), "{}", serving.address);
        assert_eq!(
            serving.announced.trim(),
            format!("Add it to Claude Code:  claude mcp add --transport http mcp-serve {url}")
        );
        let (status, body) = serving.post(&[]);
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((status, body["result"]["content"][0]["text"].as_str()), (200, Some("5")), "{body}");
    }
}

#[test]
fn a_public_address_is_refused_without_a_token() {
    for address in ["0.0.0.0:0", "[::]:0"] {
        let output = run(&["serve", "--http", address]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("a token is needed") && error.contains("--token-file"), "{error}");
    }
}

#[test]
fn with_a_token_only_requests_that_have_it_are_served_and_it_is_never_printed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, format!("{TOKEN}\n")).unwrap();
    let mut with_file = command(&["serve", "--http", "0.0.0.0:0", "--token-file", file.to_str().unwrap()]);
    let mut with_variable = command(&["serve", "--http", "0"]);
    with_variable.env("MCP_TOKEN", TOKEN);
    for command in [&mut with_file, &mut with_variable] {
        let serving = Serving::start(command);
        assert!(serving.announced.contains("--header \"Authorization: Bearer $"), "{}", serving.announced);
        assert!(!serving.announced.contains(TOKEN));
        assert_eq!(serving.post(&[]).0, 401);
        assert_eq!(serving.post(&[("Authorization", "Bearer 0123456789abcdef0123456789abcdee")]).0, 401);
        assert_eq!(serving.post(&[("Authorization", "Bearer 0123456789abcdef")]).0, 401);
        assert_eq!(serving.post(&[("Authorization", &format!("Bearer {TOKEN}"))]).0, 200);
    }
}

#[test]
fn a_token_that_is_missing_empty_or_short_is_refused_without_showing_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    for (content, reason) in [(None, "cannot read the token"), (Some(""), "is empty"), (Some("s3cret"), "too short")] {
        if let Some(content) = content {
            std::fs::write(&file, content).unwrap();
        }
        let output = run(&["serve", "--http", "0", "--token-file", file.to_str().unwrap()]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(reason) && !error.contains("s3cret"), "{error}");
    }
}

#[test]
fn hosts_and_origins_are_accepted_only_if_they_are_listed() {
    let mut arguments = vec!["serve", "--http", "0"];
    let strict = Serving::start(&mut command(&arguments));
    arguments.extend(["--allow-host", "mcp.example.com", "--allow-origin", "https://app.example.com"]);
    let open = Serving::start(&mut command(&arguments));
    for (header, listed) in [
        (("Host", "mcp.example.com"), true),
        (("Host", "evil.example.com"), false),
        (("Origin", "https://app.example.com"), true),
        (("Origin", "https://evil.example.com"), false),
    ] {
        assert_eq!(strict.post(&[header]).0, 403, "{header:?}");
        assert_eq!(open.post(&[header]).0, if listed { 200 } else { 403 }, "{header:?}");
    }
}

#[test]
fn a_port_that_is_in_use_is_an_error_with_its_reason() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let output = run(&["serve", "--http", &taken.local_addr().unwrap().port().to_string()]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.starts_with("cannot listen on "), "{error}");
}

#[test]
fn without_http_it_serves_over_standard_input_and_output_and_has_the_commands() {
    let mut child = command(&[]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n");

    assert_eq!(String::from_utf8_lossy(&run(&["call", "add", "a=2", "b=3"]).stdout), "5\n");
    let help = run(&["--help"]);
    assert!(String::from_utf8_lossy(&help.stdout).contains("serve [--http ADDRESS]"));
    let help = run(&["serve", "--help"]);
    assert!(String::from_utf8_lossy(&help.stdout).contains("--token-file FILE"));
    let words = run(&["__complete", "serve", "--"]);
    assert!(String::from_utf8_lossy(&words.stdout).contains("--allow-origin"));
}

#[test]
fn unknown_options_are_refused_with_a_suggestion() {
    for (arguments, reason) in [
        (&["--bogus"][..], "unknown option `--bogus`"),
        (&["serve", "--htp", "1"], "did you mean `--http`?"),
        (&["serve", "--http", "1", "--alow-host", "a"], "did you mean `--allow-host`?"),
        (&["serve", "--http", "http://localhost:1"], "127.0.0.1:8080"),
    ] {
        let output = run(arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(reason), "{arguments:?}: {error}");
    }
}

/// Calls `plan` and returns what it printed.
fn plan(arguments: &str) -> String {
    let output = run(&["call", "plan", arguments]);
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn every_violation_of_the_arguments_is_named_at_once() {
    let right = r#"{"from": "2026-12-24", "until": "2026-12-31", "passengers": [{"name": "Ada", "seat": "12A"}]}"#;
    assert_eq!(plan(right), "2026-12-24 to 2026-12-31: Ada in 12A\n");

    let dates = plan(r#"{"from": "24.12.2026", "until": "2026-02-30", "passengers": []}"#);
    let lines = [
        "invalid arguments:",
        "- `from`: expected a date such as \"2026-11-19\", got the string \"24.12.2026\"",
        "- `until`: expected a date such as \"2026-11-19\", got the string \"2026-02-30\"",
    ];
    assert_eq!(dates.lines().collect::<Vec<_>>(), lines);

    let misspelt = plan(&right.replace("\"seat\"", "\"saet\""));
    let line = "- `passengers[0].saet`: unknown; did you mean `seat`?";
    assert!(misspelt.contains(line) && misspelt.contains("- `passengers[0].seat`: missing"), "{misspelt}");

    let seats = r#"[{"name": "Ada", "seat": "A12"}, {"name": "Bo", "seat": "3C"}, {"name": "Cy", "seat": "999X"}]"#;
    let seats = plan(&right.replace(r#"[{"name": "Ada", "seat": "12A"}]"#, seats));
    let lines = [
        "invalid arguments:",
        "- `passengers[0].seat`: `A12` is not a row and a letter",
        "- `passengers[2].seat`: `999X` is not a row and a letter",
    ];
    assert_eq!(seats.lines().collect::<Vec<_>>(), lines);
}
