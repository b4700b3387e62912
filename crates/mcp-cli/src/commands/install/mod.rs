//! `calc install cursor --write`: adds the server to the configuration of a client. `calc uninstall cursor --write` removes it.

mod client;
mod config_file;
mod configuration;
mod edit_error;
mod json_edit;
mod toml_file;
mod uninstall;

use mcp_core::Server;
use serde_json::{Map, Value, json};

use super::CommandOutput;
use crate::command_line::{Arguments, UsageError};
use crate::sys::{self, shell_word};
use client::Client;
use configuration::Configuration;

pub(super) use uninstall::Uninstall;

/// Returns the names of the supported clients.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    Client::ALL.iter().map(|client| client.name())
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Install {
    client: Client,
    write: bool,
    json: bool,
    name: Option<String>,
    env: Vec<(String, String)>,
    args: Vec<String>,
}

impl Install {
    pub(super) fn parse(arguments: &mut Arguments) -> Result<Install, UsageError> {
        let (write, json, name) = (arguments.flag("--write"), arguments.flag("--json"), arguments.value("--name")?);
        let env = arguments.values("--env")?.into_iter().map(|pair| match pair.split_once('=') {
            Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
            None => Err(UsageError::new(format!("`--env {pair}`: expected NAME=VALUE"))),
        });
        let env = env.collect::<Result<_, _>>()?;
        let client = Client::parse("install", arguments)?;
        Ok(Install { client, write, json, name, env, args: arguments.rest() })
    }

    pub(super) fn run(&self, server: &Server) -> CommandOutput {
        let name = self.name.as_ref().unwrap_or(&server.info().name);
        if self.write { self.write(name) } else { self.print(name) }
    }

    /// Prints the command to run, or the text to add and the file it belongs in.
    fn print(&self, name: &str) -> CommandOutput {
        if self.json {
            return report(self.client, name, Some(&self.entry()), false);
        }
        if self.client == Client::ClaudeCode {
            return CommandOutput::text(self.claude_command(name));
        }
        let place = self
            .client
            .file()
            .map_or_else(|| format!("an unknown folder ({} is not set)", sys::HOME), |path| path.display().to_string());
        CommandOutput {
            stderr: format!("add this to {place}, or use --write:"),
            ..CommandOutput::text(configuration::whole_file(self.client, name, &self.entry()))
        }
    }

    fn write(&self, name: &str) -> CommandOutput {
        let change = || {
            let configuration = Configuration::read(self.client)?;
            let entry = self.entry();
            Ok(match configuration.set(name, Some(&entry))? {
                changed if self.json => report(self.client, name, Some(&entry), changed),
                true => CommandOutput::text(format!("added `{name}` to {}", configuration.place())),
                false => CommandOutput::text(format!("`{name}` is already in {}", configuration.place())),
            })
        };
        change().unwrap_or_else(|error: String| CommandOutput::failure(error, 1))
    }

    /// Returns the entry that tells a client how to start the server.
    fn entry(&self) -> Value {
        let mut entry = json!({"command": program(), "args": self.args});
        if self.client.names_transport() {
            entry["type"] = json!("stdio");
        }
        if !self.env.is_empty() {
            entry["env"] = self.env.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<Map<_, _>>().into();
        }
        entry
    }

    /// Returns the command of Claude Code that adds the server.
    fn claude_command(&self, name: &str) -> String {
        // The name comes first because `--env` takes all arguments that follow it.
        let mut line = format!("claude mcp add --scope user {}", shell_word(name));
        for (name, value) in &self.env {
            line += &format!(" --env {}", shell_word(&format!("{name}={value}")));
        }
        line += &format!(" -- {}", shell_word(&program()));
        for argument in &self.args {
            line += &format!(" {}", shell_word(argument));
        }
        line
    }
}

/// The output for `--json`: the entry of the server in a client's configuration, and whether the file was changed.
fn report(client: Client, name: &str, entry: Option<&Value>, changed: bool) -> CommandOutput {
    let file = client.file().map(|file| std::path::absolute(&file).unwrap_or(file).display().to_string());
    CommandOutput::text(format!(
        "{:#}",
        json!({"client": client.name(), "file": file, "name": name, "entry": entry, "changed": changed})
    ))
}

/// Returns the path of this program.
pub(super) fn program() -> String {
    std::env::current_exe().map_or_else(|_| super::help::program(), |path| path.display().to_string())
}
