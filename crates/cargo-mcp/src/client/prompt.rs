//! `cargo mcp prompt SERVER NAME [ARGUMENT=TEXT ...]`: prints the messages of a prompt.

use mcp_cli::Arguments;
use mcp_client::Client;
use serde_json::json;

use super::content::text_of;
use super::options::Options;
use super::text::print;
use super::{failed, unknown};
use crate::Failure;

pub(super) struct Prompt {
    name: String,
    arguments: Vec<(String, String)>,
}

impl Prompt {
    pub(super) fn parse(arguments: &mut Arguments) -> Result<Prompt, Failure> {
        let name = arguments.next_word();
        let name =
            name.ok_or_else(|| Failure::usage("`prompt` needs a name: cargo mcp prompt SERVER NAME [ARGUMENT=TEXT ...]"))?;
        Ok(Prompt { name, arguments: pairs(arguments)? })
    }

    pub(super) async fn run(&self, client: &Client, options: &Options) -> Result<(), Failure> {
        let prompts = client.prompts().all().await.map_err(|error| failed(&error))?;
        let prompt = prompts.iter().find(|prompt| prompt.name == self.name);
        let prompt =
            prompt.ok_or_else(|| unknown("prompt", &self.name, prompts.iter().map(|prompt| prompt.name.as_str())))?;
        let names = || prompt.arguments.iter().map(|argument| argument.name.as_str());
        if let Some((name, _)) = self.arguments.iter().find(|(name, _)| !names().any(|known| known == name)) {
            return Err(unknown("argument of this prompt with the name", name, names()));
        }
        let missing = prompt.arguments.iter().filter(|argument| argument.required);
        let missing = missing.filter(|argument| !self.arguments.iter().any(|(name, _)| *name == argument.name));
        let missing: Vec<&str> = missing.map(|argument| argument.name.as_str()).collect();
        if !missing.is_empty() {
            return Err(Failure::usage(super::harmless(&format!(
                "`{}` requires these arguments: {}",
                self.name,
                missing.join(", ")
            ))));
        }
        let result = client.prompt(&self.name, self.arguments.clone()).await.map_err(|error| failed(&error))?;
        if options.json {
            return print(&format!("{:#}", json!(result)));
        }
        let messages = result.messages.iter().map(|message| {
            let role = json!(message.role);
            format!("{}: {}", role.as_str().unwrap_or_default(), text_of(&message.content))
        });
        print(&messages.collect::<Vec<_>>().join("\n"))
    }
}

/// Takes all words that are left. Each is `name=text`.
pub(super) fn pairs(arguments: &mut Arguments) -> Result<Vec<(String, String)>, Failure> {
    let words = std::iter::from_fn(|| arguments.next_word());
    let pair = |word: String| {
        let pair = word.split_once('=').map(|(name, text)| (name.to_owned(), text.to_owned()));
        pair.ok_or_else(|| Failure::usage(format!("`{word}` is not an argument: write name=text")))
    };
    words.map(pair).collect()
}
