//! The state that the threads of a driver share: who leads, what is pending, and whether the server shuts down.
//!
//! This type has no lock and starts no thread. The [`Driver`](super::Driver) calls its transitions under one mutex. A transition
//! that somebody may be waiting for notes it in [`Wakeups`], and the caller notifies them after it has unlocked the mutex.
//! `tools/driver-model` checks the same transitions under all interleavings with loom.

use std::fmt;
use std::mem;
use std::task::Waker;

use crate::driver::watch::{TICKS_FOR_CALL, TICKS_FOR_WRITE, Watch};
use crate::io::queue::Queue;

/// The type parameters of `State`. The loom model uses simpler types.
pub trait Parts {
    /// Identifies a reader thread.
    type Thread: PartialEq;
    /// The input, which only the leader reads.
    type Input;
    /// A call that waits for the blocking function that its leader runs.
    type Call;
    /// A blocking function of a call.
    type Job;
    /// Why the server shuts down.
    type End;
}

/// The state of a driver. See the documentation of the module.
pub struct State<P: Parts> {
    step: Step<P>,
    /// The number of reader threads.
    threads: usize,
    /// The number of reader threads that wait to become the leader.
    waiting_threads: usize,
    /// The maximum number of reader threads.
    max_threads: usize,
    /// The number of calls on the runtime and of replaced leaders that may still add a response.
    pending: usize,
    watch: Watch,
    shutdown: Shutdown<P::End>,
    /// The leader waits until the queue has room.
    leader_waits_for_room: bool,
    queue: Queue,
    wakeups: Wakeups,
}

/// What the leader does.
enum Step<P: Parts> {
    /// There is no leader. The next free reader thread takes the input.
    Vacant(P::Input),
    /// The leader has the input and waits for the client.
    Reading,
    /// The leader has the input and handles messages. This step is always short, so the leader is not replaced in it.
    Handling,
    /// The leader is in a step that may take long, and can be replaced. Meanwhile the input is here.
    Busy { leader: P::Thread, input: P::Input, work: Work<P> },
    /// Nothing is read any more.
    Ended,
}

/// A step that may take long.
pub enum Work<P: Parts> {
    /// Polls a call, which may have passed a blocking function to the host meanwhile.
    Poll(Option<P::Job>),
    /// Runs the blocking function of this call.
    RunJob(P::Call),
    /// Writes the queue.
    Write,
}

enum Shutdown<E> {
    No,
    /// Requested. The supervisor takes the reason.
    Requested(Option<E>),
}

/// Who must be notified after the mutex was unlocked.
#[derive(Debug, Default)]
pub struct Wakeups {
    /// The supervisor.
    pub supervisor: bool,
    /// The reader threads.
    pub readers: bool,
    /// The writer thread.
    pub writer: bool,
    /// Tasks that wait until the queue has room.
    pub tasks: Vec<Waker>,
}

/// What a reader thread has to do next.
#[derive(Debug)]
pub enum Turn<I> {
    /// Lead: read this input.
    Lead(I),
    /// Wait for a notification.
    Wait,
    /// End: nothing is read any more.
    End,
}

impl<P: Parts> State<P> {
    /// Returns the state before the first leader, with at most so many reader threads.
    pub fn new(input: P::Input, queue: Queue, max_threads: usize) -> State<P> {
        State {
            step: Step::Vacant(input),
            threads: 0,
            waiting_threads: 0,
            max_threads,
            pending: 0,
            watch: Watch::default(),
            shutdown: Shutdown::No,
            leader_waits_for_room: false,
            queue,
            wakeups: Wakeups::default(),
        }
    }

    /// Returns who must be notified because of the transitions since the last call.
    pub fn take_wakeups(&mut self) -> Wakeups {
        mem::take(&mut self.wakeups)
    }

    // Reader threads.

    /// Counts a new reader thread, which the caller has to start. Returns false if a thread is waiting already, or if there
    /// are too many.
    pub fn add_thread(&mut self) -> bool {
        let wanted = self.waiting_threads == 0 && self.threads < self.max_threads;
        if wanted {
            self.threads += 1;
            self.waiting_threads += 1;
        }
        wanted
    }

