//! The transcript of a conversation that the CLI has stored.

use std::path::Path;

use mcp_agent::Message;
use mcp_agent_history::{History, Record};

use crate::item::{Item, ItemKind, cut};
use crate::messages;
use crate::transcript::Transcript;

/// Returns whether the CLI has stored a session with this id for this working directory.
pub(crate) fn is_stored(history: &History, cwd: &Path, id: &str) -> bool {
    // Only a session that exists is looked up in the list, which reads a part of every session.
    history.session(id).is_ok() && history.sessions_of(cwd).is_ok_and(|all| all.iter().any(|session| session.id == id))
}

/// Reads the transcript of a stored session of this working directory. Returns `None` if there is none.
pub(crate) fn transcript(history: &History, cwd: &Path, id: &str) -> Option<Transcript> {
    if !is_stored(history, cwd, id) {
        return None;
    }
    let mut transcript = Transcript { session_id: Some(id.to_owned()), ..Transcript::default() };
    for record in history.read(id).ok()?.map_while(Result::ok) {
        let Record::Message(entry) = record else { continue };
        if entry.is_sidechain {
            continue;
        }
        if let Message::User(user) = &entry.message
            && let Some(text) = prompt(&entry.message, user.message.content.text())
        {
            let id = entry.uuid.clone().unwrap_or_default();
            transcript.push(Item { id, text: cut(text), ..Item::new(ItemKind::Prompt) });
        }
        messages::feed(&mut transcript, &entry.message);
        transcript.session_id = Some(id.to_owned());
    }
    transcript.is_busy = false;
    transcript.trim();
    Some(transcript)
}

/// Returns the text if the message is a prompt of the user, and not one that the CLI has created.
fn prompt<'a>(message: &Message, text: Option<&'a str>) -> Option<&'a str> {
    #[derive(Default, serde::Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct Marks {
        is_meta: bool,
        is_compact_summary: bool,
    }
    let marks: Marks = serde_json::from_str(message.raw().get()).unwrap_or_default();
    text.filter(|text| !text.is_empty() && !marks.is_meta && !marks.is_compact_summary)
}
