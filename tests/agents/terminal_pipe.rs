//! The example `terminal` with pipes instead of a terminal.

use mcp_agent_test::{Turn, Usage, prompt};
use serde_json::json;

use crate::built_examples::TEST_TIMEOUT;
use crate::setup::{PipedProgram, Setup};

fn touch() -> Turn {
    Turn::tool("Bash", json!({"command": "touch made", "description": "Touch"}))
}

#[test]
fn text_is_streamed_and_calls_results_and_cost_are_shown() {
    let Some(setup) = Setup::or_skip() else { return };
    setup.sandbox.file("notes.txt", "three small words").unwrap();
    let pause = setup.model.pause_point("the rest");
    let counts = Turn::tool("mcp__words__count_words", json!({"path": "notes.txt"})).usage(Usage::new(100, 10));
    let words =
        prompt("How many?", [counts, Turn::text("There are three.").pause_midway(&pause).usage(Usage::new(200, 20))]);
    let mut terminal = PipedProgram::run(setup.command("terminal").arg(words));
    // The model has not finished its answer yet.
    terminal.wait_for("There are three.");
    pause.release();
    let (code, shown) = terminal.end();
    assert_eq!(code, Some(0));
    let lines: Vec<&str> = shown.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines[0], r#"● mcp__words__count_words {"path":"notes.txt"}"#);
    assert_eq!(lines[1..3], ["  → 3", "There are three."]);
    assert!(lines[3].starts_with("1 turn, 300 tokens read, 30 written, $0.00"), "{shown}");
}

#[test]
fn the_user_is_asked_and_the_answer_always_is_remembered() {
    let Some(setup) = Setup::or_skip() else { return };
    let mut terminal = PipedProgram::run(&mut setup.command("terminal"));
    terminal.wait_for("> ");
    terminal.type_line(&prompt("Touch it.", [touch(), Turn::text("First.")]));
    terminal.wait_for("allow it?");
    terminal.type_line("n");
    terminal.wait_for("First.");
    assert!(!setup.sandbox.work().join("made").exists());
    terminal.type_line(&prompt("Touch it.", [touch(), Turn::text("Second.")]));
    terminal.wait_for_times("allow it?", 2);
    terminal.type_line("always");
    terminal.wait_for("Second.");
    assert!(setup.sandbox.work().join("made").exists());
    terminal.type_line(&prompt("Touch it.", [touch(), Turn::text("Third.")]));
    terminal.wait_for("Third.");
    terminal.type_line("/quit");
    let (code, shown) = terminal.end();
    assert_eq!((code, shown.matches("allow it?").count()), (Some(0), 2), "{shown}");
    assert!(shown.contains("✗ the user said no") && shown.contains("3 turns"), "{shown}");
}

#[test]
fn rules_of_the_settings_decide_without_a_question() {
    let Some(setup) = Setup::or_skip() else { return };
    let settings = json!({"permissions": {"deny": ["Bash(touch *)"]}});
    setup.sandbox.file(".claude/settings.json", settings.to_string()).unwrap();
    let script = prompt("Touch it.", [touch(), Turn::text("Done.")]);
    let (code, shown) = PipedProgram::run(setup.command("terminal").arg(script)).end();
    assert_eq!(code, Some(0));
    assert!(!shown.contains("allow it?") && shown.contains("✗"), "{shown}");
    assert!(!setup.sandbox.work().join("made").exists());
}

#[test]
fn ctrl_c_interrupts_the_turn_and_the_session_stays_usable() {
    let Some(setup) = Setup::or_skip() else { return };
    let pause = setup.model.pause_point("never");
    let mut terminal = PipedProgram::run(&mut setup.command("terminal"));
    terminal.wait_for("> ");
    terminal.type_line(&prompt("Talk.", [Turn::text("Half of it").pause_midway(&pause)]));
    terminal.wait_for("Half of it");
    terminal.ctrl_c();
    terminal.wait_for("(the turn was interrupted)");
    terminal.type_line(&prompt("Again.", [Turn::text("All of it.")]));
    terminal.wait_for("All of it.");
    terminal.type_line("/sessions");
    // A session is listed with its last prompt, as the CLI does.
    terminal.wait_for("Again.");
    let (code, shown) = terminal.end();
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("2 turns"), "{shown}");
    pause.release();
}

#[test]
fn an_earlier_session_is_listed_shown_and_continued() {
    let Some(setup) = Setup::or_skip() else { return };
    let mut terminal = PipedProgram::run(&mut setup.command("terminal"));
    terminal.wait_for("> ");
    terminal.type_line(&prompt("Remember the word pelican.", [Turn::text("I remember it.")]));
    terminal.wait_for("I remember it.");
    terminal.type_line("/new");
    terminal.wait_for("(a new session)");
    terminal.type_line("/sessions");
    terminal.wait_for("  1) Remember the word pelican.");
    terminal.type_line("/resume 7");
    terminal.wait_for("(there is no such session: /sessions lists them)");
    terminal.type_line("/resume 1");
    terminal.wait_for_times("I remember it.", 2);
    terminal.type_line(&prompt("Which word?", [Turn::text("It is pelican.")]));
    terminal.wait_for("It is pelican.");
    terminal.type_line("/cost");
    terminal.wait_for("2 turns, ");
    terminal.wait_for("context: ");
    let (code, shown) = terminal.end();
    assert_eq!(code, Some(0), "{shown}");
    let requests = setup.model.requests();
    assert!(requests.iter().any(|request| request.mentions("the word pelican") && request.mentions("Which word?")));
}

#[test]
fn the_mode_can_be_changed_and_help_lists_the_commands() {
    let Some(setup) = Setup::or_skip() else { return };
    let file = setup.sandbox.work().canonicalize().unwrap().join("made.txt");
    let mut terminal = PipedProgram::run(&mut setup.command("terminal"));
    terminal.wait_for("> ");
    terminal.type_line("/mode fast");
    terminal.wait_for("(the modes are plan, edits and ask)");
    terminal.type_line("/mode edits");
    terminal.type_line(&prompt(
        "Write.",
        [Turn::tool("Write", json!({"file_path": file, "content": "x"})), Turn::text("Written.")],
    ));
    terminal.wait_for("Written.");
    terminal.type_line("/help");
    terminal.wait_for("/resume NUMBER|ID");
    let (code, shown) = terminal.end();
    assert_eq!((code, shown.contains("allow it?")), (Some(0), false), "{shown}");
    assert!(file.exists());
}

#[test]
fn ctrl_c_twice_ends_the_session_cleanly() {
    let Some(setup) = Setup::or_skip() else { return };
    let pause = setup.model.pause_point("never");
    let mut terminal = PipedProgram::run(&mut setup.command("terminal"));
    terminal.wait_for("> ");
    terminal.ctrl_c();
    terminal.wait_for("(press Ctrl-C again to exit)");
    terminal.ctrl_c();
    let (code, shown) = terminal.end();
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("0 turns"), "{shown}");

    // Also during a turn that does not end on an interrupt.
    let mut terminal = PipedProgram::run(setup.command("terminal").arg(prompt("Wait.", [touch().pause_before(&pause)])));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        tokio::time::timeout(TEST_TIMEOUT, pause.reached()).await.expect("the model receives a request")
    });
    terminal.ctrl_c();
    terminal.wait_for("(interrupting; press Ctrl-C again to exit)");
    terminal.ctrl_c();
    let (code, shown) = terminal.end();
    assert_eq!(code, Some(0), "{shown}");
    pause.release();
}
