//! Renders a turn as the API sends it: a stream of events or one message.

use serde_json::{Value, json};

use super::block::{Block, ToolUse};
use super::turn::Turn;
use super::usage::{StopReason, Usage};

/// One step of a streamed turn.
#[derive(Debug, PartialEq)]
pub(crate) enum StreamStep {
    Event(Value),
    /// The point at which [`Turn::pause_midway`] and [`Turn::dropped`] take effect.
    Midpoint,
}

/// Identifies a reply. All ids in the reply are derived from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReplyId {
    pub(crate) port: u16,
    pub(crate) number: usize,
}

/// Returns the blocks of a turn. Uses of tools that are not offered are replaced by a text that says so.
pub(crate) fn replace_unoffered_tools(turn: &Turn, offered: &[&str]) -> Vec<Block> {
    let mut blocks = turn.blocks.clone();
    for block in &mut blocks {
        if let Block::Tool(ToolUse { name, force: false, .. }) = block
            && !offered.contains(&name.as_str())
        {
            *block = Block::Text(format!("[mock model: the tool {name} is not offered]"));
        }
    }
    blocks
}

/// Returns the reply as one message, for a client that does not stream.
pub(crate) fn message(turn: &Turn, blocks: &[Block], model: &str, id: ReplyId) -> Value {
    let content: Vec<Value> = blocks.iter().enumerate().map(|(index, block)| whole(block, id, index)).collect();
    let mut message = head(model, turn.usage, id);
    message["content"] = content.into();
    message["stop_reason"] = json!(stop_reason(turn, blocks));
    message
}

/// Returns the reply as the events of a stream.
pub(crate) fn stream_steps(turn: &Turn, blocks: &[Block], model: &str, id: ReplyId) -> Vec<StreamStep> {
    let opening = Usage { output_tokens: 1, ..turn.usage };
    let mut stream_steps = vec![event(json!({"type": "message_start", "message": head(model, opening, id)}))];
    for (index, block) in blocks.iter().enumerate() {
        let content_block = emptied(whole(block, id, index));
        stream_steps.push(event(json!({"type": "content_block_start", "index": index, "content_block": content_block})));
        let deltas = deltas(block).into_iter();
        stream_steps
            .extend(deltas.map(|delta| event(json!({"type": "content_block_delta", "index": index, "delta": delta}))));
        if index == 0 {
            stream_steps.push(StreamStep::Midpoint);
        }
        stream_steps.push(event(json!({"type": "content_block_stop", "index": index})));
    }
    if blocks.is_empty() {
        stream_steps.push(StreamStep::Midpoint);
    }
    let delta = json!({"stop_reason": stop_reason(turn, blocks), "stop_sequence": null});
    stream_steps.push(event(json!({"type": "message_delta", "delta": delta, "usage": turn.usage})));
    stream_steps.push(event(json!({"type": "message_stop"})));
    stream_steps
}

/// Returns an error in the format of the API.
pub(crate) fn error(kind: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": message}})
}

fn event(value: Value) -> StreamStep {
    StreamStep::Event(value)
}

fn head(model: &str, usage: Usage, id: ReplyId) -> Value {
    json!({
        "id": format!("msg_{}_{}", id.port, id.number), "type": "message", "role": "assistant", "model": model,
        "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage,
    })
}

fn whole(block: &Block, id: ReplyId, index: usize) -> Value {
    match block {
        Block::Text(text) => json!({"type": "text", "text": text}),
        Block::Thinking(thinking) => {
            json!({"type": "thinking", "thinking": thinking, "signature": SIGNATURE})
        }
        Block::Tool(tool) => {
            let made = || format!("toolu_{}_{}_{index}", id.port, id.number);
            let id = tool.id.clone().unwrap_or_else(made);
            json!({"type": "tool_use", "id": id, "name": tool.name, "input": tool.input})
        }
    }
}

