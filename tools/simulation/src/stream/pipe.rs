//! A pipe that splits what is written, delays it, and can be cut.

use std::collections::VecDeque;
use std::io::{Error, ErrorKind, Result};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::random::Random;

/// The number of bytes that a pipe holds. A writer waits for room.
const CAPACITY: usize = 2048;

/// Sees each whole line before it is written, and returns the lines to write instead.
pub(super) type Tap = Box<dyn FnMut(&[u8]) -> Vec<Vec<u8>> + Send>;

/// Both ends of a pipe share it.
#[derive(Clone)]
pub(super) struct Pipe(Arc<Mutex<State>>);

struct State {
    random: Random,
    pieces: VecDeque<(Instant, Vec<u8>)>,
    bytes: usize,
    line: Vec<u8>,
    tap: Tap,
    is_closed: bool,
    is_cut: bool,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

pub(super) struct Reader {
    pipe: Pipe,
    timer: Option<Pin<Box<Sleep>>>,
}

/// Dropping it closes the pipe.
pub(super) struct Writer(Pipe);

impl Pipe {
    pub(super) fn new(random: Random, tap: Tap) -> (Pipe, Reader, Writer) {
        let state = State {
            random,
            pieces: VecDeque::new(),
            bytes: 0,
            line: Vec::new(),
            tap,
            is_closed: false,
            is_cut: false,
            reader: None,
            writer: None,
        };
        let pipe = Pipe(Arc::new(Mutex::new(state)));
        (pipe.clone(), Reader { pipe: pipe.clone(), timer: None }, Writer(pipe))
    }

    /// Cuts the pipe: what is on its way is lost.
    pub(super) fn cut(&self) {
        self.end(|state| {
            state.is_cut = true;
            state.pieces.clear();
        });
    }

    fn end(&self, change: impl FnOnce(&mut State)) {
        let (reader, writer) = {
            let mut state = self.lock();
            change(&mut state);
            (state.reader.take(), state.writer.take())
        };
        reader.into_iter().chain(writer).for_each(Waker::wake);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Adds whole lines, in random pieces with random delays that keep their order.
    fn add(&mut self, bytes: &[u8]) {
        self.line.extend_from_slice(bytes);
        while let Some(end) = self.line.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.line.drain(..=end).collect();
            for line in (self.tap)(&line[..end]) {
                self.send(&line);
                self.send(b"\n");
            }
        }
    }

    fn send(&mut self, mut bytes: &[u8]) {
        self.bytes += bytes.len();
        while !bytes.is_empty() {
            let (piece, rest) = bytes.split_at((1 + self.random.below(200)).min(bytes.len()));
            let delay = if self.random.chance(3) { self.random.millis(40) } else { Duration::ZERO };
            let at = self.pieces.back().map_or_else(Instant::now, |(at, _)| *at).max(Instant::now()) + delay;
            self.pieces.push_back((at, piece.to_vec()));
            bytes = rest;
        }
    }
}

impl AsyncRead for Reader {
    fn poll_read(mut self: Pin<&mut Self>, task: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        loop {
            let pipe = self.pipe.clone();
            let mut state = pipe.lock();
            let Some((at, piece)) = state.pieces.front_mut() else {
                if state.is_closed || state.is_cut {
                    return Poll::Ready(Ok(()));
                }
                state.reader = Some(task.waker().clone());
                return Poll::Pending;
            };
            if *at > Instant::now() {
                let at = *at;
                drop(state);
                let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(at)));
                timer.as_mut().reset(at);
                if timer.as_mut().poll(task).is_pending() {
                    pipe.lock().reader = Some(task.waker().clone());
                    return Poll::Pending;
                }
                continue;
            }
            let length = piece.len().min(buffer.remaining());
            buffer.put_slice(&piece[..length]);
            piece.drain(..length);
            if piece.is_empty() {
                state.pieces.pop_front();
            }
            state.bytes = state.bytes.saturating_sub(length);
            let writer = state.writer.take();
            drop(state);
            writer.into_iter().for_each(Waker::wake);
            return Poll::Ready(Ok(()));
        }
    }
}

impl AsyncWrite for Writer {
    fn poll_write(self: Pin<&mut Self>, task: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let mut state = self.0.lock();
        if state.is_cut || state.is_closed {
            return Poll::Ready(Err(Error::from(ErrorKind::BrokenPipe)));
        }
        if state.bytes >= CAPACITY {
            state.writer = Some(task.waker().clone());
            return Poll::Pending;
        }
        let length = (1 + state.random.below(CAPACITY)).min(bytes.len());
        state.add(&bytes[..length]);
        let reader = state.reader.take();
        drop(state);
        reader.into_iter().for_each(Waker::wake);
        Poll::Ready(Ok(length))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<()>> {
        self.0.end(|state| state.is_closed = true);
        Poll::Ready(Ok(()))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.0.end(|state| state.is_closed = true);
    }
}
