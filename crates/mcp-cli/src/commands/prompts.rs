//! `calc prompts`: lists the prompts. `calc get NAME topic=tea`: prints the messages of one.

use std::io;
use std::sync::Arc;

use mcp_core::Server;
use serde_json::{Map, Value, json};

use super::{CommandOutput, call};
use crate::USAGE_STATUS;
use crate::command_line::{Arguments, UsageError};
use crate::local_client::{self, LocalClient};
use crate::style::Style;
use crate::{content, text_source};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Prompts {
    json: bool,
}

impl Prompts {
    pub(super) fn parse(arguments: &mut Arguments) -> Prompts {
        Prompts { json: arguments.flag("--json") }
    }

    pub(super) fn run(&self, server: &Server) -> CommandOutput {
        let prompts = local_client::prompts(server);
        if self.json {
            return CommandOutput::text(format!("{:#}", json!({"prompts": prompts})));
        }
        if prompts.is_empty() {
            return CommandOutput::none("prompts");
        }
        let style = Style::stdout();
        CommandOutput::text(prompts.iter().map(|prompt| described(prompt, style)).collect::<Vec<_>>().join("\n"))
    }
}

fn described(prompt: &Value, style: Style) -> String {
    let (mut line, mut rows) = (style.bold(prompt["name"].as_str().unwrap_or_default()), String::new());
    for argument in prompt["arguments"].as_array().into_iter().flatten() {
        let name = argument["name"].as_str().unwrap_or_default();
        line += &if argument["required"] == true { format!(" {name}=TEXT") } else { format!(" [{name}=TEXT]") };
        if let Some(description) = argument["description"].as_str() {
            rows += &format!("\n      {}  {}", style.bold(name), description.lines().next().unwrap_or_default());
        }
    }
    let description = prompt["description"].as_str().unwrap_or_default().replace('\n', "\n    ");
    format!("{line}\n    {description}{rows}")
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Get {
    prompt: String,
    words: Vec<String>,
    json: bool,
    help: bool,
    output: Option<String>,
}

impl Get {
    pub(super) fn parse(arguments: &mut Arguments) -> Result<Get, UsageError> {
        let (json, output, help) = (arguments.flag("--json"), arguments.value("--output")?, arguments.help());
        let prompt = arguments.next_word().ok_or_else(|| UsageError::new("`get` needs the name of a prompt"))?;
        arguments.refuse_dashes()?;
        let mut words: Vec<String> = std::iter::from_fn(|| arguments.next_word()).collect();
        words.extend(arguments.rest());
        Ok(Get { prompt, words, json, help, output })
    }

    pub(super) fn run(&self, server: &Server) -> io::Result<CommandOutput> {
        let prompts = local_client::prompts(server);
        let prompt = match call::find_by(&prompts, "prompt", "name", &self.prompt) {
            Ok(prompt) => prompt,
            Err(error) => return Ok(CommandOutput::failure(error, USAGE_STATUS)),
        };
        if self.help {
            return Ok(CommandOutput::text(described(prompt, Style::stdout())));
        }
        let arguments = match text_arguments(&self.words) {
            Ok(arguments) => arguments,
            Err(error) => return Ok(CommandOutput::failure(error, USAGE_STATUS)),
        };
        let client = LocalClient::new(server, Arc::new(()))?;
        let outcome = client.request("prompts/get", &json!({"name": self.prompt, "arguments": arguments}));
        client.shut_down();
        Ok(match outcome {
            Ok(result) => self.show(&result),
            Err(error) => CommandOutput::failure(error, 1),
        })
    }

    fn show(&self, result: &Value) -> CommandOutput {
        match &self.output {
            _ if self.json => CommandOutput::text(format!("{result:#}")),
            Some(path) => {
                let messages = result["messages"].as_array().into_iter().flatten();
                let content: Vec<Value> = messages.map(|message| message["content"].clone()).collect();
                CommandOutput::saved(content::save(&content, path))
            }
            None => CommandOutput::text(messages(result)),
        }
    }
}

/// Returns the arguments of a prompt, which are all text: `name=value` or a JSON object.
pub(super) fn text_arguments(words: &[String]) -> Result<Map<String, Value>, String> {
    let mut arguments = Map::new();
    for word in words {
        if let Some(object) = text_source::object(word) {
            arguments.extend(object?);
            continue;
        }
        let (name, value) = word.split_once('=').ok_or_else(|| format!("`{word}` is not of the form name=value"))?;
        arguments.insert(name.to_owned(), Value::String(text_source::text(name, value)?));
    }
    Ok(arguments)
}

/// Renders each message after the role of its author.
fn messages(result: &Value) -> String {
    let style = Style::stdout();
    let messages = result["messages"].as_array().into_iter().flatten().map(|message| {
        let role = style.bold(&format!("{}:", message["role"].as_str().unwrap_or_default()));
        format!("{role} {}", content::text_of(std::slice::from_ref(&message["content"])))
    });
    messages.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_content_of_a_prompt_is_saved() {
        let file = std::env::temp_dir().join(format!("mcp-prompt-{}.png", std::process::id()));
        let words = vec!["look".to_owned(), "--output".to_owned(), file.display().to_string()];
        let get = Get::parse(&mut Arguments::new(words)).unwrap();
        let saved = get.show(&json!({"messages": [
            {"role": "user", "content": {"type": "text", "text": "What is this?"}},
            {"role": "user", "content": {"type": "image", "mimeType": "image/png", "data": "aW1hZ2U="}},
        ]}));
        assert_eq!(std::fs::read(&file).unwrap(), b"image");
        assert_eq!(saved.stderr, format!("wrote 5 bytes to {}", file.display()));
        std::fs::remove_file(file).unwrap();
    }
}
