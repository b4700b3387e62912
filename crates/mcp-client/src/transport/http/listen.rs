//! The event stream for requests and notifications of the server, in revisions with a handshake.

use std::sync::{Arc, Weak};

use reqwest::{Method, Response};
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::events::Decoder;
use super::{HttpLink, MOST_RESUMES, StreamEnd, headers, retry_delay};
use crate::transport::Failure;

/// Reads the stream, and opens it again when it ends. Returns if the server has no such stream, or the connection is closed.
///
/// Sends to `opened` when the stream is open for the first time.
pub(super) async fn listen(link: Weak<HttpLink>, opened: oneshot::Sender<()>) {
    let mut opened = Some(opened);
    let mut failures = 0;
    let mut decoder = match link.upgrade() {
        Some(link) => Decoder::new(link.endpoint.limit),
        None => return,
    };
    loop {
        let Some(strong) = link.upgrade().filter(|link| !link.inbox.is_gone()) else { return };
        match open(&strong, decoder.last_id()).await {
            Ok(mut response) => {
                let _ = opened.take().map(|opened| opened.send(()));
                decoder = Decoder::after(&decoder, strong.endpoint.limit);
                match strong.read_chunks(&mut response, &mut decoder, None).await {
                    StreamEnd::Answered => return,
                    StreamEnd::Ended { events, .. } => failures = if events > 0 { 0 } else { failures + 1 },
                }
            }
            Err(Failure::Lost { .. }) => failures += 1,
            Err(Failure::SessionGone) => return strong.inbox.lose("the server has forgotten the session"),
            Err(failure) => {
                // Usually status 405: the server has no such stream.
                tracing::debug!(reason = %failure, "the server has no event stream for notifications");
                return;
            }
        }
        if failures >= MOST_RESUMES {
            tracing::warn!("the event stream ends each time it is opened: notifications of the server are lost");
            return;
        }
        drop(strong);
        sleep(retry_delay(&decoder)).await;
    }
}

async fn open(link: &Arc<HttpLink>, last_event: Option<&str>) -> Result<Response, Failure> {
    let mut headers = headers::of_get(link.revision.get().copied(), last_event);
    link.add_session(&mut headers);
    let response = link.endpoint.send(Method::GET, &link.endpoint.url, headers, Vec::new(), &link.inbox).await;
    response.map_err(|failure| link.meaning(failure))
}
