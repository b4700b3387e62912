//! `cargo mcp read SERVER URI`: prints a resource.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use mcp_cli::Arguments;
use mcp_client::Client;
use serde_json::json;

use super::content::{bytes_of_contents, save, text_of_contents};
use super::failed;
use super::options::Options;
use super::text::{print, write};
use crate::Failure;

pub(super) struct Read {
    uri: String,
    output: Option<PathBuf>,
}

impl Read {
    pub(super) fn parse(arguments: &mut Arguments, output: Option<String>) -> Result<Read, Failure> {
        let uri = arguments.next_word();
        let uri = uri.ok_or_else(|| Failure::usage("`read` needs the URI of a resource: cargo mcp read SERVER URI"))?;
        Ok(Read { uri, output: output.map(PathBuf::from) })
    }

    pub(super) async fn run(&self, client: &Client, options: &Options) -> Result<(), Failure> {
        let contents = client.read(&self.uri).await.map_err(|error| failed(&error))?;
        if options.json {
            return print(&format!("{:#}", json!({"contents": contents})));
        }
        let bytes = || contents.iter().map(bytes_of_contents).collect::<Result<Vec<_>, _>>();
        if let Some(output) = &self.output {
            return save(output, bytes()?);
        }
        // A file or a program gets the bytes, a person gets text.
        if !io::stdout().is_terminal() && contents.iter().any(|contents| contents.blob.is_some()) {
            return bytes()?.iter().try_for_each(|bytes| write(bytes));
        }
        print(&contents.iter().map(text_of_contents).collect::<Vec<_>>().join("\n"))
    }
}
