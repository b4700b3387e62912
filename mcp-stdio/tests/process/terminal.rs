//! Servers on a real terminal: tmux.

use crate::client::example;
use crate::tmux::Terminal;

#[test]
fn on_a_terminal_a_server_describes_itself_and_exits() {
    let Some(terminal) = Terminal::open("bare") else {
        return;
    };
    terminal.enter(&format!("cd {} && ./calculator; echo status $?", example("").display()));
    let screen = terminal.wait_for("status 0");
    for part in [
        "calculator 0.0.0, an MCP server: 3 tools",
        "add a=INTEGER b=INTEGER",
        "claude mcp add calculator -- /",
        "./calculator --help",
    ] {
        assert!(screen.contains(part), "no {part}:\n{screen}");
    }
}

#[test]
fn on_a_terminal_serve_waits_and_answers() {
    let Some(terminal) = Terminal::open("serve") else {
        return;
    };
    terminal.enter(&format!("{} serve", example("calculator").display()));
    terminal.wait_for("waits for JSON-RPC messages");
    terminal.enter(r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#);
    terminal.wait_for(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#);
}

#[test]
fn a_progress_bar_is_shown_and_removed() {
    let Some(terminal) = Terminal::open("bar") else {
        return;
    };
    terminal.enter(&format!("{} call boil seconds=4; echo status $?", example("progress").display()));
    let screen = terminal.wait_for("%");
    assert!(screen.contains("[####") || screen.contains("[---"), "{screen}");
    let screen = terminal.wait_for("status 0");
    assert!(screen.contains("boiled for 4 s") && !screen.contains('%'), "{screen}");
}
