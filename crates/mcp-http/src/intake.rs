//! Reading the body of a request: so much, so long, and not too many at once.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use http::{HeaderMap, StatusCode, header::CONTENT_LENGTH};
use http_body::Body;
use http_body_util::BodyExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::refusal::Refusal;

/// What every body may have without asking.
const FREE: usize = 16 << 10;

/// What the larger ones may have together, in units of [`UNIT`].
const BUDGET: usize = 64 << 20;

/// How much of the budget is taken at a time.
const UNIT: usize = 64 << 10;

/// The way in for bodies.
#[derive(Debug)]
pub(crate) struct Intake {
    limit: usize,
    time: Duration,
    budget: Arc<Semaphore>,
}

/// A body that has been read, and its share of the budget.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) bytes: Bytes,
    _share: Option<OwnedSemaphorePermit>,
}

impl Intake {
    pub(crate) fn new(limit: usize, time: Duration) -> Intake {
        // However large the limit, one body fits.
        let units = BUDGET.max(limit).div_ceil(UNIT).min(Semaphore::MAX_PERMITS);
        Intake { limit, time, budget: Arc::new(Semaphore::new(units)) }
    }

    /// Reads a body whole.
    pub(crate) async fn read<B: Body>(&self, headers: &HeaderMap, body: B) -> Result<Taken, Refusal> {
        let announced = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        if announced.is_some_and(|length| length > self.limit as u64) {
            return Err(self.too_large());
        }
        let mut reading = pin!(self.collect(body));
        // Most bodies come with their heads, and need no clock.
        if let Poll::Ready(taken) = poll_fn(|task| Poll::Ready(reading.as_mut().poll(task))).await {
            return taken;
        }
        match timeout(self.time, reading).await {
            Ok(taken) => taken,
            Err(_) => Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body took too long to come")),
        }
    }

    async fn collect<B: Body>(&self, body: B) -> Result<Taken, Refusal> {
        let (mut body, mut whole, mut share) = (pin!(body), BytesMut::new(), None);
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| Refusal::new(StatusCode::BAD_REQUEST, "the body ended early"))?;
            let Ok(mut data) = frame.into_data() else { continue };
            let length = whole.len() + data.remaining();
            if length > self.limit {
                return Err(self.too_large());
            }
            self.claim(&mut share, length)?;
            if whole.is_empty() && body.is_end_stream() {
                // Most bodies come in one piece. One that is waited for is copied, so as not to keep the buffer it came in.
                return Ok(Taken { bytes: data.copy_to_bytes(data.remaining()), _share: share });
            }
            whole.put(data);
        }
        Ok(Taken { bytes: whole.freeze(), _share: share })
    }

    /// Sees to it that the share covers that many bytes.
    fn claim(&self, share: &mut Option<OwnedSemaphorePermit>, length: usize) -> Result<(), Refusal> {
        let needed = length.saturating_sub(FREE).div_ceil(UNIT);
        let held = share.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let Some(more) = needed.checked_sub(held).filter(|more| *more > 0) else {
            return Ok(());
        };
        let more = u32::try_from(more).ok().and_then(|more| self.budget.clone().try_acquire_many_owned(more).ok());
        let more = more.ok_or_else(|| Refusal::busy("too many large requests at once"))?;
        match share {
            Some(share) => share.merge(more),
            None => *share = Some(more),
        }
        Ok(())
    }

    fn too_large(&self) -> Refusal {
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, format!("a message may have {} bytes", self.limit))
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
    async fn a_body_is_the_same_in_however_many_pieces_it_comes() {
        let intake = Intake::new(1 << 10, Duration::from_secs(60));
        for pieces in [vec![], vec!["{}"], vec!["", "{", "", "}"], vec!["{", "\"a\"", ":1", "}", ""]] {
            let taken = intake.read(&HeaderMap::new(), Pieces(pieces.clone().into())).await.unwrap();
            assert_eq!(taken.bytes, pieces.concat().as_bytes(), "{pieces:?}");
        }
    }

    #[tokio::test]
    async fn large_bodies_share_a_budget_and_give_it_back() {
        let intake = Intake::new(BUDGET, Duration::from_secs(60));
        let body = |length: usize| Full::new(Bytes::from(vec![b' '; length]));
        let large = intake.read(&HeaderMap::new(), body(BUDGET - (1 << 20))).await.unwrap();
        let small = intake.read(&HeaderMap::new(), body(FREE)).await.unwrap();
        assert_eq!(small.bytes.len(), FREE);
        assert!(intake.read(&HeaderMap::new(), body(2 << 20)).await.is_err());
        drop(large);
        assert!(intake.read(&HeaderMap::new(), body(2 << 20)).await.is_ok());
        assert!(intake.read(&HeaderMap::new(), body(BUDGET + 1)).await.is_err());
    }
}
