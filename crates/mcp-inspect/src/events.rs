//! Sends the journal and the open questions to the page, as server-sent events.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use bytes::Bytes;
use serde_json::Value;

use crate::App;
use crate::lines::{self, Writer};

/// The shortest time between two batches, so that a flood of messages does not overload the page.
const PAUSE: Duration = Duration::from_millis(50);

/// The time after which a comment is sent, so that a browser that is gone is noticed.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Returns a stream of the events after the entry with this number.
pub(crate) fn stream(app: Arc<App>, after: u64) -> Response {
    let (writer, response) = lines::response("text/event-stream");
    tokio::spawn(send_all(app, after, writer));
    response
}

/// Sends events until the browser is gone.
async fn send_all(app: Arc<App>, mut last: u64, writer: Writer) {
    let (journal, questions) = (&app.connection.journal, &app.connection.questions);
    let (mut entries, mut asked) = (journal.changes(), questions.changes());
    let mut shown = None;
    loop {
        entries.mark_unchanged();
        asked.mark_unchanged();
        let open = questions.all();
        if shown.as_ref() != Some(&open) {
            if send(&writer, "questions", &open.to_string()).await.is_err() {
                return;
            }
            shown = Some(open);
        }
        if let Some((number, batch)) = journal.after(last) {
            last = number;
            if send(&writer, "entries", &batch).await.is_err() {
                return;
            }
            tokio::time::sleep(PAUSE).await;
            continue;
        }
        tokio::select! {
            _ = entries.changed() => {}
            _ = asked.changed() => {}
            () = writer.closed() => return,
            () = tokio::time::sleep(HEARTBEAT) => {
                if writer.send(Bytes::from_static(b":\n\n")).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Sends an event. JSON text has no line breaks, so it is one line of data.
async fn send(writer: &Writer, name: &str, json: &str) -> Result<(), ()> {
    debug_assert!(serde_json::from_str::<Value>(json).is_ok());
    writer.send(Bytes::from(format!("event: {name}\ndata: {json}\n\n"))).await.map_err(drop)
}
