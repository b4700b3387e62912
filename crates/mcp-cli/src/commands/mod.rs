//! The commands, one file each.

mod call;
mod check;
mod complete;
mod completions;
mod docs;
pub(crate) mod help;
mod install;
mod manifest;
mod prompts;
mod resources;
mod schema;
mod server_json;
mod tool_help;
mod tools;

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use mcp_core::Server;
use serde_json::json;

use crate::USAGE_STATUS;
use crate::command_line::{Arguments, UsageError};
use crate::serve_options::ServeOptions;
use crate::style::Style;

pub use check::{Finding, Severity, check};
pub use docs::docs;
pub(crate) use help::greeting;

/// A command of a server binary, such as `tools --json`.
///
/// `mcp_stdio::run` parses and runs commands by itself. A program with its own command line turns that off with
/// `mcp_stdio::Stdio::command_line(false)`, and passes the arguments that are not its own to [`parse`](Command::parse):
///
/// ```
/// use mcp_cli::Command;
/// use mcp_core::Server;
///
/// let server = Server::builder("empty", "1.0.0").build()?;
/// let command = Command::parse(["tools", "--json"].map(Into::into))?.expect("this is a command");
/// command.run(&server)?;
///
/// assert!(Command::parse(["serve".into()])?.is_none());
/// assert_eq!(Command::parse(["list".into()]).unwrap_err().nearest(), Some("tools"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command(CommandKind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum CommandKind {
    /// The help of a command, or of the program.
    Help(Option<String>),
    Version {
        json: bool,
    },
    /// The words that were typed, for the completion scripts.
    CompleteWords(Vec<String>),
    Tools(tools::Tools),
    Call(call::Call),
    Resources(resources::Resources),
    Read(resources::Read),
    Prompts(prompts::Prompts),
    Get(prompts::Get),
    Complete(complete::Complete),
    Completions(completions::Completions),
    Check(check::Check),
    Docs,
    Schema(schema::Schema),
    Install(install::Install),
    Uninstall(install::Uninstall),
    Manifest(manifest::Manifest),
    ServerJson(server_json::ServerJson),
}

impl Command {
    /// Parses a command line without the program's name.
    ///
    /// Returns `None` if the program should serve: there are no arguments, or the only one is `serve`.
    ///
    /// # Errors
    /// If the first argument is not a command, or if the command does not take the arguments that follow it.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Option<Command>, UsageError> {
        let mut words = arguments.into_iter().map(|argument| argument.to_string_lossy().into_owned());
        let Some(first) = words.next() else {
            return Ok(None);
        };
        let words: Vec<String> = words.collect();
        if first == completions::COMPLETE_WORDS {
            return Ok(Some(Command(CommandKind::CompleteWords(words))));
        }
        let mut arguments = Arguments::new(words);
        // `call TOOL --help` describes the tool.
        let names_an_item = arguments.peek().is_some_and(|word| !word.starts_with('-'));
        let is_of_item = matches!(first.as_str(), "call" | "get") && names_an_item;
        if help::names().any(|name| name == first) && !is_of_item && arguments.help() {
            return Ok(Some(Command(CommandKind::Help(Some(first)))));
        }
        let Some(kind) = CommandKind::parse(&first, &mut arguments)? else {
            return match arguments.peek() {
                Some(word) if word.starts_with("--http") => Err(UsageError::no_http()),
                _ => arguments.finish("serve").map(|()| None),
            };
        };
        arguments.finish(&first)?;
        Ok(Some(Command(kind)))
    }

    /// Runs the command. Writes its result to standard output and its errors and notes to stderr; returns the exit status.
    ///
    /// # Errors
    /// If the output cannot be written, or if the threads for a tool call cannot be started.
    pub fn run(&self, server: &Server) -> io::Result<ExitCode> {
        self.run_with(server, &ServeOptions::STDIO)
    }

    /// Like [`run`](Command::run), for a program whose `serve` has options.
    ///
    /// # Errors
    /// If the output cannot be written, or if the threads for a tool call cannot be started.
    pub fn run_with(&self, server: &Server, serve: &ServeOptions) -> io::Result<ExitCode> {
        let output = match &self.0 {
            CommandKind::Help(None) => CommandOutput::text(help::help(server, serve, Style::stdout())),
            CommandKind::Help(Some(command)) => help_of(command, serve),
            CommandKind::Version { json } => version(server, *json),
            CommandKind::CompleteWords(words) => {
                CommandOutput::text(completions::candidates(server, serve, words).join("\n"))
            }
            CommandKind::Tools(tools) => tools.run(server),
            CommandKind::Call(call) => call.run(server)?,
            CommandKind::Resources(resources) => resources.run(server),
            CommandKind::Read(read) => read.run(server)?,
            CommandKind::Prompts(prompts) => prompts.run(server),
            CommandKind::Get(get) => get.run(server)?,
            CommandKind::Complete(complete) => complete.run(server)?,
            CommandKind::Completions(completions) => completions.run(),
            CommandKind::Check(check) => check.run(server),
            CommandKind::Docs => CommandOutput::text(docs(server)),
            CommandKind::Schema(schema) => schema.run(server),
            CommandKind::Install(install) => install.run(server),
            CommandKind::Uninstall(uninstall) => uninstall.run(server),
            CommandKind::Manifest(manifest) => manifest.run(server),
            CommandKind::ServerJson(entry) => entry.run(server),
        };
        output.write()
    }
}

