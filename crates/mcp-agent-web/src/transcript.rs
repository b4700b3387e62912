//! What a chat looks like: prompts, answers, tool calls, open questions, cost.

use std::collections::VecDeque;

use mcp_agent::event::Event;
use mcp_agent::message::TurnResult;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::item::{Item, ItemKind, cut};
use crate::messages;

/// The maximum number of items that are kept.
const MAX_ITEMS: usize = 2000;

/// The maximum size of the items that are kept, in bytes of their texts.
const MAX_BYTES: usize = 4 << 20;

/// After how many items their size is checked.
const ITEMS_BETWEEN_TRIMS: usize = 64;

/// What a chat looks like after some of its events: prompts, answers, tool calls with their results, open questions, cost.
///
/// The hub sends it as a snapshot to those who come late. Feed it the events that follow and it stays current. Its size is
/// bounded: long results of tools are shortened, and the oldest items are dropped and counted.
///
/// ```
/// use mcp_agent_web::Transcript;
///
/// let mut transcript = Transcript::default();
/// let event = r#"{"event":"chat.prompt","data":{"sessionId":null,"timestamp":1,"raw":{"id":"1","text":"Hello"}}}"#;
/// transcript.feed(&serde_json::from_str(event)?);
/// assert_eq!(transcript.items[0].text, "Hello");
/// assert!(transcript.is_busy);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Transcript {
    /// The items, oldest first.
    pub items: VecDeque<Item>,
    /// How many older items were dropped.
    pub dropped: u64,
    /// The questions that wait for an answer: the data of their `chat.ask` events.
    pub asks: Vec<Value>,
    /// Whether a turn is running.
    pub is_busy: bool,
    /// The id of the session of the CLI.
    pub session_id: Option<String>,
    /// The working directory of the session.
    pub cwd: Option<String>,
    /// The name of the model.
    pub model: Option<String>,
    /// The permission mode of the session.
    pub mode: Option<String>,
    /// The cost of the session so far in US dollars, as the CLI reports it.
    pub cost_usd: f64,
    /// The tokens in the context of the last answer.
    pub context_tokens: u64,
    /// The size of the context window in tokens; zero if unknown.
    pub context_window: u64,
    /// How many partial messages were dropped because nobody read them in time.
    pub dropped_partials: u64,
    /// Whether the chat has ended.
    pub is_ended: bool,
}

impl Transcript {
    /// Adds an event.
    pub fn feed(&mut self, event: &Event) {
        let raw = || serde_json::from_str::<Value>(event.raw.get()).unwrap_or_default();
        match event.name.as_str() {
            "chat.prompt" => {
                self.is_busy = true;
                let raw = raw();
                let item = Item { id: text(&raw["id"]), text: text(&raw["text"]), ..Item::new(ItemKind::Prompt) };
                self.push(item);
            }
            "chat.ask" => self.asks.push(raw()),
            "chat.answered" => {
                let id = raw()["id"].clone();
                self.asks.retain(|ask| ask["id"] != id);
            }
            "chat.mode" => self.mode = raw()["mode"].as_str().map(str::to_owned),
            "chat.dropped" => self.dropped_partials = raw()["partials"].as_u64().unwrap_or_default(),
            "chat.end" => self.is_ended = true,
            "claude.turn_end" => self.turn_end(&raw()),
            "claude.error" => self.problem(text(&raw()["error"])),
            _ => {
                if let Some(message) = event.message() {
                    messages::feed(self, &message);
                }
            }
        }
    }

    /// Adds an event as it is received over HTTP: `chat.snapshot` replaces everything.
    ///
    /// # Errors
    /// If a snapshot is not valid.
    pub fn follow(&mut self, event: &Event) -> Result<(), serde_json::Error> {
        match event.name.as_str() {
            "chat.snapshot" => *self = serde_json::from_str(event.raw.get())?,
            _ => self.feed(event),
        }
        Ok(())
    }

    /// Returns the text of the last answer of the main agent.
    pub fn last_text(&self) -> Option<&str> {
        let own = self.items.iter().rev().find(|item| item.kind == ItemKind::Text && item.parent.is_none());
        own.map(|item| item.text.as_str())
    }

    /// Returns the tool call with this id.
    pub fn call(&self, id: &str) -> Option<&Item> {
        self.items.iter().rev().find(|item| item.kind == ItemKind::Tool && item.id == id)
    }

    pub(crate) fn has_prompt(&self, id: &str) -> bool {
        self.items.iter().any(|item| item.kind == ItemKind::Prompt && item.id == id)
    }

    pub(crate) fn call_mut(&mut self, id: &str) -> Option<&mut Item> {
        self.items.iter_mut().rev().find(|item| item.kind == ItemKind::Tool && item.id == id)
    }

    pub(crate) fn push(&mut self, item: Item) {
        self.items.push_back(item);
        if self.items.len() > MAX_ITEMS {
            self.items.pop_front();
            self.dropped += 1;
        }
        if self.items.len().is_multiple_of(ITEMS_BETWEEN_TRIMS) {
            self.trim();
        }
    }

    /// Drops the oldest items if all together are too long. Not called for every item, because it adds up all sizes.
    pub(crate) fn trim(&mut self) {
        let mut bytes: usize = self.items.iter().map(Item::size).sum();
        while bytes > MAX_BYTES && self.items.len() > 1 {
            bytes -= self.items.pop_front().map_or(0, |item| item.size());
            self.dropped += 1;
        }
    }

    pub(crate) fn problem(&mut self, text: String) {
        self.push(Item { text, is_error: true, ..Item::new(ItemKind::Notice) });
    }

    pub(crate) fn result(&mut self, result: &TurnResult) {
        self.drop_drafts(|_| true);
        // A cost that is not a number is reported as infinite, which JSON cannot express.
        if result.total_cost_usd.is_finite() {
            self.cost_usd = result.total_cost_usd;
        }
        if let Some(window) = result.model_usage.values().map(|usage| usage.context_window).max().filter(|max| *max > 0) {
            self.context_window = window;
        }
        for denial in &result.permission_denials {
            if let Some(call) = self.call_mut(&denial.tool_use_id) {
                call.is_denied = true;
            }
        }
    }

    fn turn_end(&mut self, raw: &Value) {
        self.is_busy = false;
        self.drop_drafts(|_| true);
        if let Some(message) = raw["error_msg"].as_str() {
            let repeats = |item: &Item| item.kind == ItemKind::Notice && item.text == message;
            if !self.items.back().is_some_and(repeats) {
                self.problem(message.to_owned());
            }
        }
    }

    /// Removes the incomplete items that `is_gone` selects.
    pub(crate) fn drop_drafts(&mut self, is_gone: impl Fn(&Item) -> bool) {
        self.items.retain(|item| !(item.is_draft && is_gone(item)));
    }
}

fn text(value: &Value) -> String {
    cut(value.as_str().unwrap_or_default())
}
