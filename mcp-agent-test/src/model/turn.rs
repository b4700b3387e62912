//! What the model answers to one request.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::block::Block;

/// What the model answers to one request.
///
/// A turn is plain data. It is either queued with [`Model::push`](crate::Model::push), or travels inside a prompt
/// ([`prompt`](crate::prompt)), where it is a list of [`Block`]s or an object with `blocks` and the options below.
///
/// ```
/// use mcp_agent_test::{Block, Turn};
/// use serde_json::json;
///
/// let adding = Turn::of([
///     Block::text("adding"),
///     Block::tool("mcp__calc__add", json!({"a": 2, "b": 3})),
/// ]);
/// let same: Turn = serde_json::from_value(json!([
///     {"text": "adding"},
///     {"tool": "mcp__calc__add", "input": {"a": 2, "b": 3}},
/// ])).unwrap();
/// assert_eq!(adding, same);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Turn {
    pub(crate) blocks: Vec<Block>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hold: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stall: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) drop: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stop: Option<StopReason>,
    #[serde(skip_serializing_if = "Usage::is_standard")]
    pub(crate) usage: Usage,
    #[serde(flatten)]
    pub(crate) failure: Option<Failure>,
}

impl Turn {
    /// A turn of these blocks: several tool uses in one turn are parallel tool uses.
    pub fn of(blocks: impl IntoIterator<Item = Block>) -> Self {
        Self {
            blocks: blocks.into_iter().collect(),
            ..Self::default()
        }
    }

    /// A turn that says `text` and ends the conversation's turn.
    pub fn text(text: impl Into<String>) -> Self {
        Self::of([Block::text(text)])
    }

    /// A turn that uses one tool.
    pub fn tool(name: impl Into<String>, input: impl Into<Value>) -> Self {
        Self::of([Block::tool(name, input)])
    }

    /// An HTTP error instead of a turn, with the error type that the API gives for `status`.
    ///
    /// In the queue it answers one request, so `[error(529), text("ok")]` is a failure that a retry mends. In a prompt it
    /// answers every retry, because a failed request adds nothing to the conversation.
    #[must_use]
    pub fn error(status: u16) -> Self {
        Self {
            failure: Some(Failure::new(status)),
            ..Self::default()
        }
    }

    /// Sets the text of an [`error`](Self::error); no other turn has one.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        if let Some(failure) = &mut self.failure {
            failure.message = message.into();
        }
        self
    }

    /// Asks the client to wait this many seconds before it tries again after an [`error`](Self::error).
    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> Self {
        if let Some(failure) = &mut self.failure {
            failure.retry_after = Some(seconds);
        }
        self
    }

    /// Waits at a gate before the first byte of the reply.
    #[must_use]
    pub fn hold(mut self, gate: impl Into<String>) -> Self {
        self.hold = Some(gate.into());
        self
    }

    /// Waits at a gate in the middle of the stream: after the content of the first block, before that block ends.
    #[must_use]
    pub fn stall(mut self, gate: impl Into<String>) -> Self {
        self.stall = Some(gate.into());
        self
    }

    /// Breaks the connection in the middle of the stream, where [`stall`](Self::stall) would wait.
    #[must_use]
    pub fn dropped(mut self) -> Self {
        self.drop = true;
        self
    }

    /// Ends the turn with this reason rather than the one that follows from its blocks.
    #[must_use]
    pub fn stop(mut self, reason: StopReason) -> Self {
        self.stop = Some(reason);
        self
    }

    /// Reports these token counts.
    #[must_use]
    pub fn usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }
}

/// Why a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// The model had said what it had to say.
    EndTurn,
    /// The model waits for the results of tools.
    ToolUse,
    /// The reply reached its limit of tokens.
    MaxTokens,
    /// The reply reached a stop sequence.
    StopSequence,
    /// The API paused a long turn, to be continued by the client.
    PauseTurn,
    /// The model refused.
    Refusal,
    /// The conversation no longer fits the context window.
    ModelContextWindowExceeded,
}

/// The token counts that a turn reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Tokens read, without those of the cache.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Tokens put into the cache.
    pub cache_creation_input_tokens: u64,
    /// Tokens read from the cache.
    pub cache_read_input_tokens: u64,
}

impl Usage {
    fn is_standard(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for Usage {
    fn default() -> Self {
        Self {
            input_tokens: 10,
            output_tokens: 20,
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: 0,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Failure {
    pub(crate) status: u16,
    #[serde(rename = "error")]
    pub(crate) kind: String,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after: Option<u32>,
}

impl Failure {
    fn new(status: u16) -> Self {
        let kind = match status {
            400 => "invalid_request_error",
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            413 => "request_too_large",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            _ => "api_error",
        };
        Self {
            status,
            kind: kind.into(),
            message: format!("scripted failure {status}"),
            retry_after: None,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    #[serde(default)]
    blocks: Vec<Block>,
    hold: Option<String>,
    stall: Option<String>,
    #[serde(default)]
    drop: bool,
    stop: Option<StopReason>,
    #[serde(default)]
    usage: Usage,
    status: Option<u16>,
    error: Option<String>,
    message: Option<String>,
    retry_after: Option<u32>,
}

impl<'de> Deserialize<'de> for Turn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        if value.is_array() {
            let blocks: Vec<Block> = serde_json::from_value(value).map_err(D::Error::custom)?;
            return Ok(Self::of(blocks));
        }
        let wire: Wire = serde_json::from_value(value).map_err(D::Error::custom)?;
        let failure = wire.status.map(|status| {
            let standard = Failure::new(status);
            Failure {
                kind: wire.error.unwrap_or(standard.kind),
                message: wire.message.unwrap_or(standard.message),
                retry_after: wire.retry_after,
                status,
            }
        });
        Ok(Self {
            blocks: wire.blocks,
            hold: wire.hold,
            stall: wire.stall,
            drop: wire.drop,
            stop: wire.stop,
            usage: wire.usage,
            failure,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_turn_survives_the_way_through_json() {
        let turns = [
            Turn::text("hello"),
            Turn::of([
                Block::thinking("hm"),
                Block::tool("Bash", json!({"command": "ls"})),
            ]),
            Turn::error(529).message("busy").retry_after(1),
            Turn::text("cut")
                .stop(StopReason::MaxTokens)
                .hold("a")
                .stall("b")
                .dropped(),
            Turn::text("dear").usage(Usage {
                input_tokens: 7,
                ..Usage::default()
            }),
        ];
        for turn in turns {
            let json = serde_json::to_value(&turn).unwrap();
            assert_eq!(serde_json::from_value::<Turn>(json).unwrap(), turn);
        }
    }

    #[test]
    fn an_error_has_the_type_of_its_status_unless_the_script_names_another() {
        let plain: Turn = serde_json::from_value(json!({"status": 401})).unwrap();
        assert_eq!(plain.failure.unwrap().kind, "authentication_error");
        let named: Turn =
            serde_json::from_value(json!({"status": 401, "error": "odd_error"})).unwrap();
        assert_eq!(named.failure.unwrap().kind, "odd_error");
    }

    #[test]
    fn a_misspelt_option_is_an_error() {
        assert!(serde_json::from_value::<Turn>(json!({"blocks": [], "stal": "x"})).is_err());
        assert!(serde_json::from_value::<Turn>(json!([{"txt": "x"}])).is_err());
    }
}