impl CommandKind {
    /// Parses the arguments of a command. `None` is the command `serve`.
    fn parse(first: &str, arguments: &mut Arguments) -> Result<Option<CommandKind>, UsageError> {
        if matches!(first, "schema" | "manifest" | "server-json") {
            // They print JSON in any case.
            arguments.flag("--json");
        }
        Ok(Some(match first {
            "help" | "--help" | "-h" => CommandKind::Help(arguments.next_word()),
            "version" | "--version" | "-V" => CommandKind::Version { json: arguments.flag("--json") },
            "tools" => CommandKind::Tools(tools::Tools::parse(arguments)),
            "call" => CommandKind::Call(call::Call::parse(arguments)?),
            "resources" => CommandKind::Resources(resources::Resources::parse(arguments)),
            "read" => CommandKind::Read(resources::Read::parse(arguments)?),
            "prompts" => CommandKind::Prompts(prompts::Prompts::parse(arguments)),
            "get" => CommandKind::Get(prompts::Get::parse(arguments)?),
            "complete" => CommandKind::Complete(complete::Complete::parse(arguments)?),
            "completions" => CommandKind::Completions(completions::Completions::parse(arguments)?),
            "check" => CommandKind::Check(check::Check::parse(arguments)?),
            "docs" => CommandKind::Docs,
            "schema" => CommandKind::Schema(schema::Schema::parse(arguments)),
            "install" => CommandKind::Install(install::Install::parse(arguments)?),
            "uninstall" => CommandKind::Uninstall(install::Uninstall::parse(arguments)?),
            "manifest" => CommandKind::Manifest(manifest::Manifest::parse(arguments)?),
            "server-json" => CommandKind::ServerJson(server_json::ServerJson::parse(arguments)?),
            "serve" => return Ok(None),
            option if option.starts_with('-') => return Err(UsageError::unknown_option(option)),
            unknown => return Err(UsageError::unknown_command(unknown)),
        }))
    }
}

fn help_of(command: &str, serve: &ServeOptions) -> CommandOutput {
    match help::of_command(command, serve, Style::stdout()) {
        Some(text) => CommandOutput::text(text),
        None => CommandOutput::failure(UsageError::unknown_command(command).to_string(), USAGE_STATUS),
    }
}

