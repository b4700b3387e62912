//! Conversations: the messages of a session in the order in which the model has them.

use std::path::Path;

use mcp_agent::Message;

use crate::chain::Chain;
use crate::error::HistoryError;
use crate::history::History;
use crate::line;
use crate::record::Entry;

/// The messages of a session, from the first to the last.
///
/// A transcript is a tree: after a rewind or an interrupted turn, a message has several successors. A conversation follows the
/// links from the last message back to the first. After a compaction it begins with the summary, as for the model.
#[derive(Debug, Clone)]
pub struct Conversation {
    entries: Vec<Entry>,
    messages: Vec<usize>,
}

impl Conversation {
    pub(crate) fn new(entries: Vec<Entry>, with_meta: bool) -> Self {
        let is_shown = |entry: &Entry| {
            (with_meta || !entry.is_meta) && matches!(entry.message, Message::User(_) | Message::Assistant(_))
        };
        let messages = (0..entries.len()).filter(|index| is_shown(&entries[*index])).collect();
        Self { entries, messages }
    }

    /// Returns the messages of the user and of the model.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Entry> + ExactSizeIterator {
        self.messages.iter().map(|index| &self.entries[*index])
    }

    /// Returns a page of [`messages`](Self::messages).
    pub fn page(&self, offset: usize, limit: usize) -> impl Iterator<Item = &Entry> {
        self.messages().skip(offset).take(limit)
    }

    /// Returns all messages, including those of the system, such as the boundary of a compaction, and those that the CLI wrote
    /// for the model.
    pub fn all(&self) -> &[Entry] {
        &self.entries
    }
}

/// # Conversations
impl History {
    /// Reads the conversation of a session. A running session can be read too.
    ///
    /// Unlike [`read`](Self::read), this keeps the whole conversation in memory.
    ///
    /// # Errors
    /// If the session does not exist or its file cannot be read.
    pub fn conversation(&self, id: &str) -> Result<Conversation, HistoryError> {
        let chain = chain_of(&self.file(id)?)?;
        Ok(Conversation::new(chain.entries(false), false))
    }
}

pub(crate) fn chain_of(path: &Path) -> Result<Chain, HistoryError> {
    let mut chain = Chain::default();
    line::each(path, |bytes| {
        chain.add(bytes);
        Ok(())
    })
    .map_err(HistoryError::io(path))?;
    Ok(chain)
}
