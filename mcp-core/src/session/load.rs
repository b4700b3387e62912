//! What the calls of a session weigh, from their beginning until nothing of them is left.

use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::jsonrpc::{Code, RpcError};
use crate::server::limits::Limits;

/// The calls that a session has taken on, and the bytes of their arguments.
///
/// A call that was cancelled goes on to count while its function still runs, or still waits for a thread with its arguments in
/// hand: else a client that calls and cancels without end could fill the memory.
#[derive(Debug, Default)]
pub(crate) struct Load {
    calls: AtomicUsize,
    bytes: AtomicUsize,
}

/// What one call adds to the load, until this is dropped or somebody carries it.
#[derive(Debug)]
pub(crate) struct Share<'a> {
    load: &'a Load,
    bytes: usize,
}

impl Load {
    /// Takes on a call with that many bytes of arguments, within the limits. The only one that has any is never too heavy.
    ///
    /// It counts before it is looked at, so one that is refused may for a moment cost another its place; never are there
    /// more than the limits allow.
    pub(crate) fn take_on(&self, bytes: usize, limits: &Limits) -> Result<Share<'_>, RpcError> {
        let calls = self.calls.fetch_add(1, Ordering::Relaxed);
        let held = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        // Puts it down again unless it is carried on.
        let share = Share { load: self, bytes };
        if calls >= limits.in_flight {
            return Err(busy(format!("{calls} calls are at work, limit {}", limits.in_flight)));
        }
        // Of several that come at the same moment only one finds nothing held.
        if held > 0 && held.saturating_add(bytes) > limits.in_flight_bytes {
            let limit = limits.in_flight_bytes;
            return Err(busy(format!(
                "the arguments of the calls at work have {held} bytes, {bytes} more are over the limit of {limit}"
            )));
        }
        Ok(share)
    }

    /// Puts down a call with that many bytes of arguments.
    pub(crate) fn put_down(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.calls.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Share<'_> {
    /// How many bytes of arguments it is. Whoever carries them [puts them down](Load::put_down).
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
    RpcError::new(Code::BUSY, format!("the server is busy: {why}; try again when some have ended"))
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn limits(in_flight: usize, in_flight_bytes: usize) -> Limits {
        Limits { in_flight, in_flight_bytes, ..Limits::default() }
    }

    #[test]
    fn calls_and_bytes_over_the_limit_are_refused_until_others_end() {
        let (load, limits) = (Load::default(), limits(3, 100));
        let first = load.take_on(60, &limits).unwrap();
        assert_eq!(load.take_on(41, &limits).unwrap_err().code, Code::BUSY);
        let second = load.take_on(40, &limits).unwrap();
        let third = load.take_on(0, &limits).unwrap();
        assert!(load.take_on(0, &limits).unwrap_err().message.contains("3 calls are at work, limit 3"));
        drop((first, third));
        assert!(load.take_on(60, &limits).is_ok());
        load.put_down(second.carried());
        assert_eq!((load.calls.into_inner(), load.bytes.into_inner()), (0, 0));
    }

    #[test]
    fn a_call_alone_is_never_too_heavy() {
        let load = Load::default();
        assert!(load.take_on(1000, &limits(3, 100)).is_ok());
        let _nothing = load.take_on(0, &limits(3, 100)).unwrap();
        let _heavy = load.take_on(1000, &limits(3, 100)).unwrap();
        assert!(load.take_on(1, &limits(3, 100)).is_err());
    }

    #[test]
    fn of_heavy_calls_that_come_at_the_same_moment_one_is_taken_at_most() {
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