    /// Called when the thread of the last [`add_thread`](State::add_thread) could not be started.
    pub fn remove_thread(&mut self) {
        self.threads -= 1;
        self.waiting_threads -= 1;
        self.max_threads = self.threads;
    }

    /// Called when a reader thread that was replaced is free again.
    pub fn return_thread(&mut self) {
        self.waiting_threads += 1;
    }

    /// Called by a free reader thread. Returns what it must do.
    pub fn next_turn(&mut self) -> Turn<P::Input> {
        match mem::replace(&mut self.step, Step::Handling) {
            Step::Vacant(input) => {
                self.waiting_threads -= 1;
                Turn::Lead(input)
            }
            Step::Ended => {
                self.step = Step::Ended;
                Turn::End
            }
            other => {
                self.step = other;
                Turn::Wait
            }
        }
    }

    // The leader.

    /// Called by the leader before it reads. Returns false if nothing may be read any more: then the thread must not lead any longer.
    pub fn begin_read(&mut self) -> bool {
        self.read_step(Step::Reading)
    }

    /// Called by the leader after it has read. Returns false if what it has read must be discarded, because the shutdown was requested before.
    pub fn end_read(&mut self) -> bool {
        self.read_step(Step::Handling)
    }

    fn read_step(&mut self, step: Step<P>) -> bool {
        let serving = !self.is_shutting_down();
        if serving {
            self.step = step;
        } else {
            self.stop_reading();
        }
        serving
    }

    /// Called by the leader when it does not read any more.
    pub fn stop_reading(&mut self) {
        self.step = Step::Ended;
        self.wakeups.readers = true;
        self.wake_supervisor_at_shutdown();
    }

    /// Called by the leader before a step that may take long. Returns the input and the work if no other thread could replace the
    /// leader: then it must not do this work.
    pub fn begin(&mut self, leader: P::Thread, input: P::Input, work: Work<P>) -> Result<(), (P::Input, Work<P>)> {
        if self.waiting_threads == 0 && self.threads == self.max_threads {
            return Err((input, work));
        }
        self.step = Step::Busy { leader, input, work };
        self.wakeups.supervisor |= self.watch.begin_step();
        Ok(())
    }

    /// Called by a thread after the step that it began as the leader. Returns `None` if it was replaced meanwhile: then it must
    /// not lead any longer, and its response is pending until it calls [`reply_done`](State::reply_done), unless the step
    /// was [`Work::RunJob`].
    pub fn end(&mut self, thread: &P::Thread) -> Option<(P::Input, Work<P>)> {
        if !self.is_busy_leader(thread) {
            return None;
        }
        match mem::replace(&mut self.step, Step::Handling) {
            Step::Busy { input, work, .. } => Some((input, work)),
            _ => unreachable!("the leader is busy"),
        }
    }

    /// Keeps the blocking function of a call for the leader that polls this call. Returns it if `thread` is not the leader,
    /// or if the call has passed one already.
    pub fn keep_job(&mut self, thread: &P::Thread, job: P::Job) -> Result<(), P::Job> {
        match &mut self.step {
            Step::Busy { leader, work: Work::Poll(kept @ None), .. } if leader == thread => {
                *kept = Some(job);
                Ok(())
            }
            _ => Err(job),
        }
    }

    /// Returns whether this thread is the leader, in a step that may take long.
    pub fn is_busy_leader(&self, thread: &P::Thread) -> bool {
        matches!(&self.step, Step::Busy { leader, .. } if leader == thread)
    }

    /// Returns whether the leader has to wait for room in the queue. It is then notified as a reader thread.
    pub fn leader_must_wait(&mut self) -> bool {
        self.leader_waits_for_room = !self.queue.has_room();
        self.leader_waits_for_room
    }

    // The supervisor.

    /// Returns whether the supervisor ticks. Otherwise it sleeps until it is notified.
    pub fn is_ticking(&self) -> bool {
        self.watch.is_ticking()
    }

    /// Called by the supervisor after each tick. Returns whether the leader should be replaced.
    pub fn tick(&mut self) -> bool {
        self.watch.tick(match &self.step {
            Step::Busy { work: Work::Poll(_) | Work::RunJob(_), .. } => Some(TICKS_FOR_CALL),
            Step::Busy { work: Work::Write, .. } => Some(TICKS_FOR_WRITE),
            _ => None,
        })
    }

