//! Summaries of sessions, kept up to date line by line.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::StoredLine;
use crate::message::{Block, Content, UserContent};
use crate::wire::lenient;

/// The longest first prompt that a summary keeps, in characters.
const PROMPT_LIMIT: usize = 200;

/// A summary of a session, which a store keeps up to date without reading the transcript again.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct SessionSummary {
    /// The id of the session.
    pub session_id: String,
    /// When the store last changed it, in milliseconds since 1970.
    pub modified: u64,
    /// The title that the user set.
    pub custom_title: Option<String>,
    /// The title that the CLI generated.
    pub generated_title: Option<String>,
    /// The last prompt, as the CLI records it.
    pub last_prompt: Option<String>,
    /// A summary of the conversation.
    pub summary: Option<String>,
    /// The first prompt that is not a command, at most 200 characters of it.
    pub first_prompt: Option<String>,
    /// The name of the first slash command.
    pub first_command: Option<String>,
    /// The tag that the user set.
    pub tag: Option<String>,
    /// The working directory of the session.
    pub cwd: Option<String>,
    /// The Git branch at the end.
    pub git_branch: Option<String>,
    /// The time of the first line, in ISO 8601.
    pub created: Option<String>,
    /// The program that started the CLI, for instance `cli`, `sdk-ts` or `sdk-rs`.
    pub entrypoint: Option<String>,
    /// The kind of the session, for instance `daemon`.
    pub session_kind: Option<String>,
    /// Whether this is the transcript of a sub-agent. `None` before the first line.
    pub is_sidechain: Option<bool>,
}

/// The fields of a line that a summary is made of.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Line<'a> {
    #[serde(rename = "type", deserialize_with = "lenient")]
    kind: Option<String>,
    #[serde(deserialize_with = "lenient")]
    timestamp: Option<String>,
    #[serde(deserialize_with = "lenient")]
    cwd: Option<String>,
    #[serde(deserialize_with = "lenient")]
    custom_title: Option<String>,
    #[serde(deserialize_with = "lenient")]
    ai_title: Option<String>,
    #[serde(deserialize_with = "lenient")]
    last_prompt: Option<String>,
    #[serde(deserialize_with = "lenient")]
    summary: Option<String>,
    #[serde(deserialize_with = "lenient")]
    git_branch: Option<String>,
    #[serde(deserialize_with = "lenient")]
    tag: Option<String>,
    #[serde(deserialize_with = "lenient")]
    relocated_cwd: Option<String>,
    #[serde(deserialize_with = "lenient")]
    entrypoint: Option<String>,
    #[serde(deserialize_with = "lenient")]
    session_kind: Option<String>,
    #[serde(deserialize_with = "lenient")]
    is_sidechain: bool,
    #[serde(deserialize_with = "lenient")]
    is_meta: bool,
    #[serde(deserialize_with = "lenient")]
    is_compact_summary: bool,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
}

impl SessionSummary {
    /// Creates the summary of a session without lines.
    pub fn new(session_id: impl Into<String>) -> Self {
        Self { session_id: session_id.into(), ..Self::default() }
    }

    /// Returns the title: the one that the user set, else a generated one.
    pub fn title(&self) -> Option<&str> {
        self.custom_title.as_deref().or(self.generated_title.as_deref())
    }

    /// Returns the text that a list of sessions shows, as the CLI chooses it: the title, else the last prompt, else a summary,
    /// else the first prompt, else the first command.
    pub fn label(&self) -> Option<&str> {
        let prompt = self.first_prompt.as_deref().or(self.first_command.as_deref());
        self.title().or(self.last_prompt.as_deref()).or(self.summary.as_deref()).or(prompt)
    }

    /// Adds lines that were appended to the main transcript. `modified` is the time of the store, in milliseconds since 1970.
    ///
    /// The first value of `cwd`, `created`, `first_prompt` and `is_sidechain` is kept; of all other fields the last one.
    #[must_use]
    pub fn fold(mut self, lines: &[StoredLine], modified: u64) -> Self {
        self.modified = modified;
        for line in lines {
            self.add(line.as_str());
        }
        self
    }

    /// Adds a line, as text. Text that is not a line of a transcript is ignored.
    pub fn add(&mut self, line: &str) {
        let Ok(line) = serde_json::from_str::<Line<'_>>(line) else { return };
        self.is_sidechain.get_or_insert(line.is_sidechain);
        self.add_prompt(&line);
        keep(&mut self.created, line.timestamp);
        keep(&mut self.cwd, line.cwd);
        keep(&mut self.entrypoint, line.entrypoint);
        keep(&mut self.session_kind, line.session_kind);
        replace(&mut self.custom_title, line.custom_title);
        replace(&mut self.generated_title, line.ai_title);
        replace(&mut self.last_prompt, line.last_prompt);
        replace(&mut self.summary, line.summary);
        replace(&mut self.git_branch, line.git_branch);
        match line.kind.as_deref() {
            // An empty tag removes it.
            Some("tag") => self.tag = line.tag.filter(|tag| !tag.is_empty()),
            Some("relocated") => replace(&mut self.cwd, line.relocated_cwd),
            _ => {}
        }
    }

    fn add_prompt(&mut self, line: &Line<'_>) {
        let is_prompt = line.kind.as_deref() == Some("user") && !line.is_meta && !line.is_compact_summary;
        if !is_prompt || self.first_prompt.is_some() {
            return;
        }
        let Some(message) = line.message.and_then(|raw| serde_json::from_str::<UserContent>(raw.get()).ok()) else { return };
        for text in texts(&message.content) {
            let text = text.replace(['\n', '\r'], " ");
            let text = text.trim();
            if let Some(name) = between(text, "<command-name>", "</command-name>") {
                keep(&mut self.first_command, Some(name.to_owned()));
            } else if let Some(command) = between(text, "<bash-input>", "</bash-input>") {
                self.first_prompt = Some(format!("! {}", command.trim()));
                return;
            } else if !text.is_empty() && !is_from_cli(text) {
                self.first_prompt = Some(shortened(text));
                return;
            }
        }
    }
}

/// Returns the texts of a prompt. A message with results of tools is not a prompt.
fn texts(content: &Content) -> Vec<&str> {
    match content {
        Content::Text(text) => vec![text],
        Content::Blocks(blocks) if blocks.iter().any(|block| matches!(block, Block::ToolResult(_))) => Vec::new(),
        Content::Blocks(blocks) => blocks.iter().filter_map(Block::text).collect(),
    }
}

/// Returns whether the CLI wrote the text: it begins with a tag, or notes an interruption.
fn is_from_cli(text: &str) -> bool {
    let tag =
        text.strip_prefix('<').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "-_".contains(c)));
    let is_tag = text.chars().nth(1).is_some_and(|c| c.is_ascii_lowercase())
        && tag.is_some_and(|rest| rest.starts_with(|c: char| c == '>' || c.is_whitespace()));
    is_tag || text.starts_with("[Request interrupted by user")
}

fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(open)?;
    rest.split_once(close).map(|(inside, _)| inside)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(PROMPT_LIMIT) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// Sets a field that has no value yet.
fn keep(field: &mut Option<String>, value: Option<String>) {
    if field.is_none() {
        *field = value.filter(|value| !value.is_empty());
    }
}

/// Replaces a field, if there is a value.
fn replace(field: &mut Option<String>, value: Option<String>) {
    if value.is_some() {
        *field = value;
    }
}
