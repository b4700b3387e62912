//! What is on its way to the client: one queue, one writer at a time.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use mcp_core::transport::Response;
use tokio::sync::Notify;

use crate::driver::shutdown::{Shutdown, ShutdownReason};
use crate::sys::unix::OutputStream;

/// With this much on its way to a client that does not read, no more of its messages are read.
const BUDGET: usize = 32 << 20;

/// What a buffer gets at once when more than a few replies come together, so that it does not grow there step by step.
const ROOM: usize = 160 << 10;

/// What comes together of a few replies.
const FEW: usize = 4 << 10;

/// What a buffer may keep for the next replies; beyond it, memory is given back.
const KEPT: usize = 2 << 20;

/// The queue to the client.
///
/// Whoever has a message adds it to the queue. Whoever flushes takes the whole queue and writes it without holding the lock,
/// so a client that does not read blocks one thread and no other; what is added meanwhile leaves with the next write.
#[derive(Debug)]
pub(crate) struct Output {
    wire: OutputStream,
    queue: Mutex<Queue>,
    /// There is room again for threads that wait for it.
    drained: Condvar,
    /// There is room again for tasks that wait for it.
    freed: Notify,
    /// There is something to do for the writer thread.
    wanted: Condvar,
    /// The watchdog has ticked since the last flush.
    ticked: AtomicBool,
    /// How much has left so far.
    written: AtomicUsize,
    /// Nothing is added any more but replies.
    closed: AtomicBool,
    shutdown: Arc<Shutdown>,
}

#[derive(Debug, Default)]
struct Queue {
    bytes: Vec<u8>,
    /// The buffer of the write before, for the one after the next.
    spare_buffer: Vec<u8>,
    /// How much somebody is writing at the moment.
    leaving: usize,
    writing: bool,
    broken: bool,
    waiting: bool,
    writer: Writer,
}

impl Queue {
    /// How much is on its way to the client.
    fn size(&self) -> usize {
        self.bytes.len() + self.leaving
    }
}

/// The thread that writes for those who must not block.
#[derive(Debug, Default, PartialEq)]
enum Writer {
    #[default]
    NotStarted,
    Idle,
    Wanted,
}

impl Output {
    pub(crate) fn new(wire: OutputStream, shutdown: Arc<Shutdown>) -> Output {
        let (drained, wanted) = (Condvar::new(), Condvar::new());
        let (queue, freed, ticked) = (Mutex::default(), Notify::new(), AtomicBool::new(false));
        let (written, closed) = (AtomicUsize::new(0), AtomicBool::new(false));
        Output { wire, queue, drained, freed, wanted, ticked, written, closed, shutdown }
    }

    /// Adds a reply, whatever is queued already: it was asked for. Says how much is on its way.
    pub(crate) fn push(&self, response: &Response) -> usize {
        let mut queue = self.lock();
        if !queue.broken {
            let bytes = &mut queue.bytes;
            if bytes.len() > FEW && bytes.capacity() < ROOM {
                bytes.reserve_exact(ROOM - bytes.len());
            }
            response.encode(bytes);
            bytes.push(b'\n');
        }
        queue.size()
    }

    /// Adds a message that nobody has asked for, or drops it: a tool that logs without end to a client that does not read
    /// must not fill the memory.
    pub(crate) fn push_notification(&self, json: &[u8]) {
        let mut queue = self.lock();
        if !queue.broken && queue.size() <= BUDGET && !self.closed.load(Ordering::Relaxed) {
            queue.bytes.extend_from_slice(json);
            queue.bytes.push(b'\n');
        }
    }

    /// Whether a flush here and now would not have to wait for the client.
    pub(crate) fn can_flush_without_blocking(&self) -> bool {
        let queue = self.lock();
        !queue.writing && queue.writer == Writer::NotStarted && self.wire.can_write_without_blocking(queue.bytes.len())
    }

    /// Writes what is queued, here and now, unless somebody else is at it: then that one does.
    pub(crate) fn flush(&self) {
        self.ticked.store(false, Ordering::Relaxed);
        let mut queue = self.lock();
        if queue.writing {
            return;
        }
        queue.writing = true;
        let mut batch = mem::take(&mut queue.spare_buffer);
        while !queue.bytes.is_empty() {
            mem::swap(&mut queue.bytes, &mut batch);
            queue.leaving = batch.len();
            drop(queue);
            let outcome = self.wire.write_all(&batch, |length| {
                self.written.fetch_add(length, Ordering::Relaxed);
            });
            batch.clear();
            batch.shrink_to(KEPT);
            queue = self.lock();
            queue.leaving = 0;
            if let Err(error) = outcome {
                queue.broken = true;
                queue.bytes = Vec::new();
                self.shutdown.request(ShutdownReason::Write(error));
            }
            // To notify costs a system call even when nobody waits.
            if mem::take(&mut queue.waiting) {
                self.drained.notify_all();
                self.freed.notify_waiters();
            }
        }
        // Where nobody added anything meanwhile, one buffer is enough for all writes.
        if queue.bytes.capacity() == 0 {
            queue.bytes = batch;
        } else {
            queue.spare_buffer = batch;
        }
        queue.writing = false;
    }

    /// Has what is queued written by another thread, for those who must not block.
    pub(crate) fn flush_on_writer_thread(self: &Arc<Output>) {
        let mut queue = self.lock();
        if queue.writing || queue.bytes.is_empty() {
            return;
        }
        match queue.writer {
            Writer::Wanted => {}
            Writer::Idle => {
                queue.writer = Writer::Wanted;
                self.wanted.notify_one();
            }
            Writer::NotStarted => {
                queue.writer = Writer::Wanted;
                drop(queue);
                let output = self.clone();
                let started = thread::Builder::new().name("mcp-writer".into()).spawn(move || output.write_on_demand());
                if started.is_err() {
                    // A blocking write now is better than a reply that never leaves.
                    self.lock().writer = Writer::NotStarted;
                    self.flush();
                }
            }
        }
    }

