//! `calc call add --help`: the arguments of a tool, and an example.

use serde_json::Value;

use super::{help, tools};
use crate::schema::shape::{shape, word_of};
use crate::schema::{properties, sample};
use crate::style::Style;
use crate::sys::shell_word;

/// Describes a tool: its description, its arguments with types and defaults, its result, and an example.
pub(super) fn text(tool: &Value, style: Style) -> String {
    let name = tool["name"].as_str().unwrap_or_default();
    let mut text = style.bold(tool["title"].as_str().unwrap_or(name));
    text += &format!("\n{}\n", tool["description"].as_str().unwrap_or_default());
    text += &format!("\n{}\n  {} call {}\n", style.bold("Usage"), help::program(), tools::synopsis(tool, Style::PLAIN));
    let schema = &tool["inputSchema"];
    let rows = argument_rows(schema, style, "  ");
    if !rows.is_empty() {
        text += &format!("\n{}\n{rows}", style.bold("Arguments"));
    }
    if let Some(output) = tool.get("outputSchema") {
        text += &format!("\n{}\n  {}\n", style.bold("Result"), shape(output, output));
    }
    if let Some(example) = example(name, schema) {
        text += &format!("\n{}\n  {example}\n", style.bold("Example"));
    }
    text += "\nWrite NAME=VALUE, NAME=@FILE for the content of a file, or one JSON object: '{..}', @FILE, or - for standard input.\n";
    text += "--json prints the whole result, --output FILE saves images and other binary content.\n";
    text
}

/// Returns a line for each argument: its name, its shape, its description and its default.
pub(super) fn argument_rows(schema: &Value, style: Style, indent: &str) -> String {
    let properties = properties(schema);
    let names: Vec<String> = properties
        .iter()
        .map(|(name, _, required)| if *required { (*name).to_owned() } else { format!("{name}?") })
        .collect();
    let shapes: Vec<String> = properties.iter().map(|(_, property, _)| shape(schema, property)).collect();
    let width = |texts: &[String], most: usize| texts.iter().map(|text| text.chars().count().min(most)).max().unwrap_or(0);
    let (names_width, shapes_width) = (width(&names, 24), width(&shapes, 28));
    let mut rows = String::new();
    for (((_, property, _), name), shape) in properties.iter().zip(&names).zip(&shapes) {
        let mut notes = first_line(property).to_owned();
        if let Some(default) = property.get("default") {
            notes = format!("{notes} (default {})", word_of(default)).trim_start().to_owned();
        }
        let name = style.bold(&format!("{name:names_width$}"));
        let shape = style.dim(&format!("{shape:shapes_width$}"));
        rows += format!("{indent}{name}  {shape}  {notes}").trim_end();
        rows.push('\n');
    }
    rows
}

/// Returns the first line of a description. The list of the words of an enum is not a description of the argument.
fn first_line(property: &Value) -> &str {
    let mut lines = property["description"].as_str().unwrap_or_default().lines();
    lines.next().filter(|line| !line.starts_with("- `")).unwrap_or_default()
}

/// Returns a command that calls the tool with sample arguments. `None` if no valid sample was found.
fn example(name: &str, schema: &Value) -> Option<String> {
    let mut command = format!("{} call {}", shell_word(&help::program()), shell_word(name));
    for (argument, value) in sample::arguments(schema)? {
        let text = word_of(&value);
        // `@` reads a file.
        let text = if text.starts_with('@') { format!("@{text}") } else { text };
        command += &format!(" {}", shell_word(&format!("{argument}={text}")));
    }
    Some(command)
}
