//! `calc completions bash`: prints a script that completes commands, tools and arguments.
//!
//! The scripts call the program itself with the words that were typed (`calc __complete WORD ...`), so they are never out of date.

use mcp_core::Server;
use serde_json::Value;

use super::{CommandOutput, complete, help, install};
use crate::command_line::{Arguments, UsageError};
use crate::local_client;
use crate::schema::properties;
use crate::schema::shape::word_of;
use crate::schema::types::choices;
use crate::serve_options::ServeOptions;
use crate::suggestion::nearest;

/// The hidden command that the scripts call.
pub(super) const COMPLETE_WORDS: &str = "__complete";

/// The shells with their scripts. `NAME` is the name of the program, `FUNCTION` a name for functions.
const SHELLS: &[(&str, &str)] = &[
    ("bash", include_str!("completions/bash.sh")),
    ("zsh", include_str!("completions/zsh.sh")),
    ("fish", include_str!("completions/fish.fish")),
    ("powershell", include_str!("completions/powershell.ps1")),
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Completions {
    script: &'static str,
}

impl Completions {
    pub(super) fn parse(arguments: &mut Arguments) -> Result<Completions, UsageError> {
        let names = || SHELLS.iter().map(|(name, _)| *name);
        let all = names().collect::<Vec<_>>().join(", ");
        let shell = arguments.next_word().ok_or_else(|| UsageError::new(format!("`completions` needs a shell: {all}")))?;
        match SHELLS.iter().find(|(name, _)| *name == shell) {
            Some((_, script)) => Ok(Completions { script }),
            None => Err(UsageError::new(format!("unknown shell `{shell}`; the shells are {all}"))
                .with_nearest(nearest(&shell, names()))),
        }
    }

    pub(super) fn run(&self) -> CommandOutput {
        let name = help::program_name();
        let function: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        CommandOutput::text(self.script.replace("FUNCTION", &function).replace("NAME", &name))
    }
}

/// Returns the words that may stand in the place of the last one, one on each line. A word that ends with `=` needs a value.
pub(super) fn candidates(server: &Server, serve: &ServeOptions, words: &[String]) -> Vec<String> {
    let Some((current, before)) = words.split_last() else {
        return Vec::new();
    };
    // The script of PowerShell writes an empty word as `""`: version 7.2 and older drop an empty argument, and newer ones pass
    // the quotes on.
    let current = if current == "\"\"" { "" } else { current };
    let all = match before {
        [] => help::names().chain(["--help", "--version"]).map(str::to_owned).collect(),
        [command, given @ ..] => of_command(server, serve, command, given, current),
    };
    all.into_iter().filter(|word| word.starts_with(current) && word != current).collect()
}

fn of_command(server: &Server, serve: &ServeOptions, command: &str, given: &[String], current: &str) -> Vec<String> {
    if current.starts_with('-') {
        return options(command, serve);
    }
    let place = given.iter().filter(|word| !word.starts_with("--")).count();
    let first = given.iter().find(|word| !word.starts_with("--"));
    match (command, first) {
        ("call" | "schema", None) => names(&local_client::tools(server), "name"),
        ("call", Some(tool)) => of_tool(&local_client::tools(server), tool, given, current),
        ("get" | "complete", None) => names(&local_client::prompts(server), "name"),
        ("get" | "complete", Some(prompt)) => of_prompt(server, prompt, given, current),
        ("read", None) => names(&local_client::resources(server), "uri"),
        ("install" | "uninstall", None) => install::names().map(str::to_owned).collect(),
        ("completions", None) => SHELLS.iter().map(|(name, _)| (*name).to_owned()).collect(),
        ("help", None) => help::names().map(str::to_owned).collect(),
        _ if place == 0 => options(command, serve),
        _ => Vec::new(),
    }
}

fn options(command: &str, serve: &ServeOptions) -> Vec<String> {
    let known = help::COMMANDS.iter().find(|known| known.name == command).map(|known| known.options);
    let Some(options) = known.or((command == "serve").then_some(serve.options)) else {
        return Vec::new();
    };
    let options = options.iter().filter_map(|(option, _)| option.split(' ').next());
    options.chain(["--help"]).map(str::to_owned).collect()
}

fn names(entries: &[Value], key: &str) -> Vec<String> {
    entries.iter().filter_map(|entry| entry[key].as_str()).map(str::to_owned).collect()
}

/// Returns the arguments of a tool that are not given yet, or the words that one of them may be.
fn of_tool(tools: &[Value], tool: &str, given: &[String], current: &str) -> Vec<String> {
    let Some(tool) = tools.iter().find(|entry| entry["name"] == tool) else {
        return Vec::new();
    };
    let schema = &tool["inputSchema"];
    if let Some((name, _)) = current.split_once('=') {
        let property = &schema["properties"][name];
        let mut words: Vec<String> = choices(schema, property).iter().map(word_of).collect();
        if property["type"] == "boolean" {
            words = vec!["true".to_owned(), "false".to_owned()];
        }
        return words.into_iter().map(|word| format!("{name}={word}")).collect();
    }
    let all = properties(schema).into_iter().map(|(name, ..)| format!("{name}="));
    all.filter(|name| !given.iter().any(|word| word.starts_with(name.as_str()))).collect()
}

/// Returns the arguments of a prompt that are not given yet, or the values that the server suggests for one of them.
fn of_prompt(server: &Server, name: &str, given: &[String], current: &str) -> Vec<String> {
    if let Some((argument, value)) = current.split_once('=') {
        let values = complete::of_prompt(server, name, argument, value);
        return values.into_iter().map(|value| format!("{argument}={value}")).collect();
    }
    let prompts = local_client::prompts(server);
    let arguments = prompts.iter().find(|entry| entry["name"] == name).and_then(|prompt| prompt["arguments"].as_array());
    let all =
        arguments.into_iter().flatten().filter_map(|argument| argument["name"].as_str()).map(|name| format!("{name}="));
    all.filter(|name| !given.iter().any(|word| word.starts_with(name.as_str()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_word_of_powershell_is_an_empty_word_in_every_version() {
        let server = Server::builder("empty", "1.0.0").build().unwrap();
        let offered = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            candidates(&server, &ServeOptions::STDIO, &words)
        };
        for before in [&[][..], &["install"], &["completions"]] {
            let all = offered(&[before, &[""]].concat());
            assert!(all.len() > 3, "{before:?}: {all:?}");
            assert_eq!(offered(&[before, &["\"\""]].concat()), all, "{before:?}");
        }
    }
}
