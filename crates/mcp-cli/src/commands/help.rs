//! What the program is and what it understands.

use std::path::Path;

use mcp_core::Server;

use super::{install, tools};

/// Each command: its name, what follows it, what it does.
const COMMANDS: &[(&str, &str, &str)] = &[
    ("serve", "", "serve over standard input and output, as without a command"),
    ("tools", "[--json]", "list the tools"),
    ("call", "TOOL [NAME=VALUE ...] [JSON] [--json]", "call a tool"),
    ("check", "[--strict]", "say what some client or model would refuse"),
    ("docs", "", "print the documentation of everything, as Markdown"),
    ("schema", "[TOOL]", "print the schemas of all tools, or of one"),
    (
        "install",
        "CLIENT [--write] [--name NAME] [--env NAME=VALUE] [-- ARGUMENT ...]",
        "print a client's configuration, or change it",
    ),
    ("manifest", "[--author NAME] [--program PATH]", "print the manifest of an MCPB bundle"),
    ("server-json", "NAMESPACE/NAME [--crate NAME]", "print the entry for the MCP registry"),
];

/// Arguments that people try, and what they mean here.
const MEANT: &[(&str, &str)] = &[
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

/// The names of all commands.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(name, _, _)| *name).chain(["help", "version"])
}

/// What a word means that is no command.
pub(crate) fn meant(word: &str) -> Option<&'static str> {
    MEANT.iter().find(|(tried, _)| *tried == word).map(|(_, name)| *name)
}

/// `--help`.
pub(crate) fn help(server: &Server) -> String {
    let program = program();
    let mut text =
        format!("{}\n\nUsage: {program} [COMMAND]\n\nWithout a command, over a pipe, it serves.\n\n", title(server));
    for (name, usage, purpose) in COMMANDS {
        text += &format!("  {program} {}\n      {purpose}\n", format!("{name} {usage}").trim_end());
    }
    text += "  --help, --version\n\n";
    text += &format!("CLIENT is one of {}.\n", install::names().collect::<Vec<_>>().join(", "));
    text += "MCP_RECORD=FILE keeps a record of what is said while it serves.\n";
    text
}

/// What somebody reads who starts it on a terminal.
pub(crate) fn greeting(server: &Server) -> String {
    let (name, program) = (&server.info().name, program());
    let mut text = format!("{}\n\n", title(server));
    text += &tools::list(server);
    text += &format!(
        "\n\nAdd it to Claude Code:  claude mcp add {name} -- {}\n\
         Try it by hand:         {program} call TOOL NAME=VALUE ...\n\
         Everything else:        {program} --help\n\
         Serve on this terminal: {program} serve",
        install::shell_word(&install::program()),
    );
    text
}

/// What it is, in a line.
fn title(server: &Server) -> String {
    let info = server.info();
    let count = |number: usize, what: &str| match number {
        0 => None,
        1 => Some(format!("1 {what}")),
        _ => Some(format!("{number} {what}s")),
    };
    let offers = [
        count(server.tools().len(), "tool"),
        count(server.prompts().len(), "prompt"),
        count(server.resources().count(), "resource"),
    ];
    let offers: Vec<String> = offers.into_iter().flatten().collect();
    let offers = if offers.is_empty() { "nothing to offer yet".to_owned() } else { offers.join(", ") };
    let mut title = format!("{} {}, an MCP server: {offers}", info.name, info.version);
    if let Some(description) = &info.description {
        title += &format!("\n{description}");
    }
    title
}

/// The program as it was called.
pub(crate) fn program() -> String {
    let called = std::env::args_os().next().unwrap_or_default();
    // By name where it was found by its name, else by the path that was typed.
    Path::new(&called).display().to_string()
}
