//! The state of a session, accumulated from its messages.

mod add_message;
mod draft;
mod entry;
mod server_tool;
mod state;

use crate::cost::Tally;
use crate::message::{Denial, TurnResult};
use crate::wire::Typed;

use draft::Drafts;
pub use entry::{Entry, PromptEntry, TextEntry, ToolCall, ToolOutcome};
pub use state::TurnState;

/// The state of a session, accumulated from its messages. Feed it every message; query it at any time.
///
/// It combines what arrives in separate messages: parts of text, tool calls with their results, denials with the denied
/// calls, usage by model. Programs that display or store a session need this.
///
/// The CLI does not repeat prompts unless [`replay_prompts`](crate::Agent::replay_prompts) is set: add those that your program
/// sends with [`sent`](Self::sent). Messages of earlier sessions can be fed too, with their prompts.
///
/// With partial messages, an answer is visible as drafts while the model writes it; complete blocks replace the drafts.
/// At the end of a turn a fold is therefore the same with and without partial messages. Two folds are equal if their
/// complete entries are equal; drafts are not compared.
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

/// The complete part of a fold.
#[derive(Debug, Clone, Default, PartialEq)]
struct Settled {
    session_id: Option<String>,
    model: Option<String>,
    entries: Vec<Entry>,
    // The index of the first entry of the current turn.
    turn: usize,
    denials: Vec<Denial>,
    state: TurnState,
    result: Option<Typed<TurnResult>>,
}

impl Fold {
    /// Creates an empty fold.
    pub fn new() -> Self {
        Self::default()
    }
}

/// # Queries
impl Fold {
    /// Returns the text of the main agent in all turns, one block per line, including drafts.
    pub fn text(&self) -> String {
        joined(&self.settled.entries, self.drafts.text(), Entry::text)
    }

    /// Returns the thinking of the main agent in all turns, including drafts.
    pub fn thinking(&self) -> String {
        joined(&self.settled.entries, self.drafts.thinking(), Entry::thinking)
    }

    /// Returns the text of the main agent in the current turn.
    pub fn turn_text(&self) -> String {
        joined(self.turn(), self.drafts.text(), Entry::text)
    }

    /// Returns all entries in order, including those of sub-agents.
    pub fn entries(&self) -> &[Entry] {
        &self.settled.entries
    }

    /// Returns the entries of the current turn, or of the last one if no turn is running.
    pub fn turn(&self) -> &[Entry] {
        &self.settled.entries[self.settled.turn..]
    }

    /// Returns the incomplete entries. There are some only with partial messages.
    pub fn drafts(&self) -> impl Iterator<Item = Entry> {
        self.drafts.entries()
    }

    /// Returns the prompts in order, including the tasks of sub-agents.
    pub fn prompts(&self) -> impl Iterator<Item = &PromptEntry> {
        self.settled.entries.iter().filter_map(Entry::prompt)
    }

    /// Returns the tool calls in order, with the results that have arrived.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.settled.entries.iter().filter_map(Entry::call)
    }

    /// Returns a tool call by its id.
    pub fn call(&self, id: &str) -> Option<&ToolCall> {
        self.calls().find(|call| call.id == id)
    }

    /// Returns the tool calls without a result.
    pub fn running(&self) -> impl Iterator<Item = &ToolCall> {
        self.calls().filter(|call| call.outcome.is_none())
    }

    /// Returns the denied tool uses, as listed in the results.
    pub fn denials(&self) -> &[Denial] {
        &self.settled.denials
    }

    /// Returns the state of the turn.
    pub fn state(&self) -> &TurnState {
        &self.settled.state
    }

    /// Returns usage and cost.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Returns the result of the last turn.
    pub fn result(&self) -> Option<&TurnResult> {
        self.settled.result.as_deref()
    }

    /// Returns the id of the session.
    pub fn session_id(&self) -> Option<&str> {
        self.settled.session_id.as_deref()
    }

    /// Returns the name of the model.
    pub fn model(&self) -> Option<&str> {
        self.settled.model.as_deref()
    }
}

/// Compares the complete entries; drafts are ignored.
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
