//! Who can use the inspector: only the page with the token, and only on this machine.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::json;

use crate::chromium::Browser;
use crate::page::{Inspector, drive_page, see, shown, wait};
use crate::setup::playground;

/// Sends a request with these header lines. Returns the response.
fn request(inspector: &Inspector, line: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(inspector.address()).unwrap();
    let host = if headers.contains("Host:") { String::new() } else { format!("Host: {}\r\n", inspector.address()) };
    write!(stream, "{line} HTTP/1.1\r\n{host}{headers}Content-Length: 2\r\nConnection: close\r\n\r\n{{}}").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

#[test]
fn requests_of_others_are_refused_and_other_machines_cannot_connect() {
    let inspector = Inspector::of(&[&playground()]);
    let token = inspector.url.split_once('#').unwrap().1;
    assert!(token.len() >= 32, "{token}");
    let json = "Content-Type: application/json\r\n";
    let with = format!("{json}Authorization: Bearer {token}\r\n");
    for (headers, status) in [
        (with.clone(), "200"),
        (json.to_owned(), "401"),
        (format!("{json}Authorization: Bearer {}\r\n", "0".repeat(token.len())), "401"),
        (format!("{with}Origin: http://evil.test\r\n"), "403"),
        (format!("{with}Origin: null\r\n"), "403"),
        (format!("{with}Host: evil.test\r\n"), "421"),
    ] {
        let response = request(&inspector, "POST /api/ping", &headers);
        assert!(response.starts_with(&format!("HTTP/1.1 {status}")), "{headers}: {response}");
    }
    let page = request(&inspector, "GET /", "").to_lowercase();
    assert!(page.contains("content-security-policy: default-src 'none'; script-src 'self'") && !page.contains(token));
    assert!(page.contains("x-frame-options: deny") && !page.contains("access-control-allow"), "{page}");
    // It listens on 127.0.0.1 and not on all addresses: the port is free on another one.
    let port = inspector.address().rsplit_once(':').unwrap().1.parse::<u16>().unwrap();
    TcpListener::bind(("127.0.0.2", port)).unwrap();
}

/// Serves a page that attacks the inspector at this address. Returns its own address.
fn serve_attack(address: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let page = format!(
        "<!doctype html><iframe id=frame src='http://{address}/'></iframe><script>\
         const tries = [\
           fetch('http://{address}/api/call', {{method: 'POST', mode: 'no-cors', body: '{{\"tool\":\"add\",\"arguments\":{{}}}}'}}),\
           fetch('http://{address}/api/ping', {{method: 'POST', headers: {{'content-type': 'application/json'}}, body: '{{}}'}}),\
           fetch('http://{address}/api/events', {{headers: {{authorization: 'Bearer x'}}}}),\
           fetch('http://{address}/main.js'), import('http://{address}/main.js')];\
         Promise.allSettled(tries).then(all => {{ window.tried = all.map(one => one.value?.type ?? one.status); }});\
         </script>"
    );
    let own = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let length = page.len();
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n";
            let _ = write!(stream, "{head}content-length: {length}\r\n\r\n{page}");
        }
    });
    own
}

#[test]
fn a_page_of_another_origin_cannot_call_read_or_frame_the_inspector() {
    let Some(browser) = Browser::or_skip() else { return };
    let inspector = Inspector::of(&[&playground()]);
    let attack = serve_attack(inspector.address());
    // The attempts are reported as errors of the console, so `drive` must not be used for them: it fails then.
    let script = "import { chromium } from 'playwright-core';\
        const [executablePath, url] = process.argv.slice(2);\
        const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });\
        const page = await browser.newPage();\
        await page.goto(url);\
        await page.waitForFunction('window.tried');\
        console.log(JSON.stringify([await page.evaluate('window.tried'), await page.frames()[1].evaluate('document.title')]));\
        await browser.close();";
    let output = browser.script("attack.mjs", script).arg(&attack).output().unwrap();
    let seen = String::from_utf8_lossy(&output.stdout).into_owned();
    let refused = json!([["rejected", "rejected", "rejected", "rejected", "rejected"], ""]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&seen).unwrap_or_default(), refused, "{seen}\n{errors}");
    // Nothing reached the server: there is no call in the journal.
    let calls =
        "[...document.querySelectorAll('#journal .entry')].filter(entry => entry.innerText.includes('tools/call')).length";
    let steps = [shown("#journal", "tools/list result"), wait("document.querySelector('#call')"), see(calls)];
    assert_eq!(drive_page(&browser, &inspector, steps), [json!(0)]);
}
