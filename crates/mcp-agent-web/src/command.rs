//! What people send to a session.

use std::collections::BTreeMap;
use std::fmt;

use mcp_agent::PermissionMode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The longest prompt, in bytes.
const MAX_PROMPT: usize = 1 << 20;

/// A command to the session of a chat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Command {
    /// Sends a prompt. Opens the session if it is not open.
    Prompt {
        /// The id of the prompt, a UUID that the sender chooses. A prompt whose id was used before in this chat is ignored, so
        /// sending it again after a lost connection is safe.
        id: String,
        /// The text of the prompt.
        text: String,
    },
    /// Interrupts the turn.
    Interrupt,
    /// Answers a question of the session: may a tool be used, which option is chosen, is this the plan.
    Answer {
        /// The id of the question, from its event `chat.ask`.
        id: String,
        /// The answer of the user.
        answer: Answer,
    },
    /// Changes the permission mode.
    Mode {
        /// The mode: `default`, `acceptEdits` or `plan`.
        mode: PermissionMode,
    },
    /// Ends the chat.
    End,
}

/// The answer to a question of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Answer {
    /// Allows this tool use.
    Allow {
        /// For `AskUserQuestion`: the answers, by the text of the question.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        answers: BTreeMap<String, Value>,
    },
    /// Allows this tool use, and every later one of this chat with the same tool and input, until the chat is idle for some time.
    /// For `Bash`, the `description` may be another one. If the tool changes a file, every later change of this file with the
    /// same tool is allowed. [`RememberedUses`](mcp_agent::RememberedUses) compares them.
    Always,
    /// Denies this tool use.
    Deny {
        /// The reason, which the model is given.
        #[serde(default)]
        reason: Option<String>,
    },
}

/// Why a command is not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidCommand {
    /// The id of the prompt or of the chat is not a UUID.
    Id,
    /// The prompt is blank.
    BlankPrompt,
    /// The prompt is too long.
    LongPrompt,
    /// This permission mode cannot be set remotely.
    Mode,
}

impl Command {
    /// Checks the command.
    pub(crate) fn check(&self) -> Result<(), InvalidCommand> {
        match self {
            Self::Prompt { id, .. } if !is_uuid(id) => Err(InvalidCommand::Id),
            Self::Prompt { text, .. } if text.trim().is_empty() => Err(InvalidCommand::BlankPrompt),
            Self::Prompt { text, .. } if text.len() > MAX_PROMPT => Err(InvalidCommand::LongPrompt),
            // The other modes would skip the questions to those who watch.
            Self::Mode { mode } => match mode {
                PermissionMode::Default | PermissionMode::AcceptEdits | PermissionMode::Plan => Ok(()),
                _ => Err(InvalidCommand::Mode),
            },
            _ => Ok(()),
        }
    }
}

/// Returns whether a text is a UUID in lower case. Ids become arguments of the CLI and names of files, so nothing else is
/// accepted.
pub(crate) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        })
}

impl fmt::Display for InvalidCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Id => "an id is not a UUID in lower case: create one with crypto.randomUUID()",
            Self::BlankPrompt => "the prompt is empty",
            Self::LongPrompt => "the prompt is longer than 1 MiB",
            Self::Mode => "this permission mode cannot be set remotely: use default, acceptEdits or plan",
        })
    }
}

impl std::error::Error for InvalidCommand {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_uuids_are_ids() {
        assert!(is_uuid("0a6f2c1e-9f0b-4d7c-8a53-0123456789ab"));
        for text in ["", "x", "../../../etc/passwd", "--resume", "0A6F2C1E-9F0B-4D7C-8A53-0123456789AB"] {
            assert!(!is_uuid(text), "{text}");
        }
    }

    #[test]
    fn a_mode_that_skips_questions_cannot_be_set() {
        let mode = |mode: &str| -> Command {
            serde_json::from_value(serde_json::json!({"command": "mode", "mode": mode})).unwrap()
        };
        for allowed in ["default", "acceptEdits", "plan"] {
            assert_eq!(mode(allowed).check(), Ok(()));
        }
        for forbidden in ["bypassPermissions", "dontAsk", "auto", "unknown"] {
            assert_eq!(mode(forbidden).check(), Err(InvalidCommand::Mode), "{forbidden}");
        }
    }
}
