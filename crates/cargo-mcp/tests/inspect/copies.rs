//! What the page copies works when it is pasted: curl commands, commands and tests.

use std::process::{Command, Stdio};

use serde_json::{Value, json};
use std::path::Path;

use crate::chromium::Browser;
use crate::page::{Inspector, answered, click, drive_page, fill, item, see, shown, wait};
use crate::setup::{HttpServer, playground};

/// The steps that replace the clipboard of the browser, which needs a permission.
fn catch_copies() -> Value {
    see("void (navigator.clipboard.writeText = async text => { window.copied = text; })")
}

fn call() -> [Value; 5] {
    [item("add"), fill("a", "2"), fill("b", "40"), click("#call"), answered()]
}

/// The steps that copy with a button of the result.
fn copied(label: &str) -> [Value; 3] {
    [click(&format!("#result button:text-is({})", json!(label))), wait("window.copied"), see("window.copied")]
}

/// Runs a pasted text in a shell. Returns what it prints.
fn pasted(text: &str, environment: &[(&str, &str)]) -> String {
    let mut shell = Command::new("bash");
    shell.args(["-euc", text]).env_clear().env("PATH", "/usr/bin:/bin").envs(environment.iter().copied());
    let output = shell.stdin(Stdio::null()).output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}\n{out}\n{}", String::from_utf8_lossy(&output.stderr));
    out
}

#[test]
fn a_copied_curl_command_repeats_the_call_in_both_eras() {
    let Some(browser) = Browser::or_skip() else { return };
    if !Path::new("/usr/bin/curl").is_file() {
        test_env::skip("curl is not installed");
        return;
    }
    let server = HttpServer::start();
    let inspector = Inspector::of(&[&server.url, "--header", "X-Key: it's a key"]);
    let steps = [catch_copies(), shown("#journal", "tools/list result")]
        .into_iter()
        .chain(call())
        .chain([shown("#journal", "tools/call result")])
        .chain(copied("Copy as curl"))
        .chain(copied("Copy as command"))
        .chain([
            see("void (window.copied = '')"),
            json!({"select": ["#revision", "2025-11-25"]}),
            shown("#journal", "notifications/initialized"),
            wait("!document.querySelector('#server-name').innerText.includes('…') && !document.querySelector('#outcome')"),
            click("#journal-clear"),
        ])
        .chain(call())
        .chain([shown("#journal", "tools/call result")])
        .chain(copied("Copy as curl"));
    let seen = drive_page(&browser, &inspector, steps);
    let texts: Vec<&str> = seen.iter().filter_map(Value::as_str).filter(|text| !text.is_empty()).collect();
    let [newest, command, old] = texts[..] else { panic!("{seen:?}") };
    assert!(!newest.contains("initialize") && old.contains("initialize"), "{newest}\n{old}");
    for curl in [newest, old] {
        assert!(curl.contains("\"$X_KEY\"") && !curl.contains("it's"), "the value of a header is secret: {curl}");
        let answer = pasted(curl, &[("X_KEY", "it's a key")]);
        assert!(answer.contains("\"text\":\"42\""), "{curl}\n{answer}");
    }
    let (program, rest) = (env!("CARGO_BIN_EXE_cargo-mcp"), command.strip_prefix("cargo mcp ").unwrap());
    assert_eq!(pasted(&format!("'{program}' mcp {rest}"), &[("X_KEY", "it's a key")]), "42\n");
}

#[test]
fn a_copied_test_is_the_one_that_this_crate_compiles_and_runs() {
    let Some(browser) = Browser::or_skip() else { return };
    let (inspector, server) = (Inspector::of(&[&playground()]), format!("{:?}", playground()));
    let steps = [catch_copies()].into_iter().chain(call()).chain(copied("Copy as test")).chain([
        see("void (window.copied = '')"),
        item("fail"),
        fill("reason", "no \"seats\" \\ left\n{}"),
        click("#call"),
        answered(),
    ]);
    let seen = drive_page(&browser, &inspector, steps.chain(copied("Copy as test")));
    let texts: Vec<&str> = seen.iter().filter_map(Value::as_str).filter(|text| !text.is_empty()).collect();
    let compiled = include_str!("copied.rs").split_once("\n\n").unwrap().1;
    assert_eq!(texts.join("\n").replace(&server, "crate::setup::playground()"), compiled);
}
