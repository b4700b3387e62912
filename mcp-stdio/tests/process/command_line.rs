//! Servers that are started on the command line.

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
fn an_invalid_server_lists_all_faults_and_exits_with_2() {
    let output = run(&["--broken"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let said = stderr(&output);
    assert!(said.contains("`echo`: duplicate name"), "{said}");
    assert!(said.contains("`panic`: duplicate name"), "{said}");
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
fn a_failed_tool_exits_with_1_and_an_invalid_call_with_2_and_both_are_explained() {
    for (arguments, status, why) in [
        (&["call", "panic"][..], 1, "panicked"),
        (&["call", "block", "ms=soon"], 1, "ms"),
        (&["call", "nothing"], 2, "the tools are: echo, flood"),
        (&["call", "echos"], 2, "did you mean `echo`?"),
        (&["call", "block", "soon"], 2, "name=value"),
        (&["call"], 2, "the name of a tool"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        assert!(output.stdout.is_empty() && stderr(&output).contains(why), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn an_unknown_command_is_rejected_in_one_line() {
    for (word, near) in [("list", "`tools`"), ("chekc", "`check`"), ("notes.db", "--help")] {
        let output = run(&[word]);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""), "{word}");
        assert!(stderr(&output).lines().count() == 1 && stderr(&output).contains(near), "{}", stderr(&output));
    }
}

#[test]
fn an_unknown_option_is_rejected_in_one_line() {
    for (arguments, why) in [
        (&["--bogus"][..], "unknown option `--bogus`"),
        (&["--verbose", "tools"], "unknown option `--verbose`"),
        (&["--hepl"], "did you mean `--help`?"),
        (&["serve", "--port"], "`serve` has no option `--port`"),
        (&["--http", "8080"], "`mcp_serve::run`"),
        (&["serve", "--http", "8080"], "`mcp_serve::run`"),
        (&["call", "echo", "--text=a"], "arguments are written without dashes: `text=a`"),
        (&["call", "echo", "--jsn", "text=a"], "did you mean `--json`?"),
    ] {
        let output = run(arguments);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""), "{arguments:?}");
        assert!(stderr(&output).lines().count() == 1 && stderr(&output).contains(why), "{}", stderr(&output));
    }
}
