//! A descriptor that can be read when a time is up, where the system has such.

#[cfg(target_os = "linux")]
pub(crate) use linux::Timer;
#[cfg(not(target_os = "linux"))]
pub(crate) use other::Timer;

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
    use std::time::Duration;

    use rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
    };

    #[derive(Debug)]
    pub(crate) struct Timer(OwnedFd);

    impl Timer {
        pub(crate) fn new() -> io::Result<Timer> {
            let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
            Ok(Timer(timerfd_create(TimerfdClockId::Monotonic, flags)?))
        }

        /// Begins anew with that time. False if it cannot.
        pub(crate) fn start(&self, time: Duration) -> bool {
            let Ok(it_value) = Timespec::try_from(time) else {
                return false;
            };
            let once = Itimerspec { it_interval: Timespec { tv_sec: 0, tv_nsec: 0 }, it_value };
            timerfd_settime(&self.0, TimerfdTimerFlags::empty(), &once).is_ok()
        }

        /// What can be read when the time is up.
        pub(crate) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
            Some(self.0.as_fd())
        }

        /// Forgets that the time was up.
        pub(crate) fn clear(&self) {
            // It has nothing to say while the time is not up.
            let _ = rustix::io::read(&self.0, &mut [0_u8; 8]);
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::io;
    use std::os::fd::BorrowedFd;
    use std::time::Duration;

    #[derive(Debug)]
    pub(crate) struct Timer;

    impl Timer {
        pub(crate) fn new() -> io::Result<Timer> {
            Ok(Timer)
        }

        pub(crate) fn start(&self, _: Duration) -> bool {
            false
        }

        pub(crate) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
            None
        }

        pub(crate) fn clear(&self) {}
    }
}
