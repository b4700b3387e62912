//! `cargo mcp call SERVER TOOL [NAME=VALUE ...]`: calls a tool and prints its result.

use std::path::PathBuf;

use mcp_cli::Arguments;
use mcp_client::{Client, ToolResult};
use serde_json::{Value, json};

use super::content::{bytes_of, save, text_of};
use super::options::Options;
use super::text::print;
use super::{arguments, failed, unknown};
use crate::Failure;

pub(super) struct Call {
    tool: String,
    words: Vec<String>,
    output: Option<PathBuf>,
}

impl Call {
    pub(super) fn parse(arguments: &mut Arguments, output: Option<String>) -> Result<Call, Failure> {
        let tool = arguments.next_word();
        let tool = tool.ok_or_else(|| Failure::usage("`call` needs a tool: cargo mcp call SERVER TOOL [NAME=VALUE ...]"))?;
        let words = std::iter::from_fn(|| arguments.next_word()).collect();
        Ok(Call { tool, words, output: output.map(PathBuf::from) })
    }

    pub(super) async fn run(&self, client: &Client, options: &Options) -> Result<(), Failure> {
        let tools = client.tools().all().await.map_err(|error| failed(&error))?;
        let tool = tools.iter().find(|tool| tool.name == self.tool);
        let tool = tool.ok_or_else(|| unknown("tool", &self.tool, tools.iter().map(|tool| tool.name.as_str())))?;
        let arguments = arguments::arguments(&tool.input_schema, &self.words).map_err(Failure::usage)?;
        let bar = options.bar.clone();
        let call = client.call(&self.tool, arguments).on_progress(move |progress| {
            bar.progress(&json!({"progress": progress.progress, "total": progress.total, "message": progress.message}));
        });
        let result = call.await;
        options.bar.clear();
        self.show(&result.map_err(|error| failed(&error))?, options)
    }

    fn show(&self, result: &ToolResult, options: &Options) -> Result<(), Failure> {
        let text = match &result.structured {
            _ if options.json => format!("{:#}", json!(result)),
            Some(structured) if result.content.is_empty() => serde_json::from_str::<Value>(structured.get())
                .map_or_else(|_| structured.to_string(), |json| format!("{json:#}")),
            _ => result.content.iter().map(text_of).collect::<Vec<_>>().join("\n"),
        };
        match (&self.output, result.is_error) {
            // The text of an error is for people, and goes to stderr.
            (_, true) if !options.json => Err(Failure::new(super::harmless(&text))),
            (Some(output), false) => {
                let contents = result.content.iter().filter_map(bytes_of).collect::<Result<Vec<_>, _>>()?;
                save(output, contents)
            }
            (_, is_error) => {
                print(&text)?;
                if is_error { Err(Failure::new("the tool failed")) } else { Ok(()) }
            }
        }
    }
}
