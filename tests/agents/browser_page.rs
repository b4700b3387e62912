//! The example `browser` in a real browser.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;

use mcp_agent_test::{Block, Turn, Usage, prompt};
use serde_json::{Value, json};

use crate::built_examples::TEST_TIMEOUT;
use crate::chromium::Browser;
use crate::setup::{PipedProgram, Setup};

#[test]
fn the_page_shows_a_run_while_it_runs_and_when_it_is_done() {
    let Some(setup) = Setup::or_skip() else { return };
    let Some(browser) = Browser::or_skip() else { return };
    let pause = setup.model.pause_point("the rest");
    let first = Turn::of([Block::thinking("Hm, adding."), Block::tool("mcp__calc__add", json!({"a": 2, "b": 3}))]);
    let last = Turn::text("It is <b>five</b>.").pause_midway(&pause).usage(Usage::new(100, 42));
    let mut server = PipedProgram::run(&mut setup.command("browser"));
    let url = server.wait_for("\n").trim().to_owned();

    // The browser requests this URL when it shows the first text. The model continues only then.
    let go = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", go.local_addr().unwrap());
    let opener = thread::spawn(move || {
        let (mut stream, _) = go.accept().unwrap();
        pause.release();
        stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").unwrap();
    });
    let output = browser.run_prompt(&url, &prompt("2 + 3?", [first, last]), &address);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    opener.join().unwrap();

    let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
    // The version is not pinned: it is that of the distribution.
    eprintln!("tested with Chromium {}", seen["browser"].as_str().unwrap());
    let (during, after) = (&seen["during"], &seen["after"]);
    assert_eq!((&during["state"], &during["cost"]), (&json!("running"), &json!("")), "{seen:#}");
    assert_eq!(after["thinking"], json!(["Hm, adding."]), "{seen:#}");
    assert_eq!(after["tools"], json!(["mcp__calc__add {\"a\":2,\"b\":3}\n→ 5"]), "{seen:#}");
    assert_eq!(
        (&after["text"], &after["markup"]),
        (&json!(["It is <b>five</b>."]), &json!(0)),
        "text of the model is not parsed as HTML"
    );
    assert_eq!(
        (&after["state"], &after["failed"], &seen["problems"]),
        (&json!("success"), &json!(0), &json!([])),
        "{seen:#}"
    );
    assert!(
        after["cost"].as_str().unwrap().starts_with("$0.00") && after["cost"].as_str().unwrap().contains("62 tokens"),
        "{seen:#}"
    );
}

#[test]
fn a_client_that_disconnects_ends_the_run() {
    let Some(setup) = Setup::or_skip() else { return };
    let pause = setup.model.pause_point("never");
    let mut server = PipedProgram::run(&mut setup.command("browser"));
    let address = server.wait_for("\n").trim().trim_start_matches("http://").to_owned();
    setup.model.push(Turn::text("half of it").pause_midway(&pause));
    let mut watcher = TcpStream::connect(&address).unwrap();
    write!(watcher, "GET /run?chat=c&prompt=talk HTTP/1.1\r\nhost: {address}\r\n\r\n").unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        tokio::time::timeout(TEST_TIMEOUT, pause.reached()).await.expect("the model receives a request");
        drop(watcher);
        // The pause point is never released, so the request ends only because the CLI has exited.
        tokio::time::timeout(TEST_TIMEOUT, setup.model.wait_until_idle()).await.expect("the CLI ends");
    });
    pause.release();
}

#[test]
fn a_page_of_another_origin_cannot_start_a_run() {
    let Some(setup) = Setup::or_skip() else { return };
    let mut server = PipedProgram::run(&mut setup.command("browser"));
    let address = server.wait_for("\n").trim().trim_start_matches("http://").to_owned();
    let mut stream = TcpStream::connect(&address).unwrap();
    let head = "GET /run?chat=c&prompt=talk HTTP/1.1\r\nconnection: close\r\nsec-fetch-site: cross-site\r\n";
    write!(stream, "{head}host: {address}\r\n\r\n").unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 403"), "{reply}");
    assert!(setup.model.all_requests().is_empty());
}
