//! `calc --help`, `calc COMMAND --help`, and the text that is shown when a person starts the program on a terminal.

use std::path::Path;

use mcp_core::Server;

use super::{install, tools};
use crate::serve_options::ServeOptions;
use crate::style::Style;

/// A command, as `--help` shows it.
#[derive(Debug)]
pub(crate) struct CommandHelp {
    pub(crate) name: &'static str,
    /// What follows the name.
    pub(crate) usage: &'static str,
    pub(crate) purpose: &'static str,
    /// Each option with its value and its meaning.
    pub(crate) options: &'static [(&'static str, &'static str)],
    /// More about the command, if one line is not enough.
    details: &'static str,
}

const JSON: (&str, &str) = ("--json", "print the response of the server as JSON");
const OUTPUT: (&str, &str) = ("--output FILE", "save binary content, or the text if there is none; `-` is standard output");

const JSON_CHANGE: (&str, &str) =
    ("--json", "print the client, the file, the entry and whether the file was changed as JSON");

const JSON_ALWAYS: (&str, &str) = ("--json", "changes nothing: the output is JSON in any case");

const fn command(
    name: &'static str,
    usage: &'static str,
    purpose: &'static str,
    options: &'static [(&'static str, &'static str)],
    details: &'static str,
) -> CommandHelp {
    CommandHelp { name, usage, purpose, options, details }
}

/// All commands except `serve`, `help` and `version`.
pub(crate) const COMMANDS: &[CommandHelp] = &[
    command("tools", "[--json]", "list the tools", &[JSON], ""),
    command(
        "call",
        "TOOL [NAME=VALUE ...] [JSON] [--json]",
        "call a tool",
        &[JSON, OUTPUT],
        "Arguments are written NAME=VALUE, or as one JSON object. NAME=@FILE takes the value from a file, @FILE the whole object,\n\
         and - reads the object from standard input. A value that begins with @ is written @@. A NAME that is given several times\n\
         is a list. `call TOOL --help` shows the arguments of a tool.",
    ),
    command("resources", "[--json]", "list the resources and resource templates", &[JSON], ""),
    command("read", "URI [--json]", "print the contents of a resource", &[JSON, OUTPUT], ""),
    command("prompts", "[--json]", "list the prompts", &[JSON], ""),
    command(
        "get",
        "PROMPT [NAME=VALUE ...] [--json]",
        "print the messages of a prompt",
        &[JSON, OUTPUT],
        "Arguments are written as for `call`. `get PROMPT --help` shows the arguments of a prompt.",
    ),
    command(
        "complete",
        "PROMPT|TEMPLATE NAME=BEGINNING [NAME=VALUE ...]",
        "print the values that the server suggests",
        &[JSON],
        "The first NAME is the argument to complete; the others are known already.",
    ),
    command(
        "check",
        "[--strict] [--json] [--for registry|claude-directory] [--against FILE]",
        "report what some clients or models would reject",
        &[
            ("--strict", "exit with status 1 for warnings too"),
            ("--json", "print the findings as JSON"),
            ("--for WHO", "check what `registry` or `claude-directory` requires too; may be repeated"),
            ("--against FILE", "name changes that break clients of the tools in FILE, which `tools --json` wrote"),
        ],
        "Every change that cannot be shown to be safe counts as breaking. The name NAMESPACE/NAME in the registry is not a part of\n\
         the server: `server-json` and `cargo mcp release` check it.",
    ),
    command("docs", "", "print the documentation of the server as Markdown", &[], ""),
    command("schema", "[TOOL]", "print the schemas of all tools, or of one", &[JSON_ALWAYS], ""),
    command(
        "install",
        "CLIENT [--write] [--json] [--name NAME] [--env NAME=VALUE] [-- ARGUMENT ...]",
        "print a client's configuration, or change it",
        &[
            ("--write", "change the configuration of the client instead of printing it"),
            ("--name NAME", "the name of the server in the client"),
            ("--env NAME=VALUE", "an environment variable of the server; may be repeated"),
            JSON_CHANGE,
        ],
        "",
    ),
    command(
        "uninstall",
        "CLIENT [--write] [--json] [--name NAME]",
        "remove the server from a client's configuration",
        &[
            ("--write", "change the configuration of the client instead of printing the entry"),
            ("--name NAME", "the name of the server in the client"),
            JSON_CHANGE,
        ],
        "",
    ),
    command(
        "manifest",
        "[--author NAME] [--program PATH]",
        "print the manifest of an MCPB bundle",
        &[
            ("--author NAME", "the author of the bundle"),
            ("--program PATH", "the path of the program in the bundle"),
            JSON_ALWAYS,
        ],
        "",
    ),
    command(
        "server-json",
        "NAMESPACE/NAME [--crate NAME]",
        "print the entry for the MCP registry",
        &[("--crate NAME", "the name of the crate, if it is not the name of the server"), JSON_ALWAYS],
        "",
    ),
    command(
        "completions",
        "SHELL",
        "print completions for bash, zsh, fish or powershell",
        &[],
        "bash:        source <(PROGRAM completions bash)\n\
         zsh:         source <(PROGRAM completions zsh)\n\
         fish:        PROGRAM completions fish | source\n\
         PowerShell:  PROGRAM completions powershell | Out-String | Invoke-Expression",
    ),
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
    ("remove", "uninstall"),
    ("schemas", "schema"),
    ("mcpb", "manifest"),
    ("registry", "server-json"),
    ("server.json", "server-json"),
    ("resource", "resources"),
    ("templates", "resources"),
    ("cat", "read"),
    ("prompt", "get"),
    ("completion", "completions"),
];

