//! The reply of the model to one request.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::api_error::ApiError;
use super::block::Block;
use super::usage::{StopReason, Usage};

/// The reply of the model to one request.
///
/// A turn is plain data. It is queued with [`Model::push`](crate::Model::push) or embedded in a prompt (see
/// [`prompt`](crate::prompt)). In JSON it is a list of [`Block`]s, or an object with `blocks` and the options below.
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
    pub(crate) pause_before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pause_midway: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) drop: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stop: Option<StopReason>,
    #[serde(skip_serializing_if = "Usage::is_standard")]
    pub(crate) usage: Usage,
    #[serde(flatten)]
    pub(crate) error: Option<ApiError>,
}

impl Turn {
    /// Creates a turn with these blocks. Several tool uses in one turn are parallel tool uses.
    pub fn of(blocks: impl IntoIterator<Item = Block>) -> Self {
        Self { blocks: blocks.into_iter().collect(), ..Self::default() }
    }

    /// Creates a turn with one text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::of([Block::text(text)])
    }

    /// Creates a turn with one tool use.
    pub fn tool(name: impl Into<String>, input: impl Into<Value>) -> Self {
        Self::of([Block::tool(name, input)])
    }

    /// Creates an HTTP error response: from a status, or from an [`ApiError`] with more options.
    ///
    /// A queued error answers one request, so after `error(529)` and `text("ok")` a retry succeeds. An error in a prompt
    /// answers every retry, because a failed request adds no message to the conversation.
    pub fn error(error: impl Into<ApiError>) -> Self {
        Self { error: Some(error.into()), ..Self::default() }
    }

    /// Waits at a [`PausePoint`](crate::PausePoint) before the first byte of the reply.
    #[must_use]
    pub fn pause_before(mut self, pause: impl Into<String>) -> Self {
        self.pause_before = Some(pause.into());
        self
    }

    /// Waits at a [`PausePoint`](crate::PausePoint) in the middle of the stream: after the content of the first block,
    /// before the end of that block.
    #[must_use]
    pub fn pause_midway(mut self, pause: impl Into<String>) -> Self {
        self.pause_midway = Some(pause.into());
        self
    }

    /// Closes the connection in the middle of the stream, at the point where [`pause_midway`](Self::pause_midway) waits.
    #[must_use]
    pub fn dropped(mut self) -> Self {
        self.drop = true;
        self
    }

    /// Sets the stop reason. The default depends on the blocks.
    #[must_use]
    pub fn stop(mut self, reason: StopReason) -> Self {
        self.stop = Some(reason);
        self
    }

    /// Sets the reported token counts.
    #[must_use]
    pub fn usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    #[serde(default)]
    blocks: Vec<Block>,
    pause_before: Option<String>,
    pause_midway: Option<String>,
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
        let error = wire.status.map(|status| {
            let default = ApiError::new(status);
            ApiError {
                kind: wire.error.unwrap_or(default.kind),
                message: wire.message.unwrap_or(default.message),
                retry_after: wire.retry_after,
                status,
            }
        });
        Ok(Self {
            blocks: wire.blocks,
            pause_before: wire.pause_before,
            pause_midway: wire.pause_midway,
            drop: wire.drop,
            stop: wire.stop,
            usage: wire.usage,
            error,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn turns_round_trip_through_json() {
        let turns = [
            Turn::text("hello"),
            Turn::of([Block::thinking("hm"), Block::tool("Bash", json!({"command": "ls"}))]),
            Turn::error(ApiError::new(529).message("busy").retry_after(1)),
            Turn::text("cut").stop(StopReason::MaxTokens).pause_before("a").pause_midway("b").dropped(),
            Turn::text("dear").usage(Usage::new(7, 8).cache_read(9)),
        ];
        for turn in turns {
            let json = serde_json::to_value(&turn).unwrap();
            assert_eq!(serde_json::from_value::<Turn>(json).unwrap(), turn);
        }
    }

    #[test]
    fn the_error_type_defaults_to_that_of_the_status() {
        let plain: Turn = serde_json::from_value(json!({"status": 401})).unwrap();
        assert_eq!(plain.error.unwrap().kind, "authentication_error");
        let named: Turn = serde_json::from_value(json!({"status": 401, "error": "odd_error"})).unwrap();
        assert_eq!(named.error.unwrap().kind, "odd_error");
    }

    #[test]
    fn unknown_keys_are_rejected() {
        assert!(serde_json::from_value::<Turn>(json!({"blocks": [], "pause_midwy": "x"})).is_err());
        assert!(serde_json::from_value::<Turn>(json!([{"txt": "x"}])).is_err());
    }
}
