//! Messages of the CLI that were not read yet.
//!
//! Messages and requests of the CLI come over one pipe, so reading cannot stop when nobody reads the messages: the requests
//! would not be answered. Therefore the waiting messages are bounded here.

mod file;
mod queue;

pub(crate) use queue::{Overflow, UnreadReceiver, UnreadSender, unread};

/// The default limit of messages that wait in memory, in bytes of their JSON text.
const MEMORY: usize = 16 << 20;

/// The default limit of messages that wait in a file.
const FILE: u64 = 1 << 30;

/// What happens to messages of the CLI that the program does not read.
///
/// Up to `memory` bytes wait in memory. When half of them are used, partial messages are dropped, because the complete messages
/// follow; [`Messages::dropped_partials`](crate::Messages::dropped_partials) counts them. When all are used, the further
/// messages wait in a temporary file, or the turn is interrupted. If even that is not enough, the session ends with an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unread {
    memory: usize,
    file: u64,
}

impl Unread {
    /// Writes the messages that do not fit in memory to a temporary file that only this user can read. The file is removed with
    /// the session. At most 1 GiB is written, or what [`max_file`](Self::max_file) says. This is the default.
    pub fn spill() -> Self {
        Self { memory: MEMORY, file: FILE }
    }

    /// Interrupts the turn when the memory is used. The messages that the CLI still sends use up to as much memory again.
    pub fn interrupt() -> Self {
        Self { memory: MEMORY, file: 0 }
    }

    /// Sets how many bytes of messages wait in memory. The default is 16 MiB.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Sets how many bytes of messages wait in the file. With zero, the turn is interrupted instead.
    #[must_use]
    pub fn max_file(mut self, bytes: u64) -> Self {
        self.file = bytes;
        self
    }
}

impl Default for Unread {
    fn default() -> Self {
        Self::spill()
    }
}
