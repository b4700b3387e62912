//! The descriptors that carry the protocol, taken away from the rest of the program.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::stdio::{dup2_stdin, dup2_stdout};

use crate::error::Error;

/// What the client writes to us and reads from us.
#[derive(Debug)]
pub(crate) struct Wire {
    pub(crate) input: File,
    pub(crate) output: File,
}

static TAKEN: AtomicBool = AtomicBool::new(false);

impl Wire {
    /// Takes standard input and output for the protocol.
    ///
    /// From here on whatever the program, its libraries and its children print lands on stderr, and they read nothing: a
    /// `println!` in a tool cannot corrupt the stream, a child process cannot eat requests. Done once and for good, because
    /// to switch descriptors around each call loses what is written meanwhile.
    pub(crate) fn take() -> Result<Wire, Error> {
        if TAKEN.swap(true, Ordering::AcqRel) {
            return Err(Error::AlreadyServing);
        }
        Wire::redirect().map_err(Error::Start)
    }

    fn redirect() -> io::Result<Wire> {
        let input = io::stdin().as_fd().try_clone_to_owned()?;
        let output = io::stdout().as_fd().try_clone_to_owned()?;
        let nothing = File::open("/dev/null")?;
        dup2_stdin(&nothing)?;
        dup2_stdout(io::stderr())?;
        Ok(Wire { input: input.into(), output: output.into() })
    }
}

/// Reads once, and waits also where the descriptor is a non-blocking one: that is for whoever shares it to decide.
pub(crate) fn read(mut input: &File, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => wait(input, PollFlags::IN)?,
            outcome => return outcome,
        }
    }
}

/// Writes all of it.
pub(crate) fn write_all(mut output: &File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match output.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => wait(output, PollFlags::OUT)?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn wait(file: &File, event: PollFlags) -> io::Result<()> {
    match poll(&mut [PollFd::new(file, event)], None) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::OwnedFd;
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
                write_all(&output, &sent).unwrap();
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
