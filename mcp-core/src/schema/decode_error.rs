//! The error of decoding a value, with the path of the invalid part.

use std::fmt;

use serde::de::{self, Expected, Unexpected};

use super::short_text::{cut, names, push_key, quoted};

/// The error of decoding a value.
#[derive(Debug)]
pub(super) struct DecodeError {
    /// The path of the invalid value, innermost step first.
    steps: Vec<Step>,
    reason: String,
    /// The field that was given twice, under two of its names.
    pub(super) duplicate: Option<&'static str>,
}

/// A step of a path.
#[derive(Debug)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

impl DecodeError {
    fn new(reason: String) -> DecodeError {
        DecodeError { steps: Vec::new(), reason, duplicate: None }
    }

    /// Adds an outer step to the path.
    pub(super) fn within(mut self, step: Step) -> DecodeError {
        self.steps.push(step);
        self
    }

    /// Returns the steps from the whole value to the invalid one.
    pub(super) fn steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().rev()
    }

    /// Returns the path of the invalid value.
    fn path(&self) -> String {
        let mut path = String::new();
        for step in self.steps() {
            match step {
                Step::Key(key) => push_key(&mut path, key),
                Step::Index(index) => path += &format!("[{index}]"),
            }
        }
        path
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path() {
            path if path.is_empty() => f.write_str(&self.reason),
            path => write!(f, "`{path}`: {}", self.reason),
        }
    }
}

impl std::error::Error for DecodeError {}

impl de::Error for DecodeError {
    fn custom<M: fmt::Display>(message: M) -> DecodeError {
        DecodeError::new(message.to_string())
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> DecodeError {
        DecodeError::new(format!("expected {expected}, got {}", describe_unexpected(unexpected)))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> DecodeError {
        DecodeError::new(format!("expected {expected}, got {}", describe_unexpected(unexpected)))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> DecodeError {
        DecodeError::new(format!("expected one of {}, got {}", names(expected.iter().copied()), quoted(variant)))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> DecodeError {
        DecodeError::new(format!("unknown key {}, known are {}", quoted(field), names(expected.iter().copied())))
    }

    fn duplicate_field(field: &'static str) -> DecodeError {
        DecodeError { duplicate: Some(field), ..DecodeError::new(format!("duplicate key `{field}`")) }
    }
}

fn describe_unexpected(unexpected: Unexpected<'_>) -> String {
    match unexpected {
        Unexpected::Str(text) => format!("the string {}", quoted(text)),
        Unexpected::Unit => "null".into(),
        Unexpected::Map => "an object".into(),
        Unexpected::Seq => "an array".into(),
        Unexpected::Signed(number) => format!("the number {number}"),
        Unexpected::Unsigned(number) => format!("the number {number}"),
        Unexpected::Float(number) => format!("the number {number}"),
        Unexpected::Bool(value) => format!("the boolean {value}"),
        other => cut(&other.to_string(), 80),
    }
}
