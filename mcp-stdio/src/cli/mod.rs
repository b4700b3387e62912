//! The server binary as its own tool: `calc tools`, `calc call add a=2 b=3`, `calc install cursor --write`.
//!
//! One file a command. Nothing here runs, and nothing is allocated, in a server that only serves.

mod arguments;
mod bar;
mod call;
mod check;
mod docs;
mod help;
mod install;
mod manifest;
mod nearest;
mod probe;
mod schema;
mod server_json;
mod shape;
mod tools;
mod words;

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use mcp_core::Server;

use crate::error::Error;
use words::Words;

pub use check::{Finding, Severity, check};
pub use docs::docs;
pub(crate) use help::greeting;
pub use words::UsageError;

/// Something that a server's command line is asked for, such as `tools --json`.
///
/// [`run`](crate::run) understands these by itself. A program with a command line of its own turns that off with
/// [`Stdio::command_line`](crate::Stdio::command_line), and gives to this what it wants to be understood:
///
/// ```
/// use mcp_core::Server;
/// use mcp_stdio::Command;
///
/// let server = Server::new("empty", "1.0.0").build()?;
/// let command = Command::parse(["tools", "--json"].map(Into::into))?.expect("this is a command");
/// command.run(&server)?;
///
/// assert!(Command::parse(["--my-own-option".into()])?.is_none());
/// assert_eq!(Command::parse(["list".into()]).unwrap_err().nearest(), Some("tools"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command(Order);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Order {
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
    /// Understands the words of a command line, without the program's name.
    ///
    /// No words, `serve`, and options that are none of ours are `None`: then the program serves.
    ///
    /// # Errors
    /// When the first word is no command, or when what follows is not what that command takes.
    pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Option<Command>, UsageError> {
        let mut words = words.into_iter().map(|word| word.to_string_lossy().into_owned());
        let Some(first) = words.next() else {
            return Ok(None);
        };
        let mut words = Words::new(words.collect());
        let order = match first.as_str() {
            "help" | "--help" | "-h" => Order::Help,
            "version" | "--version" | "-V" => Order::Version,
            "tools" => Order::Tools(tools::Tools::parse(&mut words)),
            "call" => Order::Call(call::Call::parse(&mut words)?),
            "check" => Order::Check(check::Check::parse(&mut words)),
            "docs" => Order::Docs,
            "schema" => Order::Schema(schema::Schema::parse(&mut words)),
            "install" => Order::Install(install::Install::parse(&mut words)?),
            "manifest" => Order::Manifest(manifest::Manifest::parse(&mut words)?),
            "server-json" => Order::ServerJson(server_json::ServerJson::parse(&mut words)?),
            "serve" => return words.finish("serve").map(|()| None),
            option if option.starts_with('-') => return Ok(None),
            unknown => return Err(UsageError::no_command(unknown)),
        };
        words.finish(&first)?;
        Ok(Some(Command(order)))
    }

    /// Does it, and writes what comes of it: to standard output what was asked for, to stderr what went wrong.
    ///
    /// # Errors
    /// When the output cannot be written, or when a call cannot begin.
    pub fn run(&self, server: &Server) -> Result<ExitCode, Error> {
        let said = match &self.0 {
            Order::Help => Said::text(help::help(server)),
            Order::Version => Said::text(format!("{} {}", server.info().name, server.info().version)),
            Order::Tools(tools) => tools.run(server),
            Order::Call(call) => call.run(server)?,
            Order::Check(check) => check.run(server),
            Order::Docs => Said::text(docs(server)),
            Order::Schema(schema) => schema.run(server),
            Order::Install(install) => install.run(server),
            Order::Manifest(manifest) => manifest.run(server),
            Order::ServerJson(entry) => entry.run(server),
        };
        said.write()
    }
}

/// What a command has to say, and the exit status.
#[derive(Debug, Default, PartialEq)]
struct Said {
    output: String,
    error: String,
    status: u8,
}

/// The command was used as it cannot be used.
const MISUSE: u8 = 2;

impl Said {
    fn text(output: impl Into<String>) -> Said {
        Said { output: output.into(), ..Said::default() }
    }

    fn failure(error: impl Into<String>, status: u8) -> Said {
        Said { error: error.into(), status, ..Said::default() }
    }

    fn write(&self) -> Result<ExitCode, Error> {
        write_line(io::stderr(), &self.error)?;
        write_line(io::stdout(), &self.output)?;
        Ok(ExitCode::from(self.status))
    }
}

fn write_line(mut to: impl Write, text: &str) -> Result<(), Error> {
    let text = text.trim_end_matches('\n');
    if text.is_empty() {
        return Ok(());
    }
    match writeln!(to, "{text}").and_then(|()| to.flush()) {
        // Whoever reads us has seen enough: `calc docs | head`.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.map_err(Error::Write),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(words: &[&str]) -> Result<Option<Command>, UsageError> {
        Command::parse(words.iter().map(OsString::from))
    }

    #[test]
    fn options_that_are_none_of_ours_are_left_to_the_program() {
        for words in [&[][..], &["--port", "tools"], &["-v"], &["serve"]] {
            assert_eq!(command(words), Ok(None), "{words:?}");
        }
    }

    #[test]
    fn a_word_that_is_no_command_is_an_error_that_names_the_nearest_one() {
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
    fn what_a_command_does_not_take_is_an_error() {
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
