//! Adds the messages of the CLI to a transcript.

use mcp_agent::Message;
use mcp_agent::message::{Assistant, Block, Content, Delta, Partial, StreamEvent, ToolResult, ToolUse, User};
use serde_json::Value;

use crate::item::{Item, ItemKind, cut, cut_input, extend};
use crate::transcript::Transcript;

/// Adds a message.
pub(crate) fn feed(transcript: &mut Transcript, message: &Message) {
    match message {
        Message::Init(init) => {
            transcript.is_busy = true;
            transcript.model = Some(init.model.clone());
            transcript.cwd = Some(init.cwd.clone()).filter(|cwd| !cwd.is_empty());
            transcript.session_id = message.head().session_id;
            transcript.mode = init_mode(message).or(transcript.mode.take());
        }
        Message::Status(_) => transcript.mode = init_mode(message).or(transcript.mode.take()),
        Message::Assistant(assistant) => answer(transcript, assistant, &message.head().uuid.unwrap_or_default()),
        Message::User(user) => results(transcript, user),
        Message::Stream(partial) => draft(transcript, partial),
        Message::Result(result) => transcript.result(result),
        Message::PermissionDenied(denied) => {
            if let Some(call) = transcript.call_mut(&denied.tool_use_id) {
                call.is_denied = true;
            }
        }
        Message::ModelRefusalFallback(refusal) => {
            retract(transcript, refusal.retracted_message_uuids.as_deref().unwrap_or_default());
        }
        Message::CompactBoundary(_) => {
            let text = "The conversation was compacted.".to_owned();
            transcript.push(Item { text, ..Item::new(ItemKind::Notice) });
        }
        Message::LocalCommandOutput(output) => {
            let text = cut(&output.content);
            transcript.push(Item { text, ..Item::new(ItemKind::Notice) });
        }
        _ => {}
    }
}

/// Returns the permission mode that a message reports.
fn init_mode(message: &Message) -> Option<String> {
    let raw: Value = serde_json::from_str(message.raw().get()).unwrap_or_default();
    raw["permissionMode"].as_str().map(str::to_owned)
}

fn answer(transcript: &mut Transcript, assistant: &Assistant, uuid: &str) {
    retract(transcript, assistant.supersedes.as_deref().unwrap_or_default());
    let parent = &assistant.parent_tool_use_id;
    let usage = &assistant.message.usage;
    let tokens = usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
    if parent.is_none() && tokens > 0 {
        transcript.context_tokens = tokens + usage.output_tokens;
    }
    if let Content::Text(text) = &assistant.message.content {
        transcript.push(said(ItemKind::Text, text, parent, uuid));
    }
    for block in assistant.message.content.blocks() {
        // Complete blocks arrive in the order of their drafts, so this is the draft of this block.
        let draft = transcript.items.iter().position(|item| item.is_draft && item.parent == *parent);
        if let Some(draft) = draft {
            transcript.items.remove(draft);
        }
        if let Some(item) = complete(block, parent, uuid) {
            // Other drafts are of later blocks, so the item goes before them.
            let place = draft.filter(|place| *place < transcript.items.len());
            match place {
                Some(place) => transcript.items.insert(place, item),
                None => transcript.push(item),
            }
        }
    }
}

fn complete(block: &Block, parent: &Option<String>, uuid: &str) -> Option<Item> {
    match block {
        Block::Text(block) => Some(said(ItemKind::Text, &block.text, parent, uuid)),
        Block::Thinking(block) => Some(said(ItemKind::Thinking, &block.thinking, parent, uuid)),
        Block::ToolUse(call) | Block::ServerToolUse(call) => Some(tool(call, parent)),
        _ => None,
    }
}

fn said(kind: ItemKind, text: &str, parent: &Option<String>, uuid: &str) -> Item {
    Item { text: cut(text), parent: parent.clone(), id: uuid.to_owned(), ..Item::new(kind) }
}

fn tool(call: &ToolUse, parent: &Option<String>) -> Item {
    let (id, name) = (call.id.clone(), call.name.clone());
    Item { id, name, input: cut_input(&call.input), parent: parent.clone(), ..Item::new(ItemKind::Tool) }
}

fn results(transcript: &mut Transcript, user: &User) {
    for result in user.message.content.tool_results() {
        if let Some(call) = transcript.call_mut(&result.tool_use_id) {
            call.text = cut(&result_text(result));
            (call.is_done, call.is_error) = (true, result.is_error);
        }
    }
}

fn result_text(result: &ToolResult) -> String {
    match &result.content {
        Content::Text(text) => text.clone(),
        Content::Blocks(blocks) => {
            let texts = blocks.iter().map(|block| block.text().unwrap_or("[content that is not text]"));
            texts.collect::<Vec<_>>().join("\n")
        }
    }
}

fn draft(transcript: &mut Transcript, partial: &Partial) {
    let parent = &partial.parent_tool_use_id;
    match &partial.event {
        StreamEvent::MessageStart(_) | StreamEvent::MessageStop | StreamEvent::Error(_) => {
            transcript.drop_drafts(|item| item.parent == *parent);
        }
        StreamEvent::BlockStart { block, .. } => {
            // A block of another type has an empty draft, so that drafts and complete blocks have the same order.
            let mut item = complete(block, parent, "").unwrap_or_else(|| said(ItemKind::Text, "", parent, ""));
            item.is_draft = true;
            item.input = if item.kind == ItemKind::Tool { Value::String(String::new()) } else { Value::Null };
            transcript.push(item);
        }
        StreamEvent::BlockDelta { delta, .. } => {
            // The model writes one block after the other, so this is a part of the newest one.
            let item = transcript.items.iter_mut().rev().find(|item| item.is_draft && item.parent == *parent);
            if let Some(item) = item {
                add(item, delta);
            }
        }
        _ => {}
    }
}

fn add(item: &mut Item, delta: &Delta) {
    match (item.kind, delta, &mut item.input) {
        (ItemKind::Text, Delta::Text(more), _) | (ItemKind::Thinking, Delta::Thinking(more), _) => {
            extend(&mut item.text, more);
        }
        (ItemKind::Tool, Delta::InputJson(more), Value::String(input)) => extend(input, more),
        _ => {}
    }
}

/// Removes messages of the model that the CLI has replaced.
fn retract(transcript: &mut Transcript, uuids: &[String]) {
    if !uuids.is_empty() {
        transcript.items.retain(|item| item.kind == ItemKind::Tool || !uuids.contains(&item.id));
    }
}
