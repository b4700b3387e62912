//! The words of a command line, taken one by one.

use std::fmt;

use crate::commands::help;
use crate::suggestion::nearest;

/// What follows a command.
#[derive(Debug)]
pub(crate) struct Arguments {
    words: Vec<String>,
    /// What stands behind `--`, which is for somebody else.
    rest: Vec<String>,
    /// The options that the command has asked for, to suggest one of them.
    known: Vec<&'static str>,
}

impl Arguments {
    pub(crate) fn new(mut words: Vec<String>) -> Arguments {
        let rest = match words.iter().position(|word| word == "--") {
            Some(at) => words.split_off(at).split_off(1),
            None => Vec::new(),
        };
        Arguments { words, rest, known: Vec::new() }
    }

    /// Whether this option is there.
    pub(crate) fn flag(&mut self, option: &'static str) -> bool {
        self.known.push(option);
        let at = self.words.iter().position(|word| word == option);
        at.map(|at| self.words.remove(at)).is_some()
    }

    /// The values of an option, given as `--option value` or `--option=value`, as often as it is there.
    pub(crate) fn values(&mut self, option: &'static str) -> Result<Vec<String>, UsageError> {
        self.known.push(option);
        let mut values = Vec::new();
        let is_option =
            |word: &String| word.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='));
        while let Some(at) = self.words.iter().position(is_option) {
            let word = self.words.remove(at);
            match word.split_once('=') {
                Some((_, value)) => values.push(value.to_owned()),
                None if at < self.words.len() => values.push(self.words.remove(at)),
                None => return Err(UsageError::new(format!("`{option}` needs a value"))),
            }
        }
        Ok(values)
    }

    /// The value of an option; of several the last one counts.
    pub(crate) fn value(&mut self, option: &'static str) -> Result<Option<String>, UsageError> {
        self.values(option).map(|mut values| values.pop())
    }

    /// The next word that is no option.
    pub(crate) fn next(&mut self) -> Option<String> {
        let at = self.words.iter().position(|word| !word.starts_with("--"))?;
        Some(self.words.remove(at))
    }

    /// What stands behind `--`.
    pub(crate) fn rest(&mut self) -> Vec<String> {
        std::mem::take(&mut self.rest)
    }

    /// Nothing must be left.
    pub(crate) fn finish(self, command: &str) -> Result<(), UsageError> {
        let Some(word) = self.words.first().or(self.rest.first()) else {
            return Ok(());
        };
        let error = UsageError::new(format!("`{command}` does not take `{word}`"));
        Err(error.with_nearest(nearest(word, self.known.iter().copied())))
    }
}

/// A command line that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageError {
    what: String,
    nearest: Option<&'static str>,
}

impl UsageError {
    pub(crate) fn new(what: impl Into<String>) -> UsageError {
        UsageError { what: what.into(), nearest: None }
    }

    pub(crate) fn with_nearest(mut self, nearest: Option<&'static str>) -> UsageError {
        self.nearest = nearest;
        self
    }

    /// There is no such command.
    pub(crate) fn unknown_command(word: &str) -> UsageError {
        let meant = help::meant(word).or_else(|| nearest(word, help::names()));
        UsageError::new(format!("there is no command `{word}`")).with_nearest(meant)
    }

    /// What was probably meant.
    pub fn nearest(&self) -> Option<&'static str> {
        self.nearest
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match self.nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`? (--help shows everything)"),
            None => f.write_str(" (--help shows everything)"),
        }
    }
}

impl std::error::Error for UsageError {}
