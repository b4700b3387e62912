//! One field of a form: its choices, and the value of a typed line.

use serde_json::{Map, Value, json};

/// The keywords that a field of a form can have. Others are not validated here, because a server could use them to make the
/// validation slow.
const KEYWORDS: [&str; 9] =
    ["type", "format", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "uniqueItems"];

pub(super) struct Field<'a> {
    pub(super) schema: &'a Value,
    pub(super) required: bool,
}

impl Field<'_> {
    /// Returns the values that the field allows, with their labels. Empty if the user types a value.
    pub(super) fn choices(&self) -> Vec<(Value, String)> {
        let of = if self.is_list() { &self.schema["items"] } else { self.schema };
        if let Some(values) = of["enum"].as_array() {
            let names = of["enumNames"].as_array().or(self.schema["enumNames"].as_array());
            let label = |(at, value): (usize, &Value)| {
                let name = names.and_then(|names| names.get(at)).and_then(Value::as_str);
                (value.clone(), name.map_or_else(|| plain(value), str::to_owned))
            };
            return values.iter().enumerate().map(label).collect();
        }
        let titled = ["oneOf", "anyOf"].into_iter().find_map(|keyword| of[keyword].as_array());
        let titled = titled.into_iter().flatten().filter_map(|one| {
            let value = one.get("const")?;
            Some((value.clone(), one["title"].as_str().map_or_else(|| plain(value), str::to_owned)))
        });
        titled.collect()
    }

    /// Describes what can be typed.
    pub(super) fn hint(&self) -> String {
        let mut hint = match (self.choices().is_empty(), self.is_list(), self.kind()) {
            (false, true, _) => "numbers, separated by commas".to_owned(),
            (false, false, _) => "a number".to_owned(),
            (true, _, "boolean") => "yes or no".to_owned(),
            (true, _, "integer") => "a whole number".to_owned(),
            (true, _, "number") => "a number".to_owned(),
            (true, ..) => {
                self.schema["format"].as_str().map_or_else(|| "text".to_owned(), |format| format!("text: {format}"))
            }
        };
        match self.schema.get("default") {
            Some(default) => hint += &format!(", default {}", self.label(default)),
            None if self.required => hint += ", required",
            None => hint += ", optional",
        }
        hint
    }

    /// Returns the value of a typed line, or `None` if the field is left out.
    pub(super) fn parse(&self, line: &str) -> Result<Option<Value>, String> {
        if line.is_empty() {
            return match self.schema.get("default") {
                Some(default) => Ok(Some(default.clone())),
                None if self.required && self.is_list() => self.checked(json!([])).map(Some),
                None if self.required => Err("This field is required.".to_owned()),
                None => Ok(None),
            };
        }
        let choices = self.choices();
        let value = match self.kind() {
            _ if !choices.is_empty() && self.is_list() => {
                line.split(',').map(|part| chosen(&choices, part.trim())).collect::<Result<Value, String>>()?
            }
            _ if !choices.is_empty() => chosen(&choices, line)?,
            "boolean" => match line.to_lowercase().as_str() {
                "y" | "yes" | "true" => json!(true),
                "n" | "no" | "false" => json!(false),
                _ => return Err("Type yes or no.".to_owned()),
            },
            "integer" => json!(line.parse::<i64>().map_err(|_| format!("`{line}` is not a whole number."))?),
            "number" => {
                let number = line.parse::<f64>().ok().filter(|number| number.is_finite());
                json!(number.ok_or_else(|| format!("`{line}` is not a number."))?)
            }
            _ => json!(line),
        };
        self.checked(value).map(Some)
    }

    /// Validates the value with the simple keywords of the schema.
    fn checked(&self, value: Value) -> Result<Value, String> {
        let keywords = KEYWORDS.iter().filter_map(|key| Some(((*key).to_owned(), self.schema.get(key)?.clone())));
        let schema = Value::Object(keywords.collect::<Map<_, _>>());
        let Ok(validator) = jsonschema::options().should_validate_formats(true).build(&schema) else {
            // The server made an invalid schema, and validates the answer itself.
            return Ok(value);
        };
        match validator.validate(&value) {
            Ok(()) => Ok(value),
            Err(error) => Err(format!("{error}.")),
        }
    }

    fn label(&self, value: &Value) -> String {
        let choices = self.choices();
        let label = |value: &Value| {
            choices.iter().find(|(choice, _)| choice == value).map_or_else(|| plain(value), |(_, label)| label.clone())
        };
        match value {
            Value::Array(values) => values.iter().map(label).collect::<Vec<_>>().join(", "),
            value => label(value),
        }
    }

    fn is_list(&self) -> bool {
        self.kind() == "array"
    }

    fn kind(&self) -> &str {
        self.schema["type"].as_str().unwrap_or("string")
    }
}

/// Returns the choice with this number, value or label.
fn chosen(choices: &[(Value, String)], text: &str) -> Result<Value, String> {
    let numbered = text.parse::<usize>().ok().and_then(|number| choices.get(number.checked_sub(1)?));
    let named = choices.iter().find(|(value, label)| plain(value) == text || label.eq_ignore_ascii_case(text));
    let found = named.or(numbered).map(|(value, _)| value.clone());
    found.ok_or_else(|| format!("`{text}` is not a choice: type a number from 1 to {}.", choices.len()))
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
