//! The page about HTTP shows code that compiles, and the output of its `curl` commands.

use std::process::Command;

use serde_json::Value;
use tokio::sync::oneshot;

use crate::example_servers::http;
use crate::markdown::{assert_compiled, blocks, contains, parse, read};

const PAGE: &str = "docs/http.md";

#[test]
fn the_page_shows_the_code_of_the_example() {
    assert_compiled(PAGE, "examples/http.rs");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_curl_command_prints_the_shown_output() {
    if !has_curl() {
        return;
    }
    let http = http::options().protect(http::protection().unwrap());
    let listener = http.listen(http::server(), "127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.address());
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(listener.serve_until(stopped));
    let blocks = blocks(&read(PAGE));
    let mut ran = 0;
    for pair in blocks.windows(2).filter(|pair| pair[0].language == "sh") {
        let (script, url) = (pair[0].text.clone(), url.clone());
        let output = tokio::task::spawn_blocking(move || run(&script, &url)).await.unwrap();
        match pair[1].language.as_str() {
            "json" => {
                let (json, shown): (Value, Value) = (parse(&output), parse(&pair[1].text));
                assert!(contains(&json, &shown), "{}\n{output}", pair[0].text);
            }
            _ => assert_eq!(output.trim(), pair[1].text.trim(), "{}", pair[0].text),
        }
        ran += 1;
    }
    assert_eq!(ran, 6);
    drop(stop);
    serving.await.unwrap();
}

fn run(script: &str, url: &str) -> String {
    let mut shell = Command::new("sh");
    shell.args(["-ec", script]).env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("MCP", url);
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns whether `curl` can print a single header, which needs version 7.83.
fn has_curl() -> bool {
    let version =
        Command::new("curl").arg("--version").output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let number = version.ok().and_then(|text| {
        let mut parts = text.split_whitespace().nth(1)?.split('.').map(|part| part.parse::<u32>().ok());
        Some((parts.next()??, parts.next()??))
    });
    let found = number.is_some_and(|number| number >= (7, 83));
    if !found {
        test_env::skip("curl 7.83 or later is not installed");
    }
    found
}
