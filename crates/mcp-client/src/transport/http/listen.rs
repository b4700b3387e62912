//! The stream of messages that answer no request, in revisions with a handshake.

use std::sync::{Arc, Weak};

use reqwest::{Method, Response};
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::events::Decoder;
use super::{HttpLink, MOST_RESUMES, Pumped, headers, retry_delay};
use crate::transport::Failure;

/// Reads the stream, and opens it again whenever it ends. Returns if the server has none, or the connection is gone.
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
                match strong.pump(&mut response, &mut decoder, None).await {
                    Pumped::Answered => return,
                    Pumped::Ended { events, .. } => failures = if events > 0 { 0 } else { failures + 1 },
                }
            }
            Err(Failure::Lost { .. }) => failures += 1,
            Err(Failure::SessionGone) => return strong.inbox.lose("the server has forgotten the session"),
            Err(failure) => {
                // Most often status 405: the server has nothing to say beside its answers.
                tracing::debug!(reason = %failure, "the server has no stream of messages");
                return;
            }
        }
        if failures >= MOST_RESUMES {
            tracing::warn!("the stream of messages ends each time it is opened: notifications of the server are not seen");
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
