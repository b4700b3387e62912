//! What the user types at the prompt: a message for the agent, or a command of this program.

use mcp_agent::PermissionMode;

/// What the user wants next.
pub(crate) enum Wish {
    Say(String),
    List,
    Resume(String),
    New,
    Mode(PermissionMode),
    Cost,
    Help(&'static str),
    Quit,
}

const HELP: &str = "\
/sessions            list earlier sessions of this folder
/resume NUMBER|ID    continue one of them
/new                 start a new session
/mode plan|edits|ask plan only, allow edits, or ask before changes
/cost                show the cost and the use of the context window
/quit                exit
Other commands with a slash are those of the CLI, such as /compact.";

const MODES: &str = "(the modes are plan, edits and ask)";

/// Parses a line. Commands that are not known here are for the CLI.
pub(crate) fn parse(line: &str) -> Wish {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match (word, rest.trim()) {
        ("/sessions", "") => Wish::List,
        ("/resume", "") => Wish::Help("(/resume needs a number of /sessions, or an id)"),
        ("/resume", which) => Wish::Resume(which.to_owned()),
        ("/new", "") => Wish::New,
        ("/mode", "plan") => Wish::Mode(PermissionMode::Plan),
        ("/mode", "edits") => Wish::Mode(PermissionMode::AcceptEdits),
        ("/mode", "ask") => Wish::Mode(PermissionMode::Default),
        ("/mode", _) => Wish::Help(MODES),
        ("/cost", "") => Wish::Cost,
        ("/help", "") => Wish::Help(HELP),
        ("/quit", "") => Wish::Quit,
        _ => Wish::Say(line.to_owned()),
    }
}
