//! SIGTERM and SIGINT ask a server to end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::low_level::{pipe, unregister};
use signal_hook::{SigId, flag};

use crate::sys::wakeup::Wakeup;

/// Listens for SIGTERM and SIGINT as long as it lives.
///
/// The first one rings the alarm; the second one ends the process on the spot, for those who do not want to wait.
#[derive(Debug)]
pub(crate) struct Signals {
    received: Arc<AtomicUsize>,
    actions: Vec<SigId>,
}

impl Signals {
    pub(crate) fn listen(wakeup: &Wakeup) -> io::Result<Signals> {
        let (received, again) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let mut signals = Signals { received: received.clone(), actions: Vec::new() };
        for signal in [SIGTERM, SIGINT] {
            // They run in this order, so the first signal finds `again` still unset.
            signals.actions.push(flag::register_conditional_shutdown(signal, 128 + signal, again.clone())?);
            signals.actions.push(flag::register(signal, again.clone())?);
            signals.actions.push(flag::register_usize(signal, received.clone(), usize::try_from(signal).unwrap_or(0))?);
            signals.actions.push(pipe::register(signal, wakeup.duplicate_sender()?)?);
        }
        Ok(signals)
    }

    /// The signal that came, if one did.
    pub(crate) fn received(&self) -> Option<i32> {
        i32::try_from(self.received.load(Ordering::Acquire)).ok().filter(|signal| *signal != 0)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for action in self.actions.drain(..) {
            unregister(action);
        }
    }
}
