//! A session so far: all its messages folded into one value.

mod draft;
mod entry;
mod feed;
mod state;

use crate::cost::Tally;
use crate::message::{Denial, TurnResult};
use crate::wire::Typed;

use draft::Drafts;
pub use entry::{Entry, Said, ToolCall, ToolOutcome};
pub use state::TurnState;

/// A session so far: feed it every message, ask it at any time.
///
/// It joins what the wire has apart: pieces of text, tool calls with their results, denials with the calls that were
/// denied, usage with its models. Whoever shows or stores a session needs that, so it is here once.
///
/// With partial messages an answer is there while it is being made; when it is complete its pieces give way to the whole.
/// So at the end of a turn a fold is the same whether partial messages were on or off, and two folds are equal when all
/// that is complete in them is.
///
/// ```
/// # use mcp_agent::{Message, fold::Fold};
/// let mut fold = Fold::new();
/// for line in [
///     r#"{"type":"assistant","message":{"id":"1","content":[{"type":"text","text":"I add."}]}}"#,
///     r#"{"type":"assistant","message":{"id":"1","content":[{"type":"tool_use","id":"t","name":"add","input":{"a":1}}]}}"#,
///     r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"3"}]}}"#,
/// ] {
///     fold.feed(&serde_json::from_str::<Message>(line)?);
/// }
/// assert_eq!(fold.text(), "I add.");
/// let call = fold.call("t").expect("a call");
/// assert_eq!((call.name.as_str(), call.result_text()), ("add", Some("3".to_owned())));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Fold {
    settled: Settled,
    tally: Tally,
    drafts: Drafts,
}

/// All that is complete.
#[derive(Debug, Clone, Default, PartialEq)]
struct Settled {
    session_id: Option<String>,
    model: Option<String>,
    entries: Vec<Entry>,
    // Where the entries of this turn begin.
    turn: usize,
    denials: Vec<Denial>,
    state: TurnState,
    result: Option<Typed<TurnResult>>,
}

impl Fold {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }
}

/// What is known
impl Fold {
    /// What the agent itself said, of all turns, one block a line; also what it is still saying.
    pub fn text(&self) -> String {
        joined(&self.settled.entries, self.drafts.text(), Entry::text)
    }

    /// What the agent itself thought, in the same way.
    pub fn thinking(&self) -> String {
        joined(&self.settled.entries, self.drafts.thinking(), Entry::thinking)
    }

    /// What the agent said in this turn.
    pub fn turn_text(&self) -> String {
        joined(self.turn(), self.drafts.text(), Entry::text)
    }

    /// All that was said, thought and called, in order, also by sub-agents.
    pub fn entries(&self) -> &[Entry] {
        &self.settled.entries
    }

    /// The entries of this turn, or of the last one when it is over.
    pub fn turn(&self) -> &[Entry] {
        &self.settled.entries[self.settled.turn..]
    }

    /// What is being said, thought or called and is not complete: with partial messages only.
    pub fn drafts(&self) -> impl Iterator<Item = Entry> {
        self.drafts.entries()
    }

    /// Tool calls in order, each with its result as soon as there is one.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.settled.entries.iter().filter_map(Entry::call)
    }

    /// A tool call by its id.
    pub fn call(&self, id: &str) -> Option<&ToolCall> {
        self.calls().find(|call| call.id == id)
    }

    /// Tool calls that have no result.
    pub fn running(&self) -> impl Iterator<Item = &ToolCall> {
        self.calls().filter(|call| call.outcome.is_none())
    }

    /// Tool uses that were denied, as the results list them.
    pub fn denials(&self) -> &[Denial] {
        &self.settled.denials
    }

    /// How the turn is.
    pub fn state(&self) -> &TurnState {
        &self.settled.state
    }

    /// What was used and what it cost.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The result of the last turn.
    pub fn result(&self) -> Option<&TurnResult> {
        self.settled.result.as_deref()
    }

    /// The session.
    pub fn session_id(&self) -> Option<&str> {
        self.settled.session_id.as_deref()
    }

    /// The model.
    pub fn model(&self) -> Option<&str> {
        self.settled.model.as_deref()
    }
}

/// Equal when all that is complete is.
impl PartialEq for Fold {
    fn eq(&self, other: &Self) -> bool {
        self.settled == other.settled && self.tally.settled() == other.tally.settled()
    }
}

fn joined<'a>(entries: &'a [Entry], draft: Option<&'a str>, part: fn(&Entry) -> Option<&str>) -> String {
    let own = entries.iter().filter(|entry| entry.parent().is_none()).filter_map(part);
    own.chain(draft).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
