//! The descriptors that carry the protocol, taken away from the rest of the program.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio::{dup2_stdin, dup2_stdout};

use crate::error::Error;
use crate::recording::{Recorder, Sender};

/// What the client writes to us and reads from us.
#[derive(Debug)]
pub(crate) struct Streams {
    pub(crate) input: InputStream,
    pub(crate) output: OutputStream,
}

/// What the client writes to us.
#[derive(Debug)]
pub(crate) struct InputStream {
    file: File,
    recorder: Option<Arc<Recorder>>,
}

/// What the client reads from us.
#[derive(Debug)]
pub(crate) struct OutputStream {
    file: File,
    recorder: Option<Arc<Recorder>>,
}

/// How much is written at a time: as much as a pipe holds.
const PIECE: usize = 64 << 10;

/// The smallest page there is, and what POSIX calls `PIPE_BUF`.
const PAGE: usize = 4 << 10;

static TAKEN: AtomicBool = AtomicBool::new(false);

impl Streams {
    /// Takes standard input and output for the protocol.
    ///
    /// From here on whatever the program, its libraries and its children print lands on stderr, and they read nothing: a
    /// `println!` in a tool cannot corrupt the stream, a child process cannot eat requests. Done once and for good, because
    /// to switch descriptors around each call loses what is written meanwhile.
    pub(crate) fn take() -> Result<Streams, Error> {
        if TAKEN.swap(true, Ordering::AcqRel) {
            return Err(Error::AlreadyServing);
        }
        Streams::redirect().map_err(Error::Start)
    }

    fn redirect() -> io::Result<Streams> {
        let input = io::stdin().as_fd().try_clone_to_owned()?;
        let output = io::stdout().as_fd().try_clone_to_owned()?;
        let nothing = File::open("/dev/null")?;
        dup2_stdin(&nothing)?;
        dup2_stdout(io::stderr())?;
        let recorder = Recorder::from_environment()?;
        let input = InputStream { file: input.into(), recorder: recorder.clone() };
        Ok(Streams { input, output: OutputStream { file: output.into(), recorder } })
    }
}

impl InputStream {
    /// Reads once, and waits for as long as that takes.
    pub(crate) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = read(&self.file, buffer)?;
        if let Some(recorder) = &self.recorder {
            recorder.record(Sender::Client, &buffer[..length]);
        }
        Ok(length)
    }

    /// Whether to read would not have to wait.
    pub(crate) fn has_input(&self) -> bool {
        is_ready(&self.file, PollFlags::IN)
    }
}

impl AsFd for InputStream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl OutputStream {
    /// Whether so few bytes would be taken here and now: a pipe that takes anything takes a page.
    pub(crate) fn can_write_without_blocking(&self, length: usize) -> bool {
        length <= PAGE && is_ready(&self.file, PollFlags::OUT)
    }

    /// Writes all of it, and tells how much of it has left each time some has.
    pub(crate) fn write_all(&self, bytes: &[u8], left: impl Fn(usize)) -> io::Result<()> {
        // Before it leaves: the client's answer to it must not stand before it.
        if let Some(recorder) = &self.recorder {
            recorder.record(Sender::Server, bytes);
        }
        write_all(&self.file, bytes, left)
    }
}

impl From<OwnedFd> for InputStream {
    fn from(input: OwnedFd) -> InputStream {
        InputStream { file: input.into(), recorder: None }
    }
}

impl From<OwnedFd> for OutputStream {
    fn from(output: OwnedFd) -> OutputStream {
        OutputStream { file: output.into(), recorder: None }
    }
}

/// Reads once, and waits also where the descriptor is a non-blocking one: that is for whoever shares it to decide.
fn read(mut input: &File, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => wait(input, PollFlags::IN)?,
            outcome => return outcome,
        }
    }
}

/// Writes all of it, and waits also where the descriptor is a non-blocking one.
fn write_all(mut output: &File, mut bytes: &[u8], left: impl Fn(usize)) -> io::Result<()> {
    while !bytes.is_empty() {
        // A write to a pipe returns when all of it is taken, so in pieces.
        match output.write(&bytes[..bytes.len().min(PIECE)]) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => {
                left(written);
                bytes = &bytes[written..];
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => wait(output, PollFlags::OUT)?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn is_ready(file: &File, event: PollFlags) -> bool {
    let at_once = Timespec::default();
    poll(&mut [PollFd::new(file, event)], Some(&at_once)) == Ok(1)
}

fn wait(file: &File, event: PollFlags) -> io::Result<()> {
    match poll(&mut [PollFd::new(file, event)], None) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;
    use std::thread;

    use super::*;

    #[test]
    fn non_blocking_descriptors_lose_nothing() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        for end in [&ours, &theirs] {
            end.set_nonblocking(true).unwrap();
        }
        let (input, output) = (File::from(OwnedFd::from(theirs)), File::from(OwnedFd::from(ours)));
        let sent: Vec<u8> = (0..4_000_000u32).map(|n| n as u8).collect();
        let received = thread::scope(|scope| {
            scope.spawn(|| {
                write_all(&output, &sent, |_| {}).unwrap();
                rustix::net::shutdown(&output, rustix::net::Shutdown::Write).unwrap();
            });
            let (mut all, mut buffer) = (Vec::new(), [0; 4096]);
            loop {
                match read(&input, &mut buffer).unwrap() {
                    0 => return all,
                    length => all.extend_from_slice(&buffer[..length]),
                }
            }
        });
        assert_eq!(received, sent);
    }
}
