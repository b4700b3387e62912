//! `calc complete PROMPT topic=te`: prints the values that the server suggests for an argument.

use std::io;
use std::sync::Arc;

use mcp_core::Server;
use serde_json::{Map, Value, json};

use super::prompts::text_arguments;
use super::{CommandOutput, call};
use crate::USAGE_STATUS;
use crate::command_line::{Arguments, UsageError};
use crate::local_client::{self, LocalClient};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Complete {
    /// The name of a prompt or a URI template.
    of: String,
    /// The argument to complete, with the beginning of its value; then the arguments that are known.
    words: Vec<String>,
    json: bool,
}

impl Complete {
    pub(super) fn parse(arguments: &mut Arguments) -> Result<Complete, UsageError> {
        let json = arguments.flag("--json");
        let of = arguments.next_word().ok_or_else(|| {
            UsageError::new("`complete` needs the name of a prompt or a URI template, and ARGUMENT=BEGINNING")
        })?;
        let words: Vec<String> = std::iter::from_fn(|| arguments.next_word()).collect();
        match words.first() {
            Some(first) if first.contains('=') => Ok(Complete { of, words, json }),
            _ => Err(UsageError::new(
                "`complete` needs ARGUMENT=BEGINNING after the prompt or URI template, such as `city=Be`",
            )),
        }
    }

    pub(super) fn run(&self, server: &Server) -> io::Result<CommandOutput> {
        let reference = match self.reference(server) {
            Ok(reference) => reference,
            Err(error) => return Ok(CommandOutput::failure(error, USAGE_STATUS)),
        };
        let (name, value) = self.words.first().and_then(|word| word.split_once('=')).unwrap_or_default();
        let known = match text_arguments(self.words.get(1..).unwrap_or_default()) {
            Ok(known) => known,
            Err(error) => return Ok(CommandOutput::failure(error, USAGE_STATUS)),
        };
        let client = LocalClient::new(server, Arc::new(()))?;
        let outcome = client.request("completion/complete", &params(reference, name, value, known));
        client.shut_down();
        Ok(match outcome {
            Ok(result) if self.json => CommandOutput::text(format!("{result:#}")),
            Ok(result) => {
                let values = result["completion"]["values"].as_array().into_iter().flatten();
                CommandOutput::text(values.filter_map(Value::as_str).collect::<Vec<_>>().join("\n"))
            }
            Err(error) => CommandOutput::failure(error, 1),
        })
    }

    /// Returns the prompt or the template as the protocol refers to it.
    fn reference(&self, server: &Server) -> Result<Value, String> {
        if self.of.contains("://") {
            let templates = local_client::resource_templates(server);
            call::find_by(&templates, "resource template", "uriTemplate", &self.of)?;
            return Ok(json!({"type": "ref/resource", "uri": self.of}));
        }
        call::find_by(&local_client::prompts(server), "prompt", "name", &self.of)?;
        Ok(json!({"type": "ref/prompt", "name": self.of}))
    }
}

fn params(reference: Value, name: &str, value: &str, known: Map<String, Value>) -> Value {
    json!({"ref": reference, "argument": {"name": name, "value": value}, "context": {"arguments": known}})
}

/// Returns the values that the server suggests for an argument of a prompt, for shell completion.
pub(super) fn of_prompt(server: &Server, prompt: &str, name: &str, value: &str) -> Vec<String> {
    let Ok(client) = LocalClient::new(server, Arc::new(())) else {
        return Vec::new();
    };
    let reference = json!({"type": "ref/prompt", "name": prompt});
    let outcome = client.request("completion/complete", &params(reference, name, value, Map::new()));
    client.shut_down();
    let values = outcome.unwrap_or_default()["completion"]["values"].take();
    values.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}
