//! The completions of shells: in a real bash, and what the scripts of all shells call.

use std::process::{Command, Stdio};

use crate::client::example;
use crate::tmux::Terminal;

fn candidates(name: &str, words: &[&str]) -> Vec<String> {
    let output = Command::new(example(name)).arg("__complete").args(words).stdin(Stdio::null()).output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn commands_tools_arguments_and_values_are_completed() {
    assert_eq!(candidates("tools", &["ca"]), ["call"]);
    assert_eq!(candidates("tools", &["call", "say"]), ["say_hello", "say_goodbye"]);
    assert_eq!(candidates("tools", &["call", "around", ""]), ["place=", "area=", "order="]);
    assert_eq!(candidates("tools", &["call", "around", "order=far", "p"]), ["place="]);
    assert_eq!(candidates("tools", &["call", "around", "order="]), ["order=near", "order=far"]);
    assert_eq!(candidates("tools", &["call", "search", "whole_words=t"]), ["whole_words=true"]);
    assert_eq!(candidates("tools", &["check", "--"]), ["--strict", "--json", "--help"]);
    assert_eq!(candidates("notes", &["get", "work_on", "title=egg"]), ["title=egg-cups", "title=eggs"]);
    assert_eq!(candidates("notes", &["completions", "z"]), ["zsh"]);
    assert_eq!(candidates("notes", &["install", "cu"]), ["cursor"]);
    assert_eq!(candidates("notes", &["nothing", ""]), Vec::<String>::new());
}

#[test]
fn the_tab_key_completes_in_bash() {
    let Some(terminal) = Terminal::open("complete") else {
        return;
    };
    if Command::new("bash").arg("--version").output().is_err() {
        return test_env::skip("bash is not installed");
    }
    let folder = example("");
    terminal.enter(&format!("PATH={}:$PATH PS1='bash> ' bash --norc --noprofile", folder.display()));
    terminal.wait_for("bash>");
    terminal.enter("source <(tools completions bash); echo ready");
    terminal.wait_for("\nready");
    for (typed, completed) in [
        ("tools cal", "tools call "),
        ("tools call aro", "tools call around "),
        ("tools call around ord", "tools call around order="),
        ("tools call around order=n", "tools call around order=near "),
    ] {
        terminal.press("C-u");
        terminal.keys(typed);
        terminal.press("Tab");
        // What is typed next shows whether a space was added.
        terminal.keys("#");
        terminal.wait_for(&format!("{completed}#"));
    }
}

#[test]
fn each_shell_has_a_script_with_the_name_of_the_program_and_others_are_refused() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let output = Command::new(example("calculator")).args(["completions", shell]).output().unwrap();
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(
            script.contains("calculator") && script.contains("__complete") && !script.contains("NAME"),
            "{shell}: {script}"
        );
    }
    let output = Command::new(example("calculator")).args(["completions", "fihs"]).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("did you mean `fish`?"));
}
