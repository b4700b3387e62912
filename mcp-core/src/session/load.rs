//! The load of a session: the number of its running calls, and the bytes of their arguments.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::jsonrpc::{Code, RpcError};
use crate::server::limits::Limits;

/// Counts the calls of a session and the bytes of their arguments, to enforce the [`Limits`].
///
/// A cancelled call still counts while its function runs or its arguments wait for a thread. Otherwise a client that calls and
/// cancels in a loop could fill the memory.
#[derive(Debug, Default)]
pub(crate) struct Load {
    calls: AtomicUsize,
    bytes: AtomicUsize,
}

/// The share of one call in the load of its session. Dropping it removes the call from the load.
#[derive(Debug)]
pub(crate) struct Share {
    load: Arc<Load>,
    bytes: usize,
}

impl Load {
    /// Adds a call with this many bytes of arguments, if the limits allow it.
    ///
    /// The limit on bytes does not apply to the only call with arguments, so that one large call is always possible.
    ///
    /// The counters are increased before they are compared with the limits. A call that is rejected may therefore cause a
    /// concurrent call to be rejected too, but the limits are never exceeded.
    pub(crate) fn add(self: &Arc<Load>, bytes: usize, limits: &Limits) -> Result<Share, RpcError> {
        let calls = self.calls.fetch_add(1, Ordering::Relaxed);
        let held = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        // On an early return, dropping the share decreases the counters again.
        let share = Share { load: self.clone(), bytes };
        if calls >= limits.in_flight {
            return Err(busy(format!("{calls} calls are in flight, limit {}", limits.in_flight)));
        }
        // Of several concurrent calls only one can see `held == 0`.
        if held > 0 && held.saturating_add(bytes) > limits.in_flight_bytes {
            let limit = limits.in_flight_bytes;
            return Err(busy(format!(
                "the arguments of calls in flight have {held} bytes, {bytes} more exceed the limit of {limit}"
            )));
        }
        Ok(share)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.load.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
        self.load.calls.fetch_sub(1, Ordering::Relaxed);
    }
}

fn busy(why: String) -> RpcError {
    RpcError::new(Code::BUSY, format!("the server is busy: {why}; retry when some calls have ended"))
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn limits(in_flight: usize, in_flight_bytes: usize) -> Limits {
        Limits { in_flight, in_flight_bytes, ..Limits::default() }
    }

    #[test]
    fn calls_and_bytes_over_the_limit_are_rejected_until_others_end() {
        let (load, limits) = (Arc::<Load>::default(), limits(3, 100));
        let first = load.add(60, &limits).unwrap();
        assert_eq!(load.add(41, &limits).unwrap_err().code, Code::BUSY);
        let second = load.add(40, &limits).unwrap();
        let third = load.add(0, &limits).unwrap();
        assert!(load.add(0, &limits).unwrap_err().message.contains("3 calls are in flight, limit 3"));
        drop((first, third));
        assert!(load.add(60, &limits).is_ok());
        drop(second);
        assert_eq!((load.calls.load(Ordering::Relaxed), load.bytes.load(Ordering::Relaxed)), (0, 0));
    }

    #[test]
    fn the_only_call_with_arguments_may_exceed_the_limit_on_bytes() {
        let load = Arc::<Load>::default();
        assert!(load.add(1000, &limits(3, 100)).is_ok());
        let _nothing = load.add(0, &limits(3, 100)).unwrap();
        let _heavy = load.add(1000, &limits(3, 100)).unwrap();
        assert!(load.add(1, &limits(3, 100)).is_err());
    }

    #[test]
    fn of_concurrent_large_calls_only_one_is_accepted() {
        for _ in 0..200 {
            let (load, limits) = (Arc::<Load>::default(), limits(8, 100));
            let accepted: Vec<Share> = thread::scope(|scope| {
                let calls: Vec<_> = (0..4).map(|_| scope.spawn(|| load.add(60, &limits))).collect();
                calls.into_iter().map(|call| call.join().unwrap()).filter_map(Result::ok).collect()
            });
            assert_eq!(accepted.len(), 1);
            assert_eq!(load.bytes.load(Ordering::Relaxed), 60);
        }
    }
}
