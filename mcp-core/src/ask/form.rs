//! The schema of elicitation forms.

use std::any::type_name;

use schemars::JsonSchema;
use serde_json::{Value, json};

use crate::protocol::Revision;
use crate::schema::InputSchema;

/// The type of an elicitation form that a tool uses, checked when the server is built.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) type_name: &'static str,
    schema: fn() -> InputSchema,
}

impl Form {
    pub(crate) fn of<T: JsonSchema>() -> Form {
        Form { type_name: type_name::<T>(), schema: InputSchema::of::<T> }
    }

    /// Returns the reason why clients cannot show the form, or `None` if they can.
    pub(crate) fn fault(&self) -> Option<String> {
        form((self.schema)().as_json(), Revision::NEWEST).err()
    }
}

/// Returns the schema of a form. Forms are flat: fields are strings, numbers, booleans and choices.
pub(super) fn form(schema: &Value, revision: Revision) -> Result<Value, String> {
    let fields = schema["properties"].as_object().ok_or("it has no fields")?;
    for (name, field) in fields {
        let titled = |of: &Value| of["anyOf"].as_array().is_some_and(|all| all.iter().all(|one| one["const"].is_string()));
        let choice = |of: &Value| (of["type"] == "string" && of["enum"].is_array()) || titled(of);
        let fits = match field["type"].as_str() {
            Some("string" | "number" | "integer" | "boolean") => true,
            Some("array") => revision.has_icons() && choice(&field["items"]),
            _ => false,
        };
        if !fits {
            return Err(format!("the field `{name}` is neither text, a number, a flag nor a choice"));
        }
    }
    let mut form = json!({"type": "object", "properties": fields});
    if let Some(required) = schema.get("required") {
        form["required"] = required.clone();
    }
    Ok(form)
}
