//! What the calls of a session weigh, from their beginning until nothing of them is left.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::jsonrpc::{Code, RpcError};
use crate::limits::Limits;

/// The calls that a session has taken on, and the bytes of their arguments.
///
/// A call that was cancelled goes on to count while its function still runs, or still waits for a thread with its arguments in
/// hand: else a client that calls and cancels without end could fill the memory.
#[derive(Debug, Default)]
pub(crate) struct Load(Mutex<Weight>);

#[derive(Debug, Default)]
struct Weight {
    calls: usize,
    bytes: usize,
}

/// What one call adds to the load, until this is dropped or somebody carries it.
#[derive(Debug)]
pub(crate) struct Share<'a> {
    load: &'a Load,
    bytes: usize,
}

impl Load {
    /// Takes on a call with that many bytes of arguments, within the limits. A call alone is never too heavy.
    pub(crate) fn take_on(&self, bytes: usize, limits: &Limits) -> Result<Share<'_>, RpcError> {
        let mut weight = self.lock();
        let (calls, held) = (weight.calls, weight.bytes);
        if calls >= limits.in_flight {
            return Err(busy(format!("{calls} calls are at work, limit {}", limits.in_flight)));
        }
        if calls > 0 && held.saturating_add(bytes) > limits.in_flight_bytes {
            let limit = limits.in_flight_bytes;
            return Err(busy(format!(
                "the arguments of the calls at work have {held} bytes, {bytes} more are over the limit of {limit}"
            )));
        }
        weight.calls += 1;
        weight.bytes += bytes;
        Ok(Share { load: self, bytes })
    }

    /// Puts down a call with that many bytes of arguments.
    pub(crate) fn put_down(&self, bytes: usize) {
        let mut weight = self.lock();
        weight.calls -= 1;
        weight.bytes -= bytes;
    }

    /// Nothing panics while the lock is held, so a poisoned one is as good as new.
    fn lock(&self) -> MutexGuard<'_, Weight> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
        let weight = load.lock();
        assert_eq!((weight.calls, weight.bytes), (0, 0));
    }

    #[test]
    fn a_call_alone_is_never_too_heavy() {
        let load = Load::default();
        assert!(load.take_on(1000, &limits(3, 100)).is_ok());
    }
}
