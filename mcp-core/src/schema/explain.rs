//! Violations of a schema in words that a model can act upon.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError};
use serde_json::{Map, Value};

use super::choice;
use super::definitions::resolve;
use super::glimpse::{counted, cut, glimpse, listed, names, path, push_key, short_json};
use super::nearest::nearest;

/// The most violations that are told one by one.
const MOST: usize = 20;
/// The most violations that are looked at to find the outermost ones; more are only counted.
const MOST_SEEN: usize = 1000;

/// Every violation on a line of its own: where, what was expected, and what came.
///
/// The outermost come first, so that a long list full of mistakes does not hide the others.
pub(super) fn explain<'a>(schema: &Value, value: &Value, errors: impl Iterator<Item = ValidationError<'a>>) -> String {
    let explainer = Explainer { schema, value };
    let mut lines: Vec<Line> = Vec::new();
    let mut more = 0;
    for error in errors {
        let room = MOST_SEEN - lines.len();
        if room == 0 {
            more += 1;
            continue;
        }
        let mut new = explainer.lines(&error);
        more += new.len().saturating_sub(room);
        new.truncate(room);
        lines.extend(new);
    }
    lines.sort_by_key(|line| line.depth);
    lines.dedup();
    more += lines.len().saturating_sub(MOST);
    let mut told: Vec<String> = lines.into_iter().take(MOST).map(|line| line.text).collect();
    if more > 0 {
        told.push(format!("- and {more} more"));
    }
    told.join("\n")
}

/// A violation in words.
#[derive(Debug, PartialEq)]
pub(super) struct Line {
    /// How deep in the value it is that is wrong.
    depth: usize,
    text: String,
}

/// What explanations look at beside the violation.
#[derive(Clone, Copy)]
pub(super) struct Explainer<'a> {
    schema: &'a Value,
    value: &'a Value,
}

impl<'a> Explainer<'a> {
    /// The violation, on a line for each value that it is about.
    pub(super) fn lines(self, error: &ValidationError<'_>) -> Vec<Line> {
        let got = error.instance();
        let line = |text: String| vec![self.line(error, &text)];
        let expected = |what: String| line(format!("expected {what}, got {}", glimpse(got)));
        match error.kind() {
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
                unexpected.iter().map(|key| self.unknown_key(error, key)).collect()
            }
            Kind::Required { property } => vec![self.missing(error, property.as_str().unwrap_or_default())],
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => choice::lines(self, error, context),
            Kind::OneOfMultipleValid { .. } => line("matches more than one of the forms that are allowed here".into()),
            Kind::Type { kind } => expected(types(kind)),
            Kind::Enum { options } => line(one_of(options.as_array().map_or(&[][..], Vec::as_slice), got)),
            Kind::Constant { expected_value } => expected(short_json(expected_value)),
            Kind::Minimum { limit } => expected(format!("at least {limit}")),
            Kind::Maximum { limit } => expected(format!("at most {limit}")),
            Kind::ExclusiveMinimum { limit } => expected(format!("more than {limit}")),
            Kind::ExclusiveMaximum { limit } => expected(format!("less than {limit}")),
            Kind::MultipleOf { multiple_of } => expected(format!("a multiple of {multiple_of}")),
            Kind::MinLength { limit } => line(length("at least", *limit, got)),
            Kind::MaxLength { limit } => line(length("at most", *limit, got)),
            Kind::MinItems { limit } => expected(format!("at least {}", counted(*limit, "item"))),
            Kind::MaxItems { limit } => expected(format!("at most {}", counted(*limit, "item"))),
            Kind::AdditionalItems { limit } => expected(format!("at most {}", counted(*limit as u64, "item"))),
            Kind::MinProperties { limit } => expected(format!("at least {}", counted(*limit, "key"))),
            Kind::MaxProperties { limit } => expected(format!("at most {}", counted(*limit, "key"))),
            Kind::Pattern { pattern } => expected(format!("a string that matches `{}`", cut(pattern))),
            Kind::UniqueItems => line("expected items that are all different".into()),
            Kind::Contains => line("expected other items among these".into()),
            Kind::FalseSchema => line("nothing is allowed here".into()),
            Kind::PropertyNames { error } => {
                line(format!("has the key {}, which is not allowed", short_json(error.instance())))
            }
            Kind::Not { schema } => expected(match schema.get("const") {
                Some(value) => format!("anything but {}", short_json(value)),
                None => "something else".into(),
            }),
            other => line(format!("violates `{}`: got {}", other.keyword(), glimpse(got))),
        }
    }

    /// The whole schema.
    pub(super) fn root(self) -> &'a Value {
        self.schema
    }

    /// What the violated keyword demands.
    pub(super) fn schema_at(self, error: &ValidationError<'_>) -> Option<&'a Value> {
        self.schema.pointer(error.schema_path().as_str())
    }

    /// A line about the value that is violating.
    pub(super) fn line(self, error: &ValidationError<'_>, text: &str) -> Line {
        let pointer = error.instance_path().as_str();
        let text = match path(self.value, pointer) {
            path if path.is_empty() => format!("- {text}"),
            path => format!("- `{path}`: {text}"),
        };
        Line { depth: pointer.matches('/').count(), text }
    }

    /// A line about a member of the value that is violating.
    fn line_within(self, error: &ValidationError<'_>, key: &str, text: &str) -> Line {
        let pointer = error.instance_path().as_str();
        let mut path = path(self.value, pointer);
        push_key(&mut path, key);
        Line { depth: pointer.matches('/').count() + 1, text: format!("- `{path}`: {text}") }
    }

    /// The properties of the schema in which the violated keyword stands.
    fn properties(self, error: &ValidationError<'_>) -> Option<&'a Map<String, Value>> {
        let (parent, _) = error.schema_path().as_str().rsplit_once('/')?;
        self.schema.pointer(parent)?.get("properties")?.as_object()
    }

    fn unknown_key(self, error: &ValidationError<'_>, key: &str) -> Line {
        let known: Vec<&str> =
            self.properties(error).into_iter().flat_map(|known| known.keys()).map(String::as_str).collect();
        // What is there already was not meant.
        let missing = known.iter().copied().filter(|name| error.instance().get(name).is_none());
        let hint = match nearest(key, missing) {
            Some(name) => format!("did you mean `{name}`?"),
            None if known.is_empty() => "no key is allowed here".into(),
            None => format!("known are {}", names(known.into_iter())),
        };
        self.line_within(error, key, &format!("unknown; {hint}"))
    }

    fn missing(self, error: &ValidationError<'_>, key: &str) -> Line {
        let schema = self.properties(error).and_then(|properties| properties.get(key));
        let target = schema.map(|schema| referred(self.schema, schema));
        let expected = target.and_then(|schema| described(self.schema, schema)).map(|what| format!(", expected {what}"));
        let told =
            [schema, target].into_iter().flatten().find_map(|schema| schema.get("description")?.as_str()?.lines().next());
        let told = told.map(|text| format!(" ({})", text.chars().take(80).collect::<String>()));
        self.line_within(error, key, &format!("missing{}{}", expected.unwrap_or_default(), told.unwrap_or_default()))
    }
}

/// The schema itself, or the definition that it refers to.
fn referred<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let reference = schema.get("$ref").and_then(Value::as_str);
    reference.and_then(|reference| resolve(root, reference)).unwrap_or(schema)
}

