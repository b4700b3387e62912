//! The two streams that carry the protocol, with an optional recording.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;
use crate::recording::{Recorder, Sender};
use crate::sys;

/// The number of bytes that are written at a time: the capacity of a pipe. Between two writes, the supervisor can see that the client is
/// reading.
const WRITE_SIZE: usize = 64 << 10;

/// Standard input and output, for the protocol alone.
#[derive(Debug)]
pub(crate) struct Streams {
    pub(crate) input: InputStream,
    pub(crate) output: OutputStream,
}

/// The stream from the client.
#[derive(Debug)]
pub(crate) struct InputStream {
    file: File,
    recorder: Option<Arc<Recorder>>,
}

/// The stream to the client.
#[derive(Debug)]
pub(crate) struct OutputStream {
    file: File,
    recorder: Option<Arc<Recorder>>,
}

impl Streams {
    /// Takes standard input and output for the protocol. Fails if this process has done so before.
    ///
    /// After that, what the program, its libraries and its child processes print goes to stderr, and they read nothing: a
    /// `println!` in a tool cannot corrupt the protocol, and a child process cannot read requests. This is never undone:
    /// redirecting around each call would lose what is printed between calls.
    pub(crate) fn take() -> Result<Streams, Error> {
        static TAKEN: AtomicBool = AtomicBool::new(false);
        if TAKEN.swap(true, Ordering::AcqRel) {
            return Err(Error::AlreadyServing);
        }
        let (input, output) = sys::take_standard_streams().map_err(Error::Start)?;
        let recorder = Recorder::from_environment().map_err(Error::Start)?;
        let input = InputStream { file: input, recorder: recorder.clone() };
        Ok(Streams { input, output: OutputStream { file: output, recorder } })
    }
}

impl InputStream {
    /// Reads once. Blocks until there is input, also if the stream is non-blocking, because its other users decide that.
    pub(crate) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = loop {
            match (&self.file).read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => sys::wait_until_readable(&self.file)?,
                outcome => break outcome?,
            }
        };
        if let Some(recorder) = &self.recorder {
            recorder.record(Sender::Client, &buffer[..length]);
        }
        Ok(length)
    }
}

impl OutputStream {
    /// Writes all bytes. Blocks until the client has read enough, also if the stream is non-blocking. Reports the length of
    /// each piece that was written.
    pub(crate) fn write_all(&self, mut bytes: &[u8], wrote: impl Fn(usize)) -> io::Result<()> {
        // Record first: the answer of the client must not come before the message in the recording.
        if let Some(recorder) = &self.recorder {
            recorder.record(Sender::Server, bytes);
        }
        while !bytes.is_empty() {
            match (&self.file).write(&bytes[..bytes.len().min(WRITE_SIZE)]) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(length) => {
                    wrote(length);
                    bytes = &bytes[length..];
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => sys::wait_until_writable(&self.file)?,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// A stream without a recording.
impl From<File> for InputStream {
    fn from(file: File) -> InputStream {
        InputStream { file, recorder: None }
    }
}

/// A stream without a recording.
impl From<File> for OutputStream {
    fn from(file: File) -> OutputStream {
        OutputStream { file, recorder: None }
    }
}
