//! A server as a child process.

use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::ops::Range;
use std::os::fd::AsFd;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::time::clock_getcpuclockid;
use nix::unistd::Pid;

use crate::response_timeout::ResponseTimeout;

/// The size of one read, which is the default size of a pipe.
const CHUNK: usize = 256 << 10;

/// The time limit for a server to exit after its input is closed.
const GRACE: Duration = Duration::from_secs(60);

/// A server as a child process.
///
/// One thread does everything: while input cannot be written, output is read. So both sides cannot block each other.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    chunk: Box<[u8]>,
    received: Vec<u8>,
    /// The position of the next line.
    next: usize,
    timeout: ResponseTimeout,
}

impl Process {
    /// Starts a server. `command` is a program and its arguments.
    pub(crate) fn start(command: &[OsString]) -> Result<Process> {
        let (program, arguments) = command.split_first().context("a command has a program")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} does not start", program.display()))?;
        let stdin = child.stdin.take().context("its input is piped")?;
        let stdout = child.stdout.take().context("its output is piped")?;
        fcntl(&stdin, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        let chunk = vec![0; CHUNK].into_boxed_slice();
        let timeout = ResponseTimeout::with(child.id());
        let received = Vec::with_capacity(1 << 20);
        Ok(Process { child, stdin: Some(stdin), stdout, chunk, received, next: 0, timeout })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Writes everything. Output that arrives meanwhile is kept.
    pub(crate) fn send(&mut self, mut bytes: &[u8]) -> Result<()> {
        loop {
            bytes = &bytes[self.offer(bytes)?..];
            if bytes.is_empty() {
                return Ok(());
            }
            self.wait(true)?;
        }
    }

    /// Writes as much as the pipe accepts, and returns how much.
    pub(crate) fn offer(&mut self, bytes: &[u8]) -> Result<usize> {
        match self.stdin.as_mut().context("its input is closed")?.write(bytes) {
            Ok(written) => Ok(written),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(0),
            Err(error) => Err(error).context("writing to the server"),
        }
    }

    /// Waits for output and reads it, or (if requested) until input can be written. Returns the number of bytes read.
    pub(crate) fn wait(&mut self, to_write: bool) -> Result<Range<usize>> {
        let _waiting = self.timeout.begin();
        // A thread that waits in `poll` is woken on another processor than the server's, which costs more than everything
        // measured here. A thread that waits in `read` is woken on the same one. So `poll` is used only if needed.
        let readable = !to_write || self.is_readable_first()?;
        let start = self.received.len();
        if readable {
            let read = self.stdout.read(&mut self.chunk).context("reading from the server")?;
            if read == 0 {
                bail!(if self.timeout.is_over() { "no output for a minute" } else { "the server closed its output" });
            }
            self.received.extend_from_slice(&self.chunk[..read]);
        }
        Ok(start..self.received.len())
    }

    /// Waits until there is output or input can be written. Returns whether there is output.
    fn is_readable_first(&self) -> Result<bool> {
        let mut ends = vec![PollFd::new(self.stdout.as_fd(), PollFlags::POLLIN)];
        ends.extend(self.stdin.as_ref().map(|stdin| PollFd::new(stdin.as_fd(), PollFlags::POLLOUT)));
        poll(&mut ends, PollTimeout::NONE)?;
        Ok(ends[0].any().unwrap_or(false))
    }

    /// Waits for a line and returns its range, without the newline.
    pub(crate) fn line(&mut self) -> Result<Range<usize>> {
        let mut scanned = self.next;
        loop {
            if let Some(length) = memchr::memchr(b'\n', &self.received[scanned..]) {
                let line = self.next..scanned + length;
                self.next = line.end + 1;
                return Ok(line);
            }
            scanned = self.received.len();
            self.wait(false)?;
        }
    }

    /// A line that was read already.
    pub(crate) fn line_here(&mut self) -> Option<Range<usize>> {
        let length = memchr::memchr(b'\n', &self.received[self.next..])?;
        let line = self.next..self.next + length;
        self.next = line.end + 1;
        Some(line)
    }

    pub(crate) fn bytes(&self, place: Range<usize>) -> &[u8] {
        &self.received[place]
    }

    /// Removes the lines that were returned.
    pub(crate) fn forget(&mut self) {
        self.received.drain(..self.next);
        self.next = 0;
    }

    /// The processor time of all its threads, including finished ones.
    pub(crate) fn cpu(&self) -> Result<Duration> {
        let clock = clock_getcpuclockid(Pid::from_raw(self.pid().cast_signed()))?;
        Ok(Duration::from(clock.now()?))
    }

    /// Closes its input and waits until it exits.
    pub(crate) fn finish(mut self) -> Result<()> {
        drop(self.stdin.take());
        let start = Instant::now();
        while self.child.try_wait()?.is_none() {
            if start.elapsed() > GRACE {
                bail!("the server did not exit within {GRACE:?}");
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Process;

    fn shell(script: &str) -> Process {
        Process::start(&["sh".into(), "-c".into(), script.into()]).unwrap()
    }

    #[test]
    fn lines_come_back_whole_however_much_is_sent_before_they_are_read() {
        let mut cat = shell("exec cat");
        let long = format!("{}\nshort\n", "x".repeat(1 << 20));
        cat.send(long.as_bytes()).unwrap();
        let first = cat.line().unwrap();
        assert_eq!(first.len(), 1 << 20);
        let second = cat.line().unwrap();
        assert_eq!(cat.bytes(second), b"short");
        cat.finish().unwrap();
    }

    #[test]
    fn an_end_of_output_is_an_error_and_not_an_empty_line() {
        let mut silent = shell("exit 0");
        assert_eq!(silent.line().unwrap_err().to_string(), "the server closed its output");
    }

    #[test]
    fn its_processor_time_grows_with_its_work() {
        let mut busy = shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo done; read line");
        busy.line().unwrap();
        assert!(busy.cpu().unwrap().as_micros() > 1000);
    }
}
