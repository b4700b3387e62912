//! Pins server and client to one processor.

use anyhow::{Context, Result};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

/// While this value exists, this thread and the processes it starts run on one processor.
#[derive(Debug)]
pub(crate) struct Pinned(CpuSet);

impl Pinned {
    /// Pins to the last processor that this process may use. The first ones have more other work.
    pub(crate) fn new() -> Result<Pinned> {
        let this = Pid::from_raw(0);
        let all = sched_getaffinity(this)?;
        let last = (0..CpuSet::count()).rev().find(|cpu| all.is_set(*cpu) == Ok(true)).context("there is a processor")?;
        let mut one = CpuSet::new();
        one.set(last)?;
        sched_setaffinity(this, &one)?;
        Ok(Pinned(all))
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        let _ = sched_setaffinity(Pid::from_raw(0), &self.0);
    }
}

#[cfg(test)]
mod tests {
    use nix::sched::{CpuSet, sched_getaffinity};
    use nix::unistd::Pid;

    use super::Pinned;

    #[test]
    fn a_pinned_thread_has_one_processor_and_gets_the_others_back() {
        let mine = || sched_getaffinity(Pid::from_raw(0)).unwrap();
        let count = |set: &CpuSet| (0..CpuSet::count()).filter(|cpu| set.is_set(*cpu) == Ok(true)).count();
        let before = mine();
        let pinned = Pinned::new().unwrap();
        assert_eq!(count(&mine()), 1);
        drop(pinned);
        assert_eq!(count(&mine()), count(&before));
    }
}
