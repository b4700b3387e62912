//! The error of decoding a value, with the path of the invalid part.

use std::fmt;

use serde::de::{self, Expected, Unexpected};

use super::glimpse::{cut, names, push_key, quoted};

/// The error of decoding a value.
#[derive(Debug)]
pub(super) struct Refusal {
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

impl Refusal {
    fn new(reason: String) -> Refusal {
        Refusal { steps: Vec::new(), reason, duplicate: None }
    }

    /// Adds an outer step to the path.
    pub(super) fn within(mut self, step: Step) -> Refusal {
        self.steps.push(step);
        self
    }

    /// The path of the invalid value.
    fn path(&self) -> String {
        let mut path = String::new();
        for step in self.steps.iter().rev() {
            match step {
                Step::Key(key) => push_key(&mut path, key),
                Step::Index(index) => path += &format!("[{index}]"),
            }
        }
        path
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path() {
            path if path.is_empty() => f.write_str(&self.reason),
            path => write!(f, "`{path}`: {}", self.reason),
        }
    }
}

impl std::error::Error for Refusal {}

impl de::Error for Refusal {
    fn custom<M: fmt::Display>(message: M) -> Refusal {
        Refusal::new(message.to_string())
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Refusal {
        Refusal::new(format!("expected {expected}, got {}", told(unexpected)))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Refusal {
        Refusal::new(format!("expected {expected}, got {}", told(unexpected)))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Refusal {
        Refusal::new(format!("expected one of {}, got {}", names(expected.iter().copied()), quoted(variant)))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Refusal {
        Refusal::new(format!("unknown key {}, known are {}", quoted(field), names(expected.iter().copied())))
    }

    fn duplicate_field(field: &'static str) -> Refusal {
        Refusal { duplicate: Some(field), ..Refusal::new(format!("duplicate key `{field}`")) }
    }
}

fn told(unexpected: Unexpected<'_>) -> String {
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
