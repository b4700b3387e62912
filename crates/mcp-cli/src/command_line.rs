//! Parses the arguments that follow a command.

use std::fmt;

use crate::commands::help;
use crate::suggestion::nearest;

/// The arguments after the name of a command. Each `parse` takes what it knows; [`Arguments::finish`] rejects the rest.
#[derive(Debug)]
pub struct Arguments {
    words: Vec<String>,
    /// The arguments after `--`, which are passed on and not parsed.
    rest: Vec<String>,
    /// The options that the command supports, for suggestions in errors.
    known: Vec<&'static str>,
}

impl Arguments {
    /// Splits off the arguments after `--`.
    pub fn new(mut words: Vec<String>) -> Arguments {
        let rest = match words.iter().position(|word| word == "--") {
            Some(at) => words.split_off(at).split_off(1),
            None => Vec::new(),
        };
        Arguments { words, rest, known: Vec::new() }
    }

    /// Removes a flag. Returns whether it was given.
    pub fn flag(&mut self, option: &'static str) -> bool {
        self.known.push(option);
        let at = self.words.iter().position(|word| word == option);
        at.map(|at| self.words.remove(at)).is_some()
    }

    /// Removes every occurrence of an option and returns its values. Accepts `--option value` and `--option=value`.
    ///
    /// # Errors
    /// If the value is missing.
    pub fn values(&mut self, option: &'static str) -> Result<Vec<String>, UsageError> {
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

    /// Removes an option and returns its value. If it is given several times, the last value is used.
    ///
    /// # Errors
    /// If the value is missing.
    pub fn value(&mut self, option: &'static str) -> Result<Option<String>, UsageError> {
        self.values(option).map(|mut values| values.pop())
    }

    /// Removes `--help` and `-h`. Returns whether one of them was given.
    pub(crate) fn help(&mut self) -> bool {
        let short = self.flag("-h");
        self.flag("--help") || short
    }

    /// Returns an error for an option among the arguments of a tool or a prompt, which are written without dashes.
    pub(crate) fn refuse_dashes(&self) -> Result<(), UsageError> {
        let Some(word) = self.words.iter().find(|word| word.starts_with("--")) else {
            return Ok(());
        };
        if let Some(option) = nearest(word.split('=').next().unwrap_or(word), self.known.iter().copied()) {
            return Err(UsageError::new(format!("unknown option `{word}`")).with_nearest(Some(option)));
        }
        let bare = word.trim_start_matches('-');
        let example = if bare.contains('=') { bare.to_owned() } else { format!("{bare}=VALUE") };
        Err(UsageError::new(format!("unknown option `{word}`; arguments are written without dashes: `{example}`")))
    }

    /// Removes and returns the next argument that does not start with `--`.
    pub fn next_word(&mut self) -> Option<String> {
        let at = self.words.iter().position(|word| !word.starts_with("--"))?;
        Some(self.words.remove(at))
    }

    /// Returns the first argument that was not removed.
    pub(crate) fn peek(&self) -> Option<&str> {
        self.words.first().map(String::as_str)
    }

    /// Removes and returns the arguments after `--`.
    pub fn rest(&mut self) -> Vec<String> {
        std::mem::take(&mut self.rest)
    }

    /// Returns an error if any argument was not used.
    ///
    /// # Errors
    /// If an argument is left.
    pub fn finish(self, command: &str) -> Result<(), UsageError> {
        let Some(word) = self.words.first().or(self.rest.first()) else {
            return Ok(());
        };
        let error = match word.strip_prefix('-') {
            Some(_) => UsageError::new(format!("`{command}` has no option `{word}`")),
            None => UsageError::new(format!("`{command}` does not accept `{word}`")),
        };
        Err(error.with_nearest(nearest(word, self.known.iter().copied())))
    }
}

/// An invalid command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageError {
    message: String,
    nearest: Option<&'static str>,
}

impl UsageError {
    /// Creates an error with this message.
    pub fn new(message: impl Into<String>) -> UsageError {
        UsageError { message: message.into(), nearest: None }
    }

    /// Adds a suggestion.
    #[must_use]
    pub fn with_nearest(mut self, nearest: Option<&'static str>) -> UsageError {
        self.nearest = nearest;
        self
    }

    /// The error for an unknown command, with a suggestion if a known one is similar.
    pub(crate) fn unknown_command(word: &str) -> UsageError {
        let suggestion = help::synonym(word).or_else(|| nearest(word, help::names()));
        UsageError::new(format!("unknown command `{word}`")).with_nearest(suggestion)
    }

    /// Returns the error for an option in the place of a command.
    pub(crate) fn unknown_option(word: &str) -> UsageError {
        if word == "--http" || word.starts_with("--http=") {
            return UsageError::no_http();
        }
        UsageError::new(format!("unknown option `{word}`")).with_nearest(nearest(word, ["--help", "--version"]))
    }

    /// Returns the error for a program that has no other transport.
    pub(crate) fn no_http() -> UsageError {
        UsageError::new(
            "this program serves over standard input and output only; for HTTP its author adds the crate `mcp-serve` and calls \
             `mcp_serve::run` in `main`",
        )
    }

    /// Returns the command, option or client that was probably meant.
    pub fn nearest(&self) -> Option<&'static str> {
        self.nearest
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match self.nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`? (see --help)"),
            None => f.write_str(" (see --help)"),
        }
    }
}

impl std::error::Error for UsageError {}
