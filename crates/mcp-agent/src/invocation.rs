//! The command line and environment that a transport starts the CLI with.

use std::ffi::OsString;
use std::path::PathBuf;

/// How to start the CLI: all options that are passed outside the protocol.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Invocation {
    /// The arguments after the program's name.
    pub args: Vec<Arg>,
    /// Changes to the environment, applied in order: `Some` sets the variable, `None` removes it.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Whether the environment starts empty instead of inheriting that of this process.
    pub clear_env: bool,
    /// The working directory. `None` inherits that of this process.
    pub cwd: Option<PathBuf>,
}

/// One argument of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Arg {
    /// An argument that is passed unchanged.
    Plain(OsString),
    /// A `flag=value` argument whose value may hold secrets and may be too long for a command line. The CLI also accepts the
    /// path of a file as the value: write the value to a file that only this user can read.
    Spill {
        /// The flag with its dashes.
        flag: &'static str,
        /// The value of the option.
        value: String,
    },
}

impl Arg {
    /// Returns the argument with its value inline, for transports whose arguments nobody else can read and have no length
    /// limit.
    pub fn inline(&self) -> OsString {
        match self {
            Self::Plain(arg) => arg.clone(),
            Self::Spill { flag, value } => format!("{flag}={value}").into(),
        }
    }
}