/// Returns a block without its content, as it is sent before its deltas.
fn emptied(mut block: Value) -> Value {
    for key in ["text", "thinking", "signature"] {
        if let Some(text) = block.get_mut(key) {
            *text = "".into();
        }
    }
    if let Some(input) = block.get_mut("input") {
        *input = json!({});
    }
    block
}

fn deltas(block: &Block) -> Vec<Value> {
    match block {
        Block::Text(text) => pieces(text).into_iter().map(|piece| json!({"type": "text_delta", "text": piece})).collect(),
        Block::Thinking(thinking) => {
            let words = pieces(thinking).into_iter().map(|piece| json!({"type": "thinking_delta", "thinking": piece}));
            words.chain([json!({"type": "signature_delta", "signature": SIGNATURE})]).collect()
        }
        Block::Tool(tool) => {
            let input = tool.input.to_string();
            pieces(&input).into_iter().map(|piece| json!({"type": "input_json_delta", "partial_json": piece})).collect()
        }
    }
}

const SIGNATURE: &str = "c3RhbmQtaW4=";

/// Splits a text for the deltas of a stream: pieces of at least 12 characters, and at most about 50 pieces.
fn pieces(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let size = (letters.len() / 50).max(12);
    letters.chunks(size).map(|piece| piece.iter().collect()).collect()
}

fn stop_reason(turn: &Turn, blocks: &[Block]) -> StopReason {
    let uses_tools = blocks.iter().any(|block| matches!(block, Block::Tool(_)));
    let natural = if uses_tools { StopReason::ToolUse } else { StopReason::EndTurn };
    turn.stop.unwrap_or(natural)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: ReplyId = ReplyId { port: 1, number: 2 };

    fn events(turn: &Turn, offered: &[&str]) -> Vec<Value> {
        let stream_steps = stream_steps(turn, &replace_unoffered_tools(turn, offered), "m", ID);
        stream_steps
            .into_iter()
            .filter_map(|step| if let StreamStep::Event(event) = step { Some(event) } else { None })
            .collect()
    }

    #[test]
    fn the_deltas_of_a_stream_concatenate_to_the_blocks() {
        let text = "ümläut ".repeat(200);
        let turn = Turn::of([Block::text(&text), Block::tool("add", json!({"a": [1, 2, 3], "b": "long enough to cut"}))]);
        let events = events(&turn, &["add"]);
        let said: String = events.iter().filter_map(|event| event["delta"]["text"].as_str()).collect();
        let input: String = events.iter().filter_map(|event| event["delta"]["partial_json"].as_str()).collect();
        assert_eq!(said, text);
        assert_eq!(serde_json::from_str::<Value>(&input).unwrap()["b"], "long enough to cut");
        assert!(events.iter().filter(|event| event["delta"]["text"].is_string()).count() > 10);
        let last = &events[events.len() - 2];
        assert_eq!(last["delta"]["stop_reason"], "tool_use");
    }

    #[test]
    fn a_tool_use_that_is_not_offered_becomes_text_unless_forced() {
        let turn = Turn::of([Block::tool("add", json!({})), ToolUse::new("add", json!({})).force().into()]);
        let blocks = replace_unoffered_tools(&turn, &["sub"]);
        assert_eq!(blocks[0], Block::text("[mock model: the tool add is not offered]"));
        assert!(matches!(&blocks[1], Block::Tool(_)));
    }

    #[test]
    fn the_reply_as_one_message_has_the_same_content() {
        let turn = Turn::of([Block::thinking("hm"), Block::text("yes")]).stop(StopReason::MaxTokens);
        let message = message(&turn, &turn.blocks, "m", ID);
        assert_eq!(message["content"][1]["text"], "yes");
        assert_eq!(message["content"][0]["thinking"], "hm");
        assert_eq!(message["stop_reason"], "max_tokens");
        assert_eq!(message["usage"]["output_tokens"], 20);
    }
}
