//! `calc --help`, and the text that is shown when a person starts the program on a terminal.

use std::path::Path;

use mcp_core::Server;

use super::{install, tools};

/// The name, the arguments and the purpose of each command.
const COMMANDS: &[(&str, &str, &str)] = &[
    ("serve", "", "serve over standard input and output (the default)"),
    ("tools", "[--json]", "list the tools"),
    ("call", "TOOL [NAME=VALUE ...] [JSON] [--json]", "call a tool"),
    ("check", "[--strict]", "report what some clients or models would reject"),
    ("docs", "", "print the documentation of the server as Markdown"),
    ("schema", "[TOOL]", "print the schemas of all tools, or of one"),
    (
        "install",
        "CLIENT [--write] [--name NAME] [--env NAME=VALUE] [-- ARGUMENT ...]",
        "print a client's configuration, or change it",
    ),
    ("manifest", "[--author NAME] [--program PATH]", "print the manifest of an MCPB bundle"),
    ("server-json", "NAMESPACE/NAME [--crate NAME]", "print the entry for the MCP registry"),
];

/// Commands that people try out of habit, and the command here that does the same.
const SYNONYMS: &[(&str, &str)] = &[
    ("list", "tools"),
    ("ls", "tools"),
    ("list-tools", "tools"),
    ("inspect", "tools"),
    ("run", "call"),
    ("exec", "call"),
    ("test", "check"),
    ("lint", "check"),
    ("validate", "check"),
    ("start", "serve"),
    ("stdio", "serve"),
    ("doc", "docs"),
    ("add", "install"),
    ("schemas", "schema"),
    ("mcpb", "manifest"),
    ("registry", "server-json"),
    ("server.json", "server-json"),
];

/// Returns the names of all commands.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(name, _, _)| *name).chain(["help", "version"])
}

/// Returns the command for a synonym.
pub(crate) fn synonym(word: &str) -> Option<&'static str> {
    SYNONYMS.iter().find(|(tried, _)| *tried == word).map(|(_, name)| *name)
}

/// Returns the text of `--help`.
pub(crate) fn help(server: &Server) -> String {
    let program = program();
    let mut text = format!(
        "{}\n\nUsage: {program} [COMMAND]\n\nWithout a command it serves over standard input and output.\n\n",
        title(server)
    );
    for (name, usage, purpose) in COMMANDS {
        text += &format!("  {program} {}\n      {purpose}\n", format!("{name} {usage}").trim_end());
    }
    text += "  --help, --version\n\n";
    text += &format!("CLIENT is one of {}.\n", install::names().collect::<Vec<_>>().join(", "));
    text += "MCP_RECORD=FILE records all messages in FILE while it serves.\n";
    text
}

/// Returns the text that is shown when the program is started on a terminal without arguments.
pub(crate) fn greeting(server: &Server) -> String {
    let (name, program) = (&server.info().name, program());
    let mut text = format!("{}\n\n", title(server));
    text += &tools::list(server);
    text += &format!(
        "\n\nAdd it to Claude Code:  claude mcp add {name} -- {}\n\
         Call a tool:            {program} call TOOL NAME=VALUE ...\n\
         All commands:           {program} --help\n\
         Serve on this terminal: {program} serve",
        crate::sys::shell_word(&install::program()),
    );
    text
}

/// Returns the name and version of the server, the number of things it offers, and its description.
fn title(server: &Server) -> String {
    let info = server.info();
    let count = |number: usize, noun: &str| match number {
        0 => None,
        1 => Some(format!("1 {noun}")),
        _ => Some(format!("{number} {noun}s")),
    };
    let offers = [
        count(server.tools().len(), "tool"),
        count(server.prompts().len(), "prompt"),
        count(server.resources().count(), "resource"),
    ];
    let offers: Vec<String> = offers.into_iter().flatten().collect();
    let offers = if offers.is_empty() { "no tools, prompts or resources".to_owned() } else { offers.join(", ") };
    let mut title = format!("{} {}, an MCP server: {offers}", info.name, info.version);
    if let Some(description) = &info.description {
        title += &format!("\n{description}");
    }
    title
}

/// Returns the program's name as it was typed.
pub(crate) fn program() -> String {
    let called = std::env::args_os().next().unwrap_or_default();
    Path::new(&called).display().to_string()
}
