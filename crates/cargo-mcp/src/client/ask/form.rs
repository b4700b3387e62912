//! Fills in a form, field by field.

use std::io;

use serde_json::{Map, Value};

use super::Dialog;
use super::field::Field;
use crate::client::text::in_one_line;

/// Asks for every field. An empty line takes the default, or leaves out a field that is not required.
pub(super) fn fill(dialog: &mut dyn Dialog, schema: &Value) -> io::Result<Map<String, Value>> {
    let mut answers = Map::new();
    let is_required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name));
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        let field = Field { schema, required: is_required(name) };
        dialog.show(&heading(name, &field))?;
        loop {
            let line = dialog.line("  > ")?;
            match field.parse(line.trim()) {
                Ok(Some(value)) => drop(answers.insert(name.clone(), value)),
                Ok(None) => {}
                Err(fault) => {
                    dialog.show(&format!("  {fault}\n"))?;
                    continue;
                }
            }
            break;
        }
    }
    Ok(answers)
}

/// Returns the name of a field, its type, its description and its choices.
fn heading(name: &str, field: &Field<'_>) -> String {
    let schema = field.schema;
    let title = schema["title"].as_str().map_or_else(|| name.to_owned(), |title| format!("{title} ({name})"));
    let mut text = in_one_line(&title);
    if let Some(description) = schema["description"].as_str() {
        text += &format!(": {}", in_one_line(description));
    }
    text += &format!("\n  [{}]\n", in_one_line(&field.hint()));
    for (number, (_, label)) in (1..).zip(field.choices()) {
        text += &format!("  {number}) {}\n", in_one_line(&label));
    }
    text
}
