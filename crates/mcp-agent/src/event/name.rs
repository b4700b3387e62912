//! The dotted names of messages.

use crate::message::{Head, Message, Partial, StreamEvent};
use crate::wire::Typed;

impl Message {
    /// Returns the event name of this message, such as `claude.system.init`, `claude.stream_event.content_block_delta`
    /// or `claude.result.success`.
    ///
    /// Of the system messages only `init` and `compact_boundary` have their own names; all others are `claude.system`,
    /// and their subtype is in the message. Other messages are named `claude.` followed by their type. A name consists
    /// of ASCII letters, digits and `._-` only, for any input.
    ///
    /// ```
    /// # use mcp_agent::Message;
    /// let message: Message = serde_json::from_str(r#"{"type":"result","subtype":"error_max_turns"}"#)?;
    /// assert_eq!(message.event_name(), "claude.result.error_max_turns");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn event_name(&self) -> String {
        match self {
            Self::Init(_) => "claude.system.init".to_owned(),
            Self::CompactBoundary(_) => "claude.system.compact_boundary".to_owned(),
            Self::Assistant(_) => "claude.assistant".to_owned(),
            Self::User(_) => "claude.user".to_owned(),
            Self::Stream(partial) => format!("claude.stream_event.{}", word(event_kind(partial).as_str())),
            Self::Result(result) => format!("claude.result.{}", word(result.subtype.as_str())),
            _ => {
                let Head { kind, .. } = self.head();
                format!("claude.{}", word(&kind))
            }
        }
    }
}

fn event_kind(partial: &Typed<Partial>) -> String {
    let known = match &partial.event {
        StreamEvent::MessageStart(_) => "message_start",
        StreamEvent::BlockStart { .. } => "content_block_start",
        StreamEvent::BlockDelta { .. } => "content_block_delta",
        StreamEvent::BlockStop { .. } => "content_block_stop",
        StreamEvent::MessageDelta { .. } => "message_delta",
        StreamEvent::MessageStop => "message_stop",
        StreamEvent::Ping => "ping",
        StreamEvent::Error(_) => "error",
        StreamEvent::Other(raw) => return serde_json::from_str::<Head>(raw.get()).unwrap_or_default().kind,
    };
    known.to_owned()
}

/// Makes a word safe for use in a name: a line break, for example, would end an event on the wire.
fn word(word: &str) -> String {
    if word.is_empty() {
        return "unknown".to_owned();
    }
    word.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn name(message: Value) -> String {
        serde_json::from_value::<Message>(message).expect("a message").event_name()
    }

    #[test]
    fn names_match_the_reference() {
        let of = |kind: &str, subtype: &str| name(json!({"type": kind, "subtype": subtype}));
        assert_eq!(of("system", "init"), "claude.system.init");
        assert_eq!(of("system", "compact_boundary"), "claude.system.compact_boundary");
        assert_eq!(of("system", "status"), "claude.system");
        assert_eq!(of("system", "of_a_later_cli"), "claude.system");
        assert_eq!(of("user", ""), "claude.user");
        assert_eq!(of("assistant", ""), "claude.assistant");
        for outcome in ["success", "error_max_turns", "error_during_execution", "error_max_budget_usd", "error_later"] {
            assert_eq!(of("result", outcome), format!("claude.result.{outcome}"));
        }
        for event in ["message_start", "content_block_stop", "message_delta", "message_stop", "of_a_later_api"] {
            let message = json!({"type": "stream_event", "event": {"type": event}});
            assert_eq!(name(message), format!("claude.stream_event.{event}"));
        }
        let start = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}});
        let delta = json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x"}});
        for event in [start, delta] {
            let kind = event["type"].as_str().expect("text").to_owned();
            assert_eq!(name(json!({"type": "stream_event", "event": event})), format!("claude.stream_event.{kind}"));
        }
        assert_eq!(of("rate_limit_event", ""), "claude.rate_limit_event");
        assert_eq!(of("of_a_later_cli", ""), "claude.of_a_later_cli");
    }

    #[test]
    fn a_name_cannot_break_a_line_or_be_empty() {
        assert_eq!(name(json!({"type": "a\nevent: b", "subtype": 1})), "claude.a_event__b");
        assert_eq!(name(json!({"type": "result", "subtype": "x y\r"})), "claude.result.x_y_");
        assert_eq!(name(json!({"type": "stream_event", "event": 7})), "claude.stream_event.unknown");
    }
}
