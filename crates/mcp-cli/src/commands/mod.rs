//! The commands, one file each.

mod call;
mod check;
mod docs;
pub(crate) mod help;
mod install;
mod manifest;
mod schema;
mod server_json;
mod tools;

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use mcp_core::Server;

use crate::command_line::{Arguments, UsageError};

pub use check::{Finding, Severity, check};
pub use docs::docs;
pub(crate) use help::greeting;

/// A command of a server binary, such as `tools --json`.
///
/// `mcp_stdio::run` parses and runs commands by itself. A program with its own command line turns that off with
/// `mcp_stdio::Stdio::command_line(false)`, and passes the arguments that it does not use to [`parse`](Command::parse):
///
/// ```
/// use mcp_cli::Command;
/// use mcp_core::Server;
///
/// let server = Server::builder("empty", "1.0.0").build()?;
/// let command = Command::parse(["tools", "--json"].map(Into::into))?.expect("this is a command");
/// command.run(&server)?;
///
/// assert!(Command::parse(["--my-own-option".into()])?.is_none());
/// assert_eq!(Command::parse(["list".into()]).unwrap_err().nearest(), Some("tools"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command(CommandKind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum CommandKind {
    Help,
    Version,
    Tools(tools::Tools),
    Call(call::Call),
    Check(check::Check),
    Docs,
    Schema(schema::Schema),
    Install(install::Install),
    Manifest(manifest::Manifest),
    ServerJson(server_json::ServerJson),
}

impl Command {
    /// Parses a command line without the program's name.
    ///
    /// Returns `None` if the program should serve: there are no arguments, the first one is `serve`, or it is an option that
    /// is not one of `--help`, `--version`, `-h` and `-V`.
    ///
    /// # Errors
    /// If the first argument is not a command, or if the command does not take the arguments that follow it.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Option<Command>, UsageError> {
        let mut arguments = arguments.into_iter().map(|argument| argument.to_string_lossy().into_owned());
        let Some(first) = arguments.next() else {
            return Ok(None);
        };
        let mut arguments = Arguments::new(arguments.collect());
        let kind = match first.as_str() {
            "help" | "--help" | "-h" => CommandKind::Help,
            "version" | "--version" | "-V" => CommandKind::Version,
            "tools" => CommandKind::Tools(tools::Tools::parse(&mut arguments)),
            "call" => CommandKind::Call(call::Call::parse(&mut arguments)?),
            "check" => CommandKind::Check(check::Check::parse(&mut arguments)),
            "docs" => CommandKind::Docs,
            "schema" => CommandKind::Schema(schema::Schema::parse(&mut arguments)),
            "install" => CommandKind::Install(install::Install::parse(&mut arguments)?),
            "manifest" => CommandKind::Manifest(manifest::Manifest::parse(&mut arguments)?),
            "server-json" => CommandKind::ServerJson(server_json::ServerJson::parse(&mut arguments)?),
            "serve" => return arguments.finish("serve").map(|()| None),
            option if option.starts_with('-') => return Ok(None),
            unknown => return Err(UsageError::unknown_command(unknown)),
        };
        arguments.finish(&first)?;
        Ok(Some(Command(kind)))
    }

    /// Runs the command. Writes its result to standard output and its errors and notes to stderr; returns the exit status.
    ///
    /// # Errors
    /// If the output cannot be written, or if the threads for a tool call cannot be started.
    pub fn run(&self, server: &Server) -> io::Result<ExitCode> {
        let output = match &self.0 {
            CommandKind::Help => CommandOutput::text(help::help(server)),
            CommandKind::Version => CommandOutput::text(format!("{} {}", server.info().name, server.info().version)),
            CommandKind::Tools(tools) => tools.run(server),
            CommandKind::Call(call) => call.run(server)?,
            CommandKind::Check(check) => check.run(server),
            CommandKind::Docs => CommandOutput::text(docs(server)),
            CommandKind::Schema(schema) => schema.run(server),
            CommandKind::Install(install) => install.run(server),
            CommandKind::Manifest(manifest) => manifest.run(server),
            CommandKind::ServerJson(entry) => entry.run(server),
        };
        output.write()
    }
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
    fn unknown_options_are_not_commands() {
        for words in [&[][..], &["--port", "tools"], &["-v"], &["serve"]] {
            assert_eq!(command(words), Ok(None), "{words:?}");
        }
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
