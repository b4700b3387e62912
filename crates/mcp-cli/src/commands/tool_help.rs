//! `calc call add --help`: the arguments of a tool, and an example.

use serde_json::Value;

use super::{help, tools};
use crate::schema::fields::{Field, fields, notes};
use crate::schema::sample;
use crate::schema::shape::{shape, word_of};
use crate::schema::types::resolved;
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
    let example = example(&help::program(), name, schema).unwrap_or_else(|why| why);
    text += &format!("\n{}\n  {example}\n", style.bold("Example"));
    text += "\nWrite NAME=VALUE, NAME=@FILE for the content of a file, or one JSON object: '{..}', @FILE, or - for standard input.\n";
    text += "--json prints the whole result, --output FILE saves images and other binary content.\n";
    text
}

/// Returns a line for each argument and for each described field inside of one: its name, its shape and its notes.
pub(super) fn argument_rows(schema: &Value, style: Style, indent: &str) -> String {
    let fields = fields(schema);
    let name_of = |field: &Field<'_>| format!("{}{}", field.path, if field.required { "" } else { "?" });
    let names: Vec<String> = fields.iter().map(name_of).collect();
    let shapes: Vec<String> = fields.iter().map(|field| shape(schema, field.schema)).collect();
    let width = |texts: &[String], most: usize| texts.iter().map(|text| text.chars().count().min(most)).max().unwrap_or(0);
    let (names_width, shapes_width) = (width(&names, 24), width(&shapes, 28));
    let mut rows = String::new();
    for ((field, name), shape) in fields.iter().zip(&names).zip(&shapes) {
        let name = style.bold(&format!("{name:names_width$}"));
        let shape = style.dim(&format!("{shape:shapes_width$}"));
        rows += format!("{indent}{name}  {shape}  {}", notes(field.schema)).trim_end();
        rows.push('\n');
    }
    rows
}

/// Returns a command that calls the tool with sample arguments.
///
/// # Errors
/// A sentence that says why there is none.
pub(super) fn example(program: &str, name: &str, schema: &Value) -> Result<String, String> {
    let mut command = format!("{} call {}", shell_word(program), shell_word(name));
    for (argument, value) in sample::arguments(schema).map_err(|missing| no_example(schema, &missing))? {
        let text = word_of(&value);
        // `@` reads a file.
        let text = if text.starts_with('@') { format!("@{text}") } else { text };
        command += &format!(" {}", shell_word(&format!("{argument}={text}")));
    }
    Ok(command)
}

fn no_example(schema: &Value, missing: &[String]) -> String {
    let described = missing.iter().map(|name| {
        let property = resolved(schema, &schema["properties"][name]);
        property["pattern"]
            .as_str()
            .map_or_else(|| format!("`{name}`"), |pattern| format!("`{name}`, which matches `{pattern}`"))
    });
    match missing {
        [] => "There is none: the arguments depend on each other.".to_owned(),
        _ => format!("There is none: write a value for {}.", described.collect::<Vec<_>>().join(" and ")),
    }
}
