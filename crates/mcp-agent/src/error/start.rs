//! Why a CLI could not be reached.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a CLI could not be reached.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// No CLI was found in any of these places.
    NotFound {
        /// Where it was looked for, in order.
        tried: Vec<PathBuf>,
    },
    /// The program is a batch file, whose interpreter would reinterpret every argument.
    BatchFile {
        /// The refused program.
        program: PathBuf,
    },
    /// The program was found but did not start.
    Spawn {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another transport's own reason.
    Transport(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { tried } => {
                f.write_str("there is no claude CLI: install it with `npm install -g @anthropic-ai/claude-code`, ")?;
                f.write_str("or say with CLAUDE_BIN where it is; looked at")?;
                for (index, path) in tried.iter().enumerate() {
                    write!(f, "{} {}", if index == 0 { "" } else { "," }, path.display())?;
                }
                Ok(())
            }
            Self::BatchFile { program } => {
                write!(f, "{} is a batch file, which cannot take arguments safely", program.display())
            }
            Self::Spawn { program, .. } => write!(f, "{} could not be started", program.display()),
            Self::Transport(_) => f.write_str("the transport could not connect"),
        }
    }
}

impl Error for StartError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Spawn { source, .. } => Some(source),
            Self::Transport(source) => Some(source.as_ref()),
            Self::NotFound { .. } | Self::BatchFile { .. } => None,
        }
    }
}
