//! Schema violations as text for the model.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::{Map, Value};

use super::choice_errors;
use super::expected::{described, length, one_of, referred, types};
use super::formats;
use super::short_text::{counted, cut, describe_value, names, path, push_key, short_json};
use super::suggestion::nearest;

/// The maximum number of violations that are listed.
const MAX_LISTED: usize = 20;
/// The maximum number of violations that are collected and sorted. Further ones are only counted.
const MAX_COLLECTED: usize = 1000;

/// The maximum number of characters of a pattern that are shown. Larger than for values, since a truncated pattern is of
/// little use.
const LONGEST_PATTERN: usize = 200;

/// Formats each violation on its own line: the path, what was expected, and what was found.
///
/// Sorted by depth, outermost first, so that many errors inside an array do not hide the others.
pub(super) fn explain<'a>(schema: &Value, value: &Value, errors: impl Iterator<Item = ValidationError<'a>>) -> String {
    let explainer = Explainer { schema, value };
    let mut lines: Vec<Line> = Vec::new();
    let mut more = 0;
    for error in errors {
        let room = MAX_COLLECTED - lines.len();
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
    more += lines.len().saturating_sub(MAX_LISTED) + lines.iter().map(|line| line.also).sum::<usize>();
    let mut listed: Vec<String> = lines.into_iter().take(MAX_LISTED).map(|line| line.text).collect();
    if more > 0 {
        listed.push(format!("- and {more} more"));
    }
    listed.join("\n")
}

/// The text of a violation.
#[derive(Debug, PartialEq)]
pub(super) struct Line {
    /// The depth of the invalid value.
    depth: usize,
    text: String,
    /// The number of further violations of the same kind that are not listed.
    also: usize,
}

/// The schema and the value that a violation refers to.
#[derive(Clone, Copy)]
pub(super) struct Explainer<'a> {
    schema: &'a Value,
    value: &'a Value,
}

impl<'a> Explainer<'a> {
    /// Formats a violation, with one line for each invalid value.
    pub(super) fn lines(self, error: &ValidationError<'_>) -> Vec<Line> {
        let got = error.instance();
        let line = |text: String| vec![self.line(error, &text)];
        let expected = |what: String| line(format!("expected {what}, got {}", describe_value(got)));
        match error.kind() {
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
                let mut lines: Vec<Line> =
                    unexpected.iter().take(MAX_LISTED).map(|key| self.unknown_key(error, key)).collect();
                lines.iter_mut().take(1).for_each(|line| line.also = unexpected.len().saturating_sub(MAX_LISTED));
                lines
            }
            Kind::Required { property } => vec![self.missing(error, property.as_str().unwrap_or_default())],
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => choice_errors::lines(self, error, context),
            Kind::OneOfMultipleValid { .. } => line("matches more than one of the forms that are allowed here".into()),
            Kind::Type { kind } if got.is_null() && self.may_be_left_out(error) => {
                line(format!("expected {}, got null; leave it out instead", types(kind)))
            }
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
            Kind::Pattern { pattern } => expected(format!("a string that matches `{}`", cut(pattern, LONGEST_PATTERN))),
            Kind::Format { format } => {
                expected(formats::described(format).map_or_else(|| format!("the format `{format}`"), str::to_owned))
            }
            Kind::UniqueItems => line("expected items that are all different".into()),
            Kind::Contains => line("the array lacks a required item".into()),
            Kind::FalseSchema => line("nothing is allowed here".into()),
            Kind::PropertyNames { error } => {
                line(format!("has the key {}, which is not allowed", short_json(error.instance())))
            }
            Kind::Not { schema } => expected(match schema.get("const") {
                Some(value) => format!("anything but {}", short_json(value)),
                None => "something else".into(),
            }),
            other => line(format!("violates `{}`: got {}", other.keyword(), describe_value(got))),
        }
    }

    /// Returns the whole schema.
    pub(super) fn root(self) -> &'a Value {
        self.schema
    }

    /// Returns the value of the violated keyword in the schema.
    pub(super) fn schema_at(self, error: &ValidationError<'_>) -> Option<&'a Value> {
        self.schema.pointer(error.schema_path().as_str())
    }

    /// Returns a line about the invalid value.
    pub(super) fn line(self, error: &ValidationError<'_>, text: &str) -> Line {
        let pointer = error.instance_path().as_str();
        let text = match path(self.value, pointer) {
            path if path.is_empty() => format!("- {text}"),
            path => format!("- `{path}`: {text}"),
        };
        Line { depth: pointer.matches('/').count(), text, also: 0 }
    }

    /// Returns a line about a member of the invalid value.
    fn line_within(self, error: &ValidationError<'_>, key: &str, text: &str) -> Line {
        let pointer = error.instance_path().as_str();
        let mut path = path(self.value, pointer);
        push_key(&mut path, key);
        Line { depth: pointer.matches('/').count() + 1, text: format!("- `{path}`: {text}"), also: 0 }
    }

    /// Returns the properties of the schema that contains the violated keyword.
    fn properties(self, error: &ValidationError<'_>) -> Option<&'a Map<String, Value>> {
        let (parent, _) = error.schema_path().as_str().rsplit_once('/')?;
        self.schema.pointer(parent)?.get("properties")?.as_object()
    }

    /// Returns whether the value is a property that is not required.
    fn may_be_left_out(self, error: &ValidationError<'_>) -> bool {
        let mut segments = error.schema_path().as_str().rsplitn(4, '/').skip(1);
        let (Some(name), Some("properties"), Some(parent)) = (segments.next(), segments.next(), segments.next()) else {
            return false;
        };
        let required = self.schema.pointer(parent).and_then(|schema| schema.get("required")?.as_array());
        required.is_none_or(|names| names.iter().all(|required| required != name))
    }

    fn unknown_key(self, error: &ValidationError<'_>, key: &str) -> Line {
        let known: Vec<&str> =
            self.properties(error).into_iter().flat_map(|known| known.keys()).map(String::as_str).collect();
        // A key that is already present cannot be the intended one.
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
        let description =
            [schema, target].into_iter().flatten().find_map(|schema| schema.get("description")?.as_str()?.lines().next());
        let description = description.map(|text| format!(" ({})", text.chars().take(80).collect::<String>()));
        self.line_within(error, key, &format!("missing{}{}", expected.unwrap_or_default(), description.unwrap_or_default()))
    }
}
