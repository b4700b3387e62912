//! Questions, progress and hostile text in a real terminal (tmux).

use crate::setup::{User, playground};
use crate::tmux::Terminal;

/// Opens a terminal in which `mcp` runs the program.
fn terminal(user: &User, test: &str) -> Option<Terminal> {
    let terminal = Terminal::open(test)?;
    let home = user.folder.path().display().to_string();
    let program = env!("CARGO_BIN_EXE_cargo-mcp");
    // The first `xdg-open` on the path is the one of the test.
    user.script("mcp", &format!("PATH={home}:/usr/bin:/bin HOME={home} exec {program} mcp \"$@\""));
    user.script("play", &format!("exec {}", playground()));
    terminal.enter(&format!("cd '{home}' && clear"));
    Some(terminal)
}

/// Waits until the last line asks how to answer.
fn wait_for_question(terminal: &Terminal) -> String {
    terminal.wait_until("a question", |screen| screen.trim_end().ends_with("[c]ancel:"))
}

#[test]
fn a_form_is_filled_in_field_by_field_declined_and_cancelled() {
    let user = User::new();
    let Some(terminal) = terminal(&user, "form") else { return };
    terminal.enter("./mcp call ./play coffee");
    let screen = wait_for_question(&terminal);
    assert!(screen.contains("The server asks:\n  What would you like to drink?\nAnswer it? [Y]es"), "{screen}");
    terminal.press("Enter");
    // Each field is answered when it is asked for.
    for _ in 0..5 {
        let screen = terminal.wait_until("a field", |screen| screen.trim_end().ends_with('>'));
        let field = screen
            .lines()
            .rev()
            .find_map(|line| ["name:", "shots", "milk", "receipt", "size"].into_iter().find(|name| line.starts_with(name)));
        let answer = match field {
            Some("name:") => "Ada",
            Some("size") => "2",
            Some("milk") => "y",
            _ => "",
        };
        let before = screen;
        if answer.is_empty() {
            terminal.press("Enter")
        } else {
            terminal.enter(answer)
        }
        terminal.wait_until("the next field", |screen| screen != before && !screen.trim_end().ends_with("\n  >\n"));
        terminal.wait_until("the next question or the end", |screen| {
            screen != before && (screen.trim_end().ends_with('>') || screen.contains("coffee for"))
        });
    }
    terminal.wait_for("a large coffee for Ada, shots: 1, milk: true, receipt: None");

    for (typed, answer) in [("d", "\ndeclined\n"), ("c", "\ncancelled\n")] {
        terminal.enter("clear; ./mcp call ./play coffee --revision 2025-11-25");
        wait_for_question(&terminal);
        terminal.enter(typed);
        terminal.wait_for(answer);
    }
    // Ctrl-D in a field cancels.
    terminal.enter("clear; ./mcp call ./play coffee");
    wait_for_question(&terminal);
    terminal.enter("y");
    terminal.wait_until("a field", |screen| screen.trim_end().ends_with('>'));
    terminal.press("C-d");
    terminal.wait_for("cancelled\n");
}

#[test]
fn the_address_of_a_page_is_shown_before_it_is_opened() {
    let user = User::new();
    let Some(terminal) = terminal(&user, "page") else { return };
    let opened = user.folder.path().join("opened");
    user.script("xdg-open", &format!("echo \"$1\" > {}", opened.display()));
    terminal.enter("./mcp call ./play sign_in");
    let screen = wait_for_question(&terminal);
    assert!(screen.contains("a page of login.example.com:\n  https://login.example.com/start?flow=1\n"), "{screen}");
    terminal.press("Enter");
    terminal.wait_for("\ndeclined\n");
    assert!(!opened.exists());
    terminal.enter("clear; ./mcp call ./play sign_in");
    wait_for_question(&terminal);
    terminal.enter("y");
    terminal.wait_for("\nopened\n");
    terminal.enter("clear; until [ -s opened ]; do :; done; cat opened; echo shown");
    terminal.wait_for("https://login.example.com/start?flow=1\nshown");
}

#[test]
fn progress_is_a_bar_and_ctrl_c_cancels_the_call_and_ends_the_server() {
    let user = User::new();
    let Some(terminal) = terminal(&user, "bar") else { return };
    user.script("play", &format!("echo $$ > pid\nexec {}", playground()));
    terminal.enter("./mcp call ./play wait --verbose; echo status $?");
    terminal.wait_for("[############------------]  50 % waiting");
    terminal.press("C-c");
    let screen = terminal.wait_for("status 130");
    assert!(screen.contains("waiting is over") && screen.contains("cargo mcp: interrupted"), "{screen}");
    assert!(!screen.contains("50 %"), "the bar is removed: {screen}");
    let server: i32 = std::fs::read_to_string(user.folder.path().join("pid")).unwrap().trim().parse().unwrap();
    assert!(!std::path::Path::new(&format!("/proc/{server}")).exists(), "the server has ended");
}

#[test]
fn hostile_text_cannot_control_the_terminal() {
    let user = User::new();
    let Some(terminal) = terminal(&user, "attack") else { return };
    terminal.enter("echo before; ./mcp call ./play attack --verbose; echo af''ter");
    let screen = terminal.wait_for("after\n");
    // The control character that clears the screen was replaced, so the first line is still there.
    assert!(screen.contains("before\n") && screen.contains("\u{fffd}[2Jdone"), "{screen}");
}