/// Returns the names of all commands.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ["serve"].into_iter().chain(COMMANDS.iter().map(|command| command.name)).chain(["help", "version"])
}

/// Returns the command for a synonym.
pub(crate) fn synonym(word: &str) -> Option<&'static str> {
    SYNONYMS.iter().find(|(tried, _)| *tried == word).map(|(_, name)| *name)
}

/// Returns the text of `--help`.
pub(crate) fn help(server: &Server, serve: &ServeOptions, style: Style) -> String {
    let program = program();
    let mut text = format!(
        "{}\n\nUsage: {program} [COMMAND]\n\nWithout a command it serves over standard input and output.\n\n",
        title(server, style)
    );
    let all = COMMANDS.iter().map(|command| (command.name, command.usage, command.purpose));
    for (name, usage, purpose) in [("serve", serve.usage, serve.purpose)].into_iter().chain(all) {
        let line = format!("{} {usage}", style.bold(name));
        text += &format!("  {program} {}\n      {purpose}\n", line.trim_end());
    }
    text += "  --help, --version\n\n";
    text += &format!(
        "`{program} COMMAND --help` has the options of a command, `{program} call TOOL --help` the arguments of a tool.\n"
    );
    text += &format!("CLIENT is one of {}.\n", install::names().collect::<Vec<_>>().join(", "));
    text += "MCP_RECORD=FILE records all messages in FILE while it serves. NO_COLOR=1 turns colours off.\n";
    text
}

/// Returns the text of `COMMAND --help`. `None` if there is no such command.
pub(crate) fn of_command(name: &str, serve: &ServeOptions, style: Style) -> Option<String> {
    let program = program();
    let (usage, purpose, options, details) = match COMMANDS.iter().find(|command| command.name == name) {
        Some(command) => (command.usage, command.purpose, command.options, command.details),
        None if name == "serve" => (serve.usage, serve.purpose, serve.options, ""),
        None if name == "help" => ("[COMMAND]", "print how a command is used", &[][..], ""),
        None if name == "version" => ("", "print the name and the version of the server", &[][..], ""),
        None => return None,
    };
    let mut text = format!("{purpose}\n\nUsage: {}\n", format!("{program} {} {usage}", style.bold(name)).trim_end());
    let width = options.iter().map(|(option, _)| option.len()).max().unwrap_or(0);
    if !options.is_empty() {
        text += "\n";
    }
    for (option, meaning) in options {
        text += &format!("  {}  {meaning}\n", style.bold(&format!("{option:width$}")));
    }
    if matches!(name, "install" | "uninstall") {
        text += &format!("\nCLIENT is one of {}.\n", install::names().collect::<Vec<_>>().join(", "));
    }
    if !details.is_empty() {
        text += &format!("\n{}\n", details.replace("PROGRAM", &program));
    }
    Some(text)
}

/// Returns the text that is shown when the program is started on a terminal without arguments.
pub(crate) fn greeting(server: &Server) -> String {
    let (name, program, style) = (&server.info().name, program(), Style::stdout());
    let mut text = format!("{}\n\n", title(server, style));
    text += &tools::list(server, style);
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
fn title(server: &Server, style: Style) -> String {
    let info = server.info();
    let offers =
        [(server.tools().len(), "tool"), (server.prompts().len(), "prompt"), (server.resources().count(), "resource")];
    let offers: Vec<String> =
        offers.into_iter().filter(|(number, _)| *number > 0).map(|(number, noun)| counted(number, noun)).collect();
    let offers = if offers.is_empty() { "no tools, prompts or resources".to_owned() } else { offers.join(", ") };
    let mut title = format!("{}, an MCP server: {offers}", style.bold(&format!("{} {}", info.name, info.version)));
    if let Some(description) = &info.description {
        title += &format!("\n{description}");
    }
    title
}

/// Returns a number with its noun: `1 tool`, `2 tools`.
pub(super) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns the program's name as it was typed.
pub(crate) fn program() -> String {
    let called = std::env::args_os().next().unwrap_or_default();
    Path::new(&called).display().to_string()
}

/// Returns the program's name without its folder, as a user has it on the search path.
pub(crate) fn program_name() -> String {
    let called = std::env::args_os().next().unwrap_or_default();
    Path::new(&called).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
