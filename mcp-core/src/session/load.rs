//! The load of a session: the number of its running calls, and the bytes of their arguments.

use std::mem;
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

/// The share of one call in the load, until this is dropped or [carried](Share::carried).
#[derive(Debug)]
pub(crate) struct Share<'a> {
    load: &'a Load,
    bytes: usize,
}

impl Load {
    /// Adds a call with this many bytes of arguments, if the limits allow it.
    ///
    /// The limit on bytes does not apply to the only call with arguments, so that one large call is always possible.
    ///
    /// The counters are increased before they are compared with the limits. A call that is rejected may therefore cause a
    /// concurrent call to be rejected too, but the limits are never exceeded.
    pub(crate) fn take_on(&self, bytes: usize, limits: &Limits) -> Result<Share<'_>, RpcError> {
        let calls = self.calls.fetch_add(1, Ordering::Relaxed);
        let held = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        // On an early return, dropping the share decreases the counters again.
        let share = Share { load: self, bytes };
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

    /// Removes a call with this many bytes of arguments.
    pub(crate) fn put_down(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.calls.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Share<'_> {
    /// Returns the bytes of arguments and does not remove the call from the load: the caller must call [`Load::put_down`].
    pub(crate) fn carried(self) -> usize {
        let bytes = self.bytes;
        mem::forget(self);
        bytes
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.load.put_down(self.bytes);
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
        let (load, limits) = (Load::default(), limits(3, 100));
        let first = load.take_on(60, &limits).unwrap();
        assert_eq!(load.take_on(41, &limits).unwrap_err().code, Code::BUSY);
        let second = load.take_on(40, &limits).unwrap();
        let third = load.take_on(0, &limits).unwrap();
        assert!(load.take_on(0, &limits).unwrap_err().message.contains("3 calls are in flight, limit 3"));
        drop((first, third));
        assert!(load.take_on(60, &limits).is_ok());
        load.put_down(second.carried());
        assert_eq!((load.calls.into_inner(), load.bytes.into_inner()), (0, 0));
    }

    #[test]
    fn the_only_call_with_arguments_may_exceed_the_limit_on_bytes() {
        let load = Load::default();
        assert!(load.take_on(1000, &limits(3, 100)).is_ok());
        let _nothing = load.take_on(0, &limits(3, 100)).unwrap();
        let _heavy = load.take_on(1000, &limits(3, 100)).unwrap();
        assert!(load.take_on(1, &limits(3, 100)).is_err());
    }

    #[test]
    fn of_concurrent_large_calls_only_one_is_accepted() {
        for _ in 0..200 {
            let (load, limits) = (Load::default(), limits(8, 100));
            let taken = thread::scope(|scope| {
                let calls: Vec<_> = (0..4).map(|_| scope.spawn(|| load.take_on(60, &limits).map(Share::carried))).collect();
                calls.into_iter().map(|call| call.join().unwrap()).filter(Result::is_ok).count()
            });
            assert_eq!(taken, 1);
            assert_eq!(load.bytes.into_inner(), 60);
        }
    }
}
