//! Answers that are not complete yet.

use std::collections::BTreeMap;

use serde_json::Value;

use super::entry::{Entry, TextEntry, ToolCall};
use crate::message::{Block, Delta, Partial, StreamEvent};

/// The incomplete answers: at most one of the main agent and one of each sub-agent.
#[derive(Debug, Clone, Default)]
pub(super) struct Drafts(BTreeMap<Option<String>, Draft>);

#[derive(Debug, Clone, Default)]
struct Draft {
    message: String,
    blocks: BTreeMap<usize, DraftBlock>,
}

#[derive(Debug, Clone)]
struct DraftBlock {
    entry: Entry,
    // The JSON text of a tool's arguments, as received so far.
    json: String,
}

impl Drafts {
    pub(super) fn feed(&mut self, partial: &Partial) {
        let parent = &partial.parent_tool_use_id;
        match &partial.event {
            StreamEvent::MessageStart(message) => {
                let draft = Draft { message: message.id.clone(), blocks: BTreeMap::new() };
                self.0.insert(parent.clone(), draft);
            }
            StreamEvent::BlockStart { index, block } => {
                let entry = begin(block, parent.as_ref());
                let blocks = &mut self.0.entry(parent.clone()).or_default().blocks;
                blocks.insert(*index, DraftBlock { entry, json: String::new() });
            }
            StreamEvent::BlockDelta { index, delta } => {
                let draft = self.0.get_mut(parent).and_then(|draft| draft.blocks.get_mut(index));
                if let Some(block) = draft {
                    block.add(delta);
                }
            }
            // Remaining drafts are dropped: the CLI sends the complete block before the stream of the block ends.
            StreamEvent::MessageStop | StreamEvent::Error(_) => {
                self.0.remove(parent);
            }
            _ => {}
        }
    }

    /// Removes the draft of a block that arrived complete. It is the first draft, because complete blocks arrive in
    /// order.
    pub(super) fn complete(&mut self, parent: Option<&str>, message: &str) {
        if let Some(draft) = self.0.get_mut(&parent.map(str::to_owned))
            && draft.message == message
        {
            draft.blocks.pop_first();
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> {
        self.0.values().flat_map(|draft| draft.blocks.values()).map(DraftBlock::entry)
    }

    pub(super) fn text(&self) -> Option<&str> {
        self.own().find_map(|block| block.entry.text())
    }

    pub(super) fn thinking(&self) -> Option<&str> {
        self.own().find_map(|block| block.entry.thinking())
    }

    /// Returns the drafts of the main agent.
    fn own(&self) -> impl Iterator<Item = &DraftBlock> {
        self.0.get(&None).into_iter().flat_map(|draft| draft.blocks.values())
    }
}

impl DraftBlock {
    fn add(&mut self, delta: &Delta) {
        match (&mut self.entry, delta) {
            (Entry::Text(said), Delta::Text(more)) | (Entry::Thinking(said), Delta::Thinking(more)) => said.text += more,
            (Entry::Tool(_), Delta::InputJson(more)) => self.json += more,
            _ => {}
        }
    }

    /// Returns the entry so far. Incomplete arguments of a tool are left out.
    fn entry(&self) -> Entry {
        let mut entry = self.entry.clone();
        if let Entry::Tool(call) = &mut entry
            && let Ok(input) = serde_json::from_str(&self.json)
        {
            call.input = input;
        }
        entry
    }
}

fn begin(block: &Block, parent: Option<&String>) -> Entry {
    let said = |text: &str| TextEntry { text: text.to_owned(), parent: parent.cloned(), uuid: None };
    match block {
        Block::Text(block) => Entry::Text(said(&block.text)),
        Block::Thinking(block) => Entry::Thinking(said(&block.thinking)),
        Block::ToolUse(block) | Block::ServerToolUse(block) => {
            let call = ToolCall::new(block, parent.cloned(), None);
            Entry::Tool(ToolCall { input: Value::Null, ..call })
        }
        // An empty entry keeps the position of a block of any other type, whose complete block will arrive too.
        _ => Entry::Text(said("")),
    }
}
