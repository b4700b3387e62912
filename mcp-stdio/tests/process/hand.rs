//! Servers started by hand.

use std::process::{Command, Output, Stdio};

use crate::client::server;

fn run(arguments: &[&str]) -> Output {
    Command::new(server()).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn a_server_that_is_built_wrong_says_everything_that_is_and_exits_2() {
    let output = run(&["--broken"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let said = stderr(&output);
    assert!(said.contains("`echo`: there are two tools of this name"), "{said}");
    assert!(said.contains("`panic`: there are two tools of this name"), "{said}");
}

#[test]
fn tools_can_be_listed_and_called_from_the_command_line() {
    let output = run(&["tools"]);
    assert!(output.status.success());
    assert!(stdout(&output).starts_with("echo text=STRING\n    Return the text.\n"), "{}", stdout(&output));

    let output = run(&["call", "echo", "text=a=b 7"]);
    assert_eq!((stdout(&output), output.status.code()), ("a=b 7\n", Some(0)));
    let output = run(&["call", "block", "ms=1"]);
    assert_eq!((stdout(&output), output.status.code()), ("blocked\n", Some(0)));
    let output = run(&["call", "slow", r#"{"ms": 1}"#]);
    assert_eq!((stdout(&output), output.status.code()), ("slept\n", Some(0)));
}

#[test]
fn a_call_from_the_command_line_that_fails_exits_1_and_says_why() {
    for (arguments, why) in [
        (&["call", "panic"][..], "panicked"),
        (&["call", "nothing"], "there are: echo, flood"),
        (&["call", "block", "ms=soon"], "ms"),
        (&["call", "block", "soon"], "name=value"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(output.stdout.is_empty() && stderr(&output).contains(why), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn other_arguments_are_the_programs_own() {
    let output = run(&["--verbose", "tools"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), ""), "it served, and its input was at its end");
}