fn version(server: &Server, json: bool) -> CommandOutput {
    let (name, version) = (&server.info().name, &server.info().version);
    CommandOutput::text(if json {
        format!("{:#}", json!({"name": name, "version": version}))
    } else {
        format!("{name} {version}")
    })
}

/// What a command prints, and its exit status.
#[derive(Debug, Default, PartialEq)]
struct CommandOutput {
    stdout: String,
    stderr: String,
    status: u8,
}

impl CommandOutput {
    fn text(text: impl Into<String>) -> CommandOutput {
        CommandOutput { stdout: text.into(), ..CommandOutput::default() }
    }

    fn failure(error: impl Into<String>, status: u8) -> CommandOutput {
        CommandOutput { stderr: error.into(), status, ..CommandOutput::default() }
    }

    /// Returns the output of a command that saved a file.
    fn saved(outcome: Result<String, String>) -> CommandOutput {
        match outcome {
            // A note, because standard output may be the file.
            Ok(done) => CommandOutput { stderr: done, ..CommandOutput::default() },
            Err(error) => CommandOutput::failure(error, 1),
        }
    }

    /// Returns the output of a list without entries.
    fn none(what: &str) -> CommandOutput {
        CommandOutput { stderr: format!("this server has no {what}"), ..CommandOutput::default() }
    }

    fn write(&self) -> io::Result<ExitCode> {
        write_line(io::stderr(), &self.stderr)?;
        write_line(io::stdout(), &self.stdout)?;
        Ok(ExitCode::from(self.status))
    }
}

fn write_line(mut to: impl Write, text: &str) -> io::Result<()> {
    let text = text.trim_end_matches('\n');
    if text.is_empty() {
        return Ok(());
    }
    match writeln!(to, "{text}").and_then(|()| to.flush()) {
        // The reader has read as much as it wanted, as in `calc docs | head`.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(words: &[&str]) -> Result<Option<Command>, UsageError> {
        Command::parse(words.iter().map(OsString::from))
    }

    #[test]
    fn without_a_command_the_program_serves() {
        for words in [&[][..], &["serve"]] {
            assert_eq!(command(words), Ok(None), "{words:?}");
        }
    }

    #[test]
    fn an_unknown_option_is_an_error_with_a_suggestion() {
        for words in [&["--bogus"][..], &["--port", "tools"], &["-v"], &["serve", "--port"]] {
            assert!(command(words).is_err(), "{words:?}");
        }
        assert_eq!(command(&["--hlep"]).unwrap_err().nearest(), Some("--help"));
        for words in [&["--http"][..], &["--http=:80"], &["serve", "--http", "8080"]] {
            assert!(command(words).unwrap_err().to_string().contains("mcp_serve::run"), "{words:?}");
        }
        let error = command(&["call", "add", "--a=2"]).unwrap_err().to_string();
        assert!(error.contains("without dashes: `a=2`"), "{error}");
    }

    #[test]
    fn an_unknown_command_is_an_error_with_a_suggestion() {
        for (word, nearest) in
            [("list", "tools"), ("tool", "tools"), ("cal", "call"), ("instal", "install"), ("run", "call")]
        {
            let error = command(&[word]).unwrap_err();
            assert_eq!(error.nearest(), Some(nearest), "{word}");
            assert!(!error.to_string().contains('\n') && error.to_string().contains(word), "{error}");
        }
        assert_eq!(command(&["notes.db"]).unwrap_err().nearest(), None);
    }

    #[test]
    fn unexpected_arguments_are_an_error() {
        for words in [
            &["tools", "x"][..],
            &["tools", "--jsn"],
            &["call"],
            &["docs", "--json"],
            &["install", "emacs"],
            &["serve", "1"],
        ] {
            assert!(command(words).is_err(), "{words:?}");
        }
        assert_eq!(command(&["install", "curser"]).unwrap_err().nearest(), Some("cursor"));
        assert_eq!(command(&["tools", "--jsn"]).unwrap_err().nearest(), Some("--json"));
    }
}
