//! Errors of starting the CLI.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why the CLI could not be started.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// The CLI was not found.
    NotFound {
        /// The paths that were tried, in order.
        tried: Vec<PathBuf>,
    },
    /// The program is a batch file. Its interpreter would parse the arguments a second time, so it is rejected.
    BatchFile {
        /// The rejected program.
        program: PathBuf,
    },
    /// The program was found but did not start.
    Spawn {
        /// The path or name of the program.
        program: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The session could not be resumed from the session store.
    SessionStore {
        /// What the runner tried to do.
        action: &'static str,
        /// The error of the store, or of the disk.
        source: Box<dyn Error + Send + Sync>,
    },
    /// An error of another transport.
    Transport(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { tried } => {
                f.write_str("claude CLI not found: install it with `npm install -g @anthropic-ai/claude-code`, ")?;
                f.write_str("or set CLAUDE_BIN to its path; tried")?;
                for (index, path) in tried.iter().enumerate() {
                    write!(f, "{} {}", if index == 0 { "" } else { "," }, path.display())?;
                }
                Ok(())
            }
            Self::BatchFile { program } => {
                write!(
                    f,
                    "{} is a batch file, which cannot receive arguments safely; use the executable itself",
                    program.display()
                )
            }
            Self::Spawn { program, .. } => write!(f, "cannot run {}", program.display()),
            Self::SessionStore { action, .. } => write!(f, "cannot resume from the session store: cannot {action}"),
            Self::Transport(_) => f.write_str("the transport cannot connect"),
        }
    }
}

impl Error for StartError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Spawn { source, .. } => Some(source),
            Self::Transport(source) | Self::SessionStore { source, .. } => Some(source.as_ref()),
            Self::NotFound { .. } | Self::BatchFile { .. } => None,
        }
    }
}
