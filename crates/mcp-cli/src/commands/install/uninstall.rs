//! `calc uninstall cursor --write`: removes the server from the configuration of a client.

use mcp_core::Server;

use super::client::Client;
use super::configuration::{self, Configuration};
use super::report;
use crate::command_line::{Arguments, UsageError};
use crate::commands::CommandOutput;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) struct Uninstall {
    client: Client,
    write: bool,
    json: bool,
    name: Option<String>,
}

impl Uninstall {
    pub(in crate::commands) fn parse(arguments: &mut Arguments) -> Result<Uninstall, UsageError> {
        let (write, json, name) = (arguments.flag("--write"), arguments.flag("--json"), arguments.value("--name")?);
        Ok(Uninstall { client: Client::parse("uninstall", arguments)?, write, json, name })
    }

    pub(in crate::commands) fn run(&self, server: &Server) -> CommandOutput {
        let name = self.name.as_ref().unwrap_or(&server.info().name);
        self.outcome(name).unwrap_or_else(|error| CommandOutput::failure(error, 1))
    }

    /// Removes the server. It is not an error if the server is not in the file: the file already is as requested.
    fn outcome(&self, name: &str) -> Result<CommandOutput, String> {
        let configuration = Configuration::read(self.client)?;
        let entry = configuration.entry(name)?;
        if self.json {
            let changed = self.write && configuration.set(name, None)?;
            return Ok(report(self.client, name, entry.as_ref(), changed));
        }
        let Some(entry) = entry else {
            return Ok(CommandOutput::text(format!("`{name}` is not in {}", configuration.place())));
        };
        if self.write {
            configuration.set(name, None)?;
            return Ok(CommandOutput::text(format!("removed `{name}` from {}", configuration.place())));
        }
        Ok(CommandOutput {
            stderr: format!("remove this from {}, or use --write:", configuration.place()),
            ..CommandOutput::text(configuration::whole_file(self.client, name, &entry))
        })
    }
}
