//! What a transport is asked to start.

use std::ffi::OsString;
use std::path::PathBuf;

/// What to start: everything of the options that is said outside the protocol.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Invocation {
    /// The arguments after the program's name.
    pub args: Vec<Arg>,
    /// Changes to the environment, in order: a value sets the variable, `None` removes it.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Whether the environment starts empty instead of as this process's own.
    pub clear_env: bool,
    /// The working directory, when it is not this process's own.
    pub cwd: Option<PathBuf>,
}

/// One argument.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Arg {
    /// An argument as it is.
    Plain(OsString),
    /// `flag=value` whose value is too long for some platform's command line, and for which the CLI takes a file too.
    Spill {
        /// The flag with its dashes.
        flag: &'static str,
        /// The value, which may stand in a file instead.
        value: String,
    },
}

impl Arg {
    /// The argument with its value in place, for transports without a length limit.
    pub fn inline(&self) -> OsString {
        match self {
            Self::Plain(arg) => arg.clone(),
            Self::Spill { flag, value } => format!("{flag}={value}").into(),
        }
    }
}
