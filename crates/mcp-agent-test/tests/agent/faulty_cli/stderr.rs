//! The standard error of a CLI is always read; its end is kept.

use std::sync::{Arc, Mutex};

use mcp_agent_test::Script;

use super::{messages, program, with_program};
use crate::test_setup::within;

#[tokio::test]
async fn a_stderr_flood_does_not_block_the_cli_and_its_tail_is_kept() {
    let script = Script::new().flood_stderr(1 << 20).initialize().prompt().flood_stderr(1 << 20).stderr("THE END").exit(4);
    let cli = program(script);
    let mut session = within(with_program(&cli).open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    let error = messages(&mut session).await.unwrap_err();
    let stderr = &error.ending().unwrap().stderr;
    assert!(stderr.ends_with("THE END") && stderr.len() <= 8 << 10, "{} bytes", stderr.len());
}

#[tokio::test]
async fn the_stderr_callback_gets_every_line() {
    let cli = program(Script::new().stderr("one\ntwo\n").initialize().stderr("three\nfour"));
    let lines: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = Arc::clone(&lines);
    let agent = with_program(&cli).stderr(move |line| heard.lock().unwrap().push(line.to_owned()));
    within(within(agent.open()).await.unwrap().close()).await.unwrap();
    assert_eq!(*lines.lock().unwrap(), ["one", "two", "three", "four"]);
}

#[tokio::test]
async fn a_panicking_stderr_callback_does_not_stop_reading() {
    let script = Script::new().stderr("boo\n").initialize().prompt().flood_stderr(1 << 20).result("done");
    let cli = program(script);
    let agent = with_program(&cli).stderr(|_| panic!("on purpose"));
    let mut session = within(agent.open()).await.unwrap();
    within(session.send("go")).await.unwrap();
    messages(&mut session).await.unwrap();
    assert!(within(session.close()).await.unwrap().success());
}