/// What a schema expects, in a few words.
pub(super) fn described(root: &Value, schema: &Value) -> Option<String> {
    let schema = referred(root, schema);
    if let Some(value) = schema.get("const") {
        return Some(short_json(value));
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return Some(format!("one of {}", listed(values.iter().map(short_json), ", ")));
    }
    match schema.get("type")? {
        Value::Array(names) => {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect();
            Some(names.iter().map(|name| with_article(name)).collect::<Vec<_>>().join(" or "))
        }
        name if name == "object" => {
            let properties = schema.get("properties").and_then(Value::as_object).filter(|known| !known.is_empty());
            let keys = properties.map(|known| format!(" with {}", names(known.keys().map(String::as_str))));
            Some(format!("an object{}", keys.unwrap_or_default()))
        }
        name => name.as_str().map(with_article),
    }
}

fn with_article(name: &str) -> String {
    match name {
        "null" => name.into(),
        "integer" | "array" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => with_article(kind.as_str()),
        TypeKind::Multiple(kinds) => {
            // That `null` would do as well is no help to somebody who sent something.
            let others = kinds.iter().filter(|kind| *kind != JsonType::Null);
            others.map(|kind| with_article(kind.as_str())).collect::<Vec<_>>().join(" or ")
        }
    }
}

/// Which values are allowed, and which of them was probably meant.
pub(super) fn one_of(values: &[Value], got: &Value) -> String {
    let allowed = listed(values.iter().filter(|value| !value.is_null()).map(short_json), ", ");
    let meant = got.as_str().and_then(|got| nearest(got, values.iter().filter_map(Value::as_str)));
    let hint = meant.map(|name| format!("; did you mean \"{name}\"?"));
    format!("expected one of {allowed}, got {}{}", glimpse(got), hint.unwrap_or_default())
}

fn length(bound: &str, limit: u64, got: &Value) -> String {
    let count = got.as_str().map_or(0, |text| text.chars().count());
    format!("expected {bound} {}, got {count}: {}", counted(limit, "character"), short_json(got))
}
