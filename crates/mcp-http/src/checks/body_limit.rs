//! Reads request bodies within limits on size, time and total memory.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use http::{HeaderMap, StatusCode, header::CONTENT_LENGTH};
use http_body::Body;
use http_body_util::BodyExt;
use tokio::time::timeout;

use crate::limits::{LARGE_BODIES, PARTS, SMALL_BODY};
use crate::peer::Client;
use crate::quota::{Quota, Share};
use crate::responses::Refusal;

/// Reads bodies. Bodies above [`SMALL_BODY`] share a memory budget of [`LARGE_BODIES`], of which each client has a part.
#[derive(Debug)]
pub(crate) struct BodyLimit {
    max_bytes: usize,
    timeout: Duration,
    budget: Arc<Quota>,
}

/// A body that has been read, and its share of the memory budget, which is returned on drop.
#[derive(Debug)]
pub(crate) struct RequestBody {
    pub(crate) bytes: Bytes,
    _share: Option<Share>,
}

impl BodyLimit {
    pub(crate) fn new(max_bytes: usize, timeout: Duration) -> BodyLimit {
        // The budget has room for at least one body of the maximum size.
        let budget = Quota::new(LARGE_BODIES.max(max_bytes), (LARGE_BODIES / PARTS).max(max_bytes));
        BodyLimit { max_bytes, timeout, budget }
    }

    /// Reads a body of `client` to its end.
    pub(crate) async fn read<B: Body>(&self, client: &Client, headers: &HeaderMap, body: B) -> Result<RequestBody, Refusal> {
        let announced = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        if announced.is_some_and(|length| length > self.max_bytes as u64) {
            return Err(self.too_large());
        }
        let mut reading = pin!(self.collect(client, body));
        // Most bodies arrive together with the headers. They need no timer.
        if let Poll::Ready(taken) = poll_fn(|task| Poll::Ready(reading.as_mut().poll(task))).await {
            return taken;
        }
        match timeout(self.timeout, reading).await {
            Ok(taken) => taken,
            Err(_) => Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request body did not arrive in time")),
        }
    }

    async fn collect<B: Body>(&self, client: &Client, body: B) -> Result<RequestBody, Refusal> {
        let (mut body, mut whole, mut share) = (pin!(body), BytesMut::new(), None);
        while let Some(frame) = body.frame().await {
            let frame = frame
                .map_err(|_| Refusal::new(StatusCode::BAD_REQUEST, "the request body ended before its announced length"))?;
            let Ok(mut data) = frame.into_data() else { continue };
            let length = whole.len() + data.remaining();
            if length > self.max_bytes {
                return Err(self.too_large());
            }
            self.claim(&mut share, client, length)?;
            if whole.is_empty() && body.is_end_stream() {
                // A body of one frame is not copied. A body of several frames is, so that it does not keep their buffers alive.
                return Ok(RequestBody { bytes: data.copy_to_bytes(data.remaining()), _share: share });
            }
            whole.put(data);
        }
        Ok(RequestBody { bytes: whole.freeze(), _share: share })
    }

    /// Extends `share` until it covers `length` bytes; refuses if the budget is used up.
    fn claim(&self, share: &mut Option<Share>, client: &Client, length: usize) -> Result<(), Refusal> {
        if length <= SMALL_BODY {
            return Ok(());
        }
        let claimed = match share {
            Some(share) => share.grow_to(length),
            None => self.budget.take(client, length).map(|taken| *share = Some(taken)),
        };
        claimed.map_err(|exceeded| Refusal::over_limit(exceeded, "large requests"))
    }

    fn too_large(&self) -> Refusal {
        Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("the request body exceeds the limit of {} bytes", self.max_bytes),
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::convert::Infallible;
    use std::pin::Pin;
    use std::task::Context;

    use http_body::Frame;
    use http_body_util::Full;

    use super::*;

    struct Pieces(VecDeque<&'static str>);

    impl Body for Pieces {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Ready(self.0.pop_front().map(|piece| Ok(Frame::data(Bytes::from(piece)))))
        }
    }

    #[tokio::test]
    async fn the_frames_of_a_body_are_joined() {
        let limit = BodyLimit::new(1 << 10, Duration::from_secs(60));
        for pieces in [vec![], vec!["{}"], vec!["", "{", "", "}"], vec!["{", "\"a\"", ":1", "}", ""]] {
            let taken = limit.read(&Client::Unknown, &HeaderMap::new(), Pieces(pieces.clone().into())).await.unwrap();
            assert_eq!(taken.bytes, pieces.concat().as_bytes(), "{pieces:?}");
        }
    }

    #[tokio::test]
    async fn large_bodies_share_a_budget_and_return_it() {
        let limit = BodyLimit::new(LARGE_BODIES, Duration::from_secs(60));
        let body = |length: usize| Full::new(Bytes::from(vec![b' '; length]));
        let large = limit.read(&Client::Unknown, &HeaderMap::new(), body(LARGE_BODIES - (1 << 20))).await.unwrap();
        let small = limit.read(&Client::Unknown, &HeaderMap::new(), body(SMALL_BODY)).await.unwrap();
        assert_eq!(small.bytes.len(), SMALL_BODY);
        assert!(limit.read(&Client::Unknown, &HeaderMap::new(), body(2 << 20)).await.is_err());
        drop(large);
        assert!(limit.read(&Client::Unknown, &HeaderMap::new(), body(2 << 20)).await.is_ok());
        assert!(limit.read(&Client::Unknown, &HeaderMap::new(), body(LARGE_BODIES + 1)).await.is_err());
    }
}
