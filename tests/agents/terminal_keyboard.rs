//! The example `terminal` in a real terminal (tmux), with typed input.

use std::fmt::Write as _;

use mcp_agent_test::{Turn, Usage};
use serde_json::json;

use crate::setup::Setup;
use crate::tmux::Terminal;

/// Starts a shell in which `sh agent` runs the example.
fn shell(setup: &Setup, test: &str) -> Option<Terminal> {
    let terminal = Terminal::open(test)?;
    let command = setup.command("terminal");
    let mut script = String::from("exec env -i TERM=screen LC_ALL=C.UTF-8");
    for (name, value) in command.get_envs() {
        let value = value.expect("no variable is removed").to_str().expect("text");
        write!(script, " '{}={value}'", name.to_str().expect("text")).unwrap();
    }
    write!(script, " '{}'", command.get_program().display()).unwrap();
    setup.sandbox.file("agent", script).unwrap();
    terminal.enter(&format!("cd '{}' && clear && sh agent; echo status $?", setup.sandbox.work().display()));
    Some(terminal)
}

/// Waits until the agent asks for the next prompt, on the last line.
fn wait_for_prompt(terminal: &Terminal) -> String {
    terminal.wait_until("> ", |screen| screen.trim_end().lines().last() == Some(">"))
}

#[test]
fn the_terminal_shows_text_calls_progress_questions_and_cost_and_ctrl_c_interrupts_the_turn() {
    let Some(setup) = Setup::or_skip() else { return };
    setup.sandbox.file("notes.txt", "three small words").unwrap();
    let Some(terminal) = shell(&setup, "agent") else { return };
    wait_for_prompt(&terminal);

    // The status line is visible until text arrives, and the text replaces it.
    let (begin, rest) = (setup.model.pause_point("begin"), setup.model.pause_point("rest"));
    let counts = Turn::tool("mcp__words__count_words", json!({"path": "notes.txt"}));
    setup.model.push(counts.pause_before(&begin).usage(Usage::new(100, 10)));
    setup.model.push(Turn::text("There are three.").pause_midway(&rest).usage(Usage::new(200, 20)));
    terminal.enter("How many words?");
    terminal.wait_for("… thinking, 1 s");
    begin.release();
    let screen = terminal.wait_for("There are three.");
    assert!(screen.contains("● mcp__words__count_words {\"path\":\"notes.txt\"}\n  → 3\nThere are three."), "{screen}");
    assert!(!screen.contains('…'), "{screen}");
    rest.release();
    wait_for_prompt(&terminal);

    // Input that was typed before the question was shown does not answer it.
    let (asked, touch) = (setup.model.pause_point("asked"), json!({"command": "touch made", "description": "Touch"}));
    setup.model.push(Turn::tool("Bash", touch).pause_before(&asked));
    setup.model.push(Turn::text("Not touched."));
    terminal.enter("Touch it.");
    terminal.wait_for("… thinking");
    terminal.enter("yes");
    asked.release();
    terminal.wait_for("? Bash touch made\n  description: Touch\n  allow it? [y]es, [a]lways exactly this, [N]o");
    terminal.enter("n");
    terminal.wait_for("  ✗ the user said no\nNot touched.");
    assert!(!setup.sandbox.work().join("made").exists());
    wait_for_prompt(&terminal);

    let never = setup.model.pause_point("never");
    setup.model.push(Turn::text("Half of it").pause_midway(&never));
    terminal.enter("Talk.");
    terminal.wait_for("\nHalf of it");
    terminal.press("C-c");
    terminal.wait_for("(interrupting; press Ctrl-C again to exit)");
    terminal.wait_for("(the turn was interrupted)");
    wait_for_prompt(&terminal);
    setup.model.push(Turn::text("All of it."));
    terminal.enter("Again.");
    terminal.wait_for("\nAll of it.");
    wait_for_prompt(&terminal);
    terminal.enter("/quit");
    let screen = terminal.wait_for("status 0");
    assert!(screen.contains("4 turns, ") && screen.contains(" written, $0."), "{screen}");
    never.release();
}

#[test]
fn a_second_ctrl_c_exits_and_restores_the_terminal() {
    let Some(setup) = Setup::or_skip() else { return };
    let Some(terminal) = shell(&setup, "twice") else { return };
    wait_for_prompt(&terminal);
    let never = setup.model.pause_point("never");
    setup.model.push(Turn::text("unheard").pause_before(&never));
    terminal.enter("Wait.");
    terminal.wait_for("… thinking");
    terminal.press("C-c");
    terminal.wait_for("(interrupting; press Ctrl-C again to exit)");
    terminal.press("C-c");
    terminal.wait_for("status 0");
    // No process is left, and the terminal echoes typed text again.
    terminal.enter("echo over");
    terminal.wait_for("\nover\n");
    never.release();
}