    /// Replaces the leader if it is still in the step that the last tick has seen and a thread waits to become the leader.
    /// Returns its work: the caller has to run the job of [`Work::Poll`] and the call of [`Work::RunJob`] elsewhere.
    ///
    /// One more response is pending then: that of the call, or what the replaced leader adds.
    pub fn replace_leader(&mut self) -> Option<Work<P>> {
        if !self.watch.saw_last_step() || self.waiting_threads == 0 {
            return None;
        }
        match mem::replace(&mut self.step, Step::Handling) {
            Step::Busy { input, work, .. } => {
                self.step = Step::Vacant(input);
                self.pending += 1;
                self.wakeups.readers = true;
                Some(work)
            }
            other => {
                self.step = other;
                None
            }
        }
    }

    // Pending responses.

    /// Called when a call was moved to the runtime, which will add its response.
    pub fn reply_pending(&mut self) {
        self.pending += 1;
    }

    /// Called when a pending response was added to the queue, or when it turned out that the call has no response.
    pub fn reply_done(&mut self) {
        self.pending -= 1;
        self.wake_supervisor_at_shutdown();
    }

    // The queue.

    /// Returns the output queue.
    pub fn queue(&mut self) -> &mut Queue {
        &mut self.queue
    }

    /// Notifies the writer thread if there are messages to write and no writer.
    pub fn request_writer(&mut self) {
        self.wakeups.writer |= self.queue.needs_writer();
    }

    /// See [`Queue::wrote`].
    pub fn wrote(&mut self, length: usize) {
        self.queue.wrote(length);
        self.output_changed();
    }

    /// See [`Queue::finish`].
    pub fn finish_write(&mut self, batch: Vec<u8>, succeeded: bool) {
        self.queue.finish(batch, succeeded);
        self.output_changed();
    }

    fn output_changed(&mut self) {
        self.wakeups.tasks.append(&mut self.queue.take_ready_tasks());
        if self.leader_waits_for_room && self.queue.has_room() {
            self.leader_waits_for_room = false;
            self.wakeups.readers = true;
        }
        self.wake_supervisor_at_shutdown();
    }

    // Shutdown.

    /// Requests the shutdown. Returns false if it was requested before.
    pub fn request_shutdown(&mut self, end: P::End) -> bool {
        let first = !self.is_shutting_down();
        if first {
            self.shutdown = Shutdown::Requested(Some(end));
            self.wakeups.supervisor = true;
        }
        first
    }

    /// Takes the reason of the shutdown. Returns `None` before the request and after the first call.
    pub fn take_end(&mut self) -> Option<P::End> {
        match &mut self.shutdown {
            Shutdown::No => None,
            Shutdown::Requested(end) => end.take(),
        }
    }

    /// Returns whether the shutdown was requested.
    pub fn is_shutting_down(&self) -> bool {
        matches!(self.shutdown, Shutdown::Requested(_))
    }

    /// Returns whether every request that was read is answered and every response is written.
    pub fn is_idle(&self) -> bool {
        matches!(self.step, Step::Reading | Step::Ended) && self.pending == 0 && self.queue.is_flushed()
    }

    fn wake_supervisor_at_shutdown(&mut self) {
        self.wakeups.supervisor |= self.is_shutting_down();
    }
}

impl<P: Parts> fmt::Debug for State<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let State { threads, pending, queue, .. } = self;
        write!(f, "State({:?}, {threads} reader threads, {pending} pending responses, {queue:?})", self.step)
    }
}

impl<P: Parts> fmt::Debug for Step<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Step::Vacant(_) => "no leader",
            Step::Reading => "reading",
            Step::Handling => "handling messages",
            Step::Busy { work, .. } => return work.fmt(f),
            Step::Ended => "ended",
        })
    }
}

impl<P: Parts> fmt::Debug for Work<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Work::Poll(_) => "polling a call",
            Work::RunJob(_) => "running a blocking function",
            Work::Write => "writing",
        })
    }
}

#[cfg(test)]
mod tests;
