//! Waking the thread that watches over a server, from other threads and from signal handlers.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::sys::timer::Timer;

/// A bell that one thread listens for.
///
/// A descriptor instead of a condition variable, because a signal handler can ring it too.
#[derive(Debug)]
pub(crate) struct Wakeup {
    sender: UnixStream,
    receiver: UnixStream,
    timer: Timer,
}

impl Wakeup {
    pub(crate) fn new() -> io::Result<Wakeup> {
        let (sender, receiver) = UnixStream::pair()?;
        sender.set_nonblocking(true)?;
        receiver.set_nonblocking(true)?;
        Ok(Wakeup { sender, receiver, timer: Timer::new()? })
    }

    /// Wakes whoever waits, or the next one to wait.
    pub(crate) fn wake(&self) {
        // It can only fail when it is full, and then it has been rung often enough.
        let _ = (&self.sender).write(&[1]);
    }

    /// Wakes whoever waits, or the next one to wait, when the time is up; where the system cannot do that, at once.
    ///
    /// Until then nobody is woken, and no processor but ours has anything to do.
    pub(crate) fn wake_in(&self, time: Duration) {
        if !self.timer.start(time) {
            self.wake();
        }
    }

    /// A second rope for the same bell, for signal handlers.
    pub(crate) fn duplicate_sender(&self) -> io::Result<OwnedFd> {
        Ok(self.sender.try_clone()?.into())
    }

    /// Waits until it rings, or until the time is up.
    pub(crate) fn wait(&self, time: Option<Duration>) {
        let receiver = PollFd::new(&self.receiver, PollFlags::IN);
        let rings = match self.timer.descriptor() {
            Some(timer) => self.poll(&mut [receiver, PollFd::from_borrowed_fd(timer, PollFlags::IN)], time),
            None => self.poll(&mut [receiver], time),
        };
        if rings {
            self.clear();
        }
    }

    /// Waits until there is something to read, and says so; or until it rings at once, or until the time is up.
    pub(crate) fn wait_for_input(&self, input: &impl AsFd, time: Option<Duration>) -> bool {
        let mut both = [PollFd::new(&self.receiver, PollFlags::IN), PollFd::new(input, PollFlags::IN)];
        if !self.poll(&mut both, time) {
            return false;
        }
        let [receiver, input] = both.map(|one| !one.revents().is_empty());
        if receiver {
            self.clear();
        }
        input && !receiver
    }

    fn poll(&self, descriptors: &mut [PollFd<'_>], time: Option<Duration>) -> bool {
        let time = time.and_then(|time| Timespec::try_from(time).ok());
        poll(descriptors, time.as_ref()).is_ok_and(|events| events > 0)
    }

    fn clear(&self) {
        let mut rings = [0; 64];
        while (&self.receiver).read(&mut rings).is_ok_and(|length| length == rings.len()) {}
        self.timer.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_ring_before_the_wait_is_heard_and_heard_once() {
        let wakeup = Wakeup::new().unwrap();
        for _ in 0..1000 {
            wakeup.wake();
        }
        let start = Instant::now();
        wakeup.wait(Some(Duration::from_secs(60)));
        assert!(start.elapsed() < Duration::from_secs(30));
        let start = Instant::now();
        wakeup.wait(Some(Duration::from_millis(20)));
        assert!(start.elapsed() >= Duration::from_millis(20));
    }

    #[test]
    fn a_ring_to_come_is_heard_when_it_comes_and_heard_once() {
        let (wakeup, start) = (Wakeup::new().unwrap(), Instant::now());
        for time in [30, 40] {
            wakeup.wake_in(Duration::from_millis(time));
        }
        wakeup.wait(Some(Duration::from_secs(60)));
        let waited = start.elapsed();
        assert!(waited < Duration::from_secs(30));
        assert!(cfg!(not(target_os = "linux")) || waited >= Duration::from_millis(40), "the later one counts: {waited:?}");
        let start = Instant::now();
        wakeup.wait(Some(Duration::from_millis(20)));
        assert!(start.elapsed() >= Duration::from_millis(20));
    }

    #[test]
    fn a_ring_comes_before_what_there_is_to_read() {
        let wakeup = Wakeup::new().unwrap();
        let (reader, mut writer) = std::io::pipe().unwrap();
        assert!(!wakeup.wait_for_input(&reader, Some(Duration::from_millis(1))), "there is nothing");
        writer.write_all(b"x").unwrap();
        assert!(wakeup.wait_for_input(&reader, None));
        wakeup.wake();
        assert!(!wakeup.wait_for_input(&reader, None), "it rings");
        assert!(wakeup.wait_for_input(&reader, None), "it has rung");
    }
}
