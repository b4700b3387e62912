//! Shell commands, taken apart as far as can be trusted.
//!
//! This is no shell. It reads what most commands consist of: words, quotes, operators, redirections. Of everything else it
//! says that it is there, which is enough: a command that is not plain is never allowed by a pattern. For denials it guesses
//! generously what might be run.

mod candidates;
mod lexer;
mod word;

pub(crate) use candidates::{candidates, may_run_more};
pub(crate) use lexer::parse;

/// A command line.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Script {
    /// Every simple command in it, also in subshells and substitutions.
    pub(crate) commands: Vec<Simple>,
    /// Whether it is nothing but simple commands and operators between them, so that it was read whole.
    pub(crate) is_plain: bool,
    /// Whether what it runs can only be known by running it.
    pub(crate) is_dynamic: bool,
}

/// A simple command.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Simple {
    /// Its words without their quotes, assignments before it among them.
    pub(crate) words: Vec<String>,
    /// Its own text as it was written.
    pub(crate) text: String,
    /// Files that it reads or writes by redirection.
    pub(crate) redirects: Vec<Redirect>,
}

/// A redirection to or from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Redirect {
    pub(crate) writes: bool,
    pub(crate) file: String,
}

impl Simple {
    /// The command on one line, without quotes.
    pub(crate) fn line(&self) -> String {
        self.words.join(" ")
    }

    /// The command as it was written, with single spaces.
    pub(crate) fn written(&self) -> String {
        self.text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