    fn write_on_demand(&self) {
        loop {
            let mut queue = self.lock();
            while queue.writer != Writer::Wanted {
                queue = self.wanted.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
            queue.writer = Writer::Idle;
            drop(queue);
            self.flush();
        }
    }

    /// Waits while more is on its way than the budget allows.
    pub(crate) fn wait_for_room(&self) {
        let mut queue = self.lock();
        while queue.size() > BUDGET && (queue.writing || queue.writer == Writer::Wanted) {
            queue.waiting = true;
            queue = self.drained.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Is ready when no more is on its way than the budget allows.
    pub(crate) async fn room(&self) {
        loop {
            let freed = self.freed.notified();
            {
                let mut queue = self.lock();
                if queue.broken || queue.size() <= BUDGET {
                    return;
                }
                queue.waiting = true;
            }
            freed.await;
        }
    }

    /// Everything was written, or nothing ever will be.
    pub(crate) fn is_empty(&self) -> bool {
        let queue = self.lock();
        queue.broken || (queue.bytes.is_empty() && !queue.writing)
    }

    /// From now on nothing is added but replies: the end must not wait for a tool that tells its client something for ever.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    /// How much has left so far: it grows for as long as the client reads.
    pub(crate) fn written(&self) -> usize {
        self.written.load(Ordering::Relaxed)
    }

    /// A tick of the watchdog has passed.
    pub(crate) fn tick(&self) {
        self.ticked.store(true, Ordering::Relaxed);
    }

    /// Whether what is queued may have waited for as long as a tick, so that it should leave before anything else is begun.
    pub(crate) fn flush_is_due(&self) -> bool {
        self.ticked.load(Ordering::Relaxed)
    }

    /// Nothing panics while the lock is held, so a poisoned one is as good as new.
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, PipeReader, pipe};
    use std::os::fd::OwnedFd;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::sys::wakeup::Wakeup;

    fn output() -> (Arc<Output>, Arc<Shutdown>, PipeReader) {
        let (reader, writer) = pipe().unwrap();
        let shutdown = Arc::new(Shutdown::new(Wakeup::new().unwrap()));
        (Arc::new(Output::new(OwnedFd::from(writer).into(), shutdown.clone())), shutdown, reader)
    }

    fn until(what: &str, holds: impl Fn() -> bool) {
        let start = Instant::now();
        while !holds() {
            assert!(start.elapsed() < Duration::from_secs(60), "{what}");
            thread::yield_now();
        }
    }

    #[test]
    fn while_one_thread_is_stuck_in_a_write_others_add_without_waiting() {
        let (output, _, reader) = output();
        let big = format!("\"{}\"", "x".repeat(1 << 20));
        output.push_notification(big.as_bytes());
        let stuck = thread::spawn({
            let output = output.clone();
            move || output.flush()
        });
        until("the write begins", || output.lock().writing);
        for n in 0..1000 {
            output.push_notification(format!("{n}").as_bytes());
            output.flush();
        }
        assert!(!output.is_empty());
        let mut lines = BufReader::new(reader).lines().map(Result::unwrap);
        assert_eq!(lines.next().unwrap(), big);
        for n in 0..1000 {
            assert_eq!(lines.next().unwrap(), n.to_string());
        }
        stuck.join().unwrap();
        assert!(output.is_empty());
    }

    #[test]
    fn the_writer_thread_writes_for_those_who_must_not_block() {
        let (output, _, reader) = output();
        let mut lines = BufReader::new(reader).lines().map(Result::unwrap);
        for n in 0..100 {
            output.push_notification(format!("{n}").as_bytes());
            output.flush_on_writer_thread();
            assert_eq!(lines.next().unwrap(), n.to_string());
        }
    }

    #[test]
    fn a_reader_that_is_gone_ends_it_and_nothing_is_queued_any_more() {
        let (output, shutdown, reader) = output();
        drop(reader);
        output.push_notification(b"1");
        output.flush();
        assert!(
            matches!(shutdown.take_reason(), Some(ShutdownReason::Write(error)) if error.kind() == std::io::ErrorKind::BrokenPipe)
        );
        output.push_notification(b"2");
        assert!(output.is_empty() && output.lock().bytes.is_empty());
        output.wait_for_room();
    }

    #[test]
    fn over_the_budget_only_what_was_asked_for_is_added() {
        let (output, _, _reader) = output();
        output.push_notification(&vec![b'1'; BUDGET]);
        let full = output.lock().size();
        output.push_notification(b"2");
        assert_eq!(output.lock().size(), full);
    }

    #[test]
    fn over_the_budget_readers_wait_until_the_client_reads() {
        let (output, _, reader) = output();
        output.push_notification(&vec![b'1'; BUDGET + 1]);
        let stuck = thread::spawn({
            let output = output.clone();
            move || output.flush()
        });
        until("the write begins", || output.lock().writing);
        let waiting = thread::spawn({
            let output = output.clone();
            move || output.wait_for_room()
        });
        until("somebody waits", || output.lock().waiting);
        assert!(!waiting.is_finished());
        let mut line = String::new();
        BufReader::new(reader).read_line(&mut line).unwrap();
        assert_eq!(line.len(), BUDGET + 2);
        waiting.join().unwrap();
        stuck.join().unwrap();
    }
}
