//! The list of earlier sessions.

use std::time::UNIX_EPOCH;

use serde_json::{Value, json};

use crate::shared::Shared;

/// How many sessions are listed.
const MAX_LISTED: usize = 50;

/// Returns the sessions that can be resumed, newest first. Empty without a history.
pub(crate) async fn list(shared: &Shared) -> Vec<Value> {
    let Some((history, cwd)) = shared.history.clone() else {
        return Vec::new();
    };
    let read = tokio::task::spawn_blocking(move || history.sessions_of(cwd));
    let sessions = match read.await {
        Ok(Ok(sessions)) => sessions,
        Ok(Err(error)) => {
            tracing::warn!(%error, "cannot list the stored sessions");
            return Vec::new();
        }
        Err(_) => return Vec::new(),
    };
    let shown = sessions.into_iter().filter(|session| crate::command::is_uuid(&session.id)).take(MAX_LISTED);
    shown
        .map(|session| {
            let modified = session.modified.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
            let title: String = session.label().unwrap_or_default().chars().take(200).collect();
            json!({"id": session.id, "title": title, "modified": u64::try_from(modified).unwrap_or(u64::MAX)})
        })
        .collect()
}
