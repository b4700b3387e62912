//! A partial parser for shell command lines.
//!
//! It parses words, quotes, operators and redirections. If a line contains other syntax, the line is marked as not plain,
//! and then no pattern of an allow rule matches it. For deny rules, the parser lists every command that the line might run.

mod candidates;
mod lexer;
mod programs;
mod tables;
mod understood;
mod unknown_commands;
mod word;

pub(crate) use candidates::candidates;
pub(crate) use lexer::parse;
pub(crate) use programs::has_unknown_option;
pub(crate) use tables::{may_run, may_unquote, reads_unnamed_files, writes_unnamed_files};
pub(crate) use understood::{RulesAbout, is_understood};
pub(crate) use unknown_commands::may_run_more;

/// A parsed command line.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Script {
    /// All simple commands, including those in subshells and substitutions.
    pub(crate) commands: Vec<Simple>,
    /// Whether the line consists only of simple commands and operators, so that it was parsed completely.
    pub(crate) is_plain: bool,
    /// Whether the line has only syntax whose meaning is known: like plain lines, but with comments, redirections to files and
    /// harmless assignments.
    pub(crate) is_understood: bool,
    /// Whether the commands depend on values that are only known at run time.
    pub(crate) is_dynamic: bool,
}

/// A simple command.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Simple {
    /// The words without quotes, including leading assignments.
    pub(crate) words: Vec<String>,
    /// The original text of the command.
    pub(crate) text: String,
    /// Whether its input comes from a pipe.
    pub(crate) is_piped: bool,
    /// Redirections to and from files.
    pub(crate) redirects: Vec<Redirect>,
}

/// A redirection to or from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Redirect {
    pub(crate) writes: bool,
    pub(crate) file: String,
}

/// Returns the name of a program without its directory.
pub(crate) fn name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

impl Simple {
    /// Returns the command on one line, without quotes.
    pub(crate) fn line(&self) -> String {
        self.words.join(" ")
    }

    /// Returns the original text of the command, with single spaces.
    pub(crate) fn written(&self) -> String {
        self.text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
