//! Runs a script, independently of its input and output.

use std::io;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc;

use super::pattern::{Bindings, contains};
use super::script::Script;
use super::step::Step;

/// How a scripted CLI exits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Exit(i32),
    Signal(i32),
}

/// The exit code of a CLI whose input ended while its script waited for a line.
pub(crate) const EXIT_INPUT_ENDED: i32 = 97;

/// The effects of a script. A process and an in-memory task implement them.
pub(crate) trait ScriptIo: Send {
    fn received(&mut self, frame: &Value) -> io::Result<()>;
    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()>;
    fn stderr(&mut self, bytes: &[u8]) -> io::Result<()>;
    fn ignore_term(&mut self) -> io::Result<()>;
    fn grandchild(&mut self) -> io::Result<()>;
}

/// Runs `script` to its end. `lines` are the lines of its input, without newlines.
pub(crate) async fn run_script(script: &Script, lines: mpsc::Receiver<Vec<u8>>, io: &mut dyn ScriptIo) -> End {
    let mut interpreter = Interpreter { lines, unread: Vec::new(), bindings: Bindings::default(), io };
    match interpreter.steps(script.steps()).await {
        Ok(end) => end,
        // The output is closed. A real program would exit too.
        Err(_) => End::Exit(1),
    }
}

struct Interpreter<'a> {
    lines: mpsc::Receiver<Vec<u8>>,
    /// Lines that no step has taken yet.
    unread: Vec<Value>,
    bindings: Bindings,
    io: &'a mut dyn ScriptIo,
}

impl Interpreter<'_> {
    async fn steps(&mut self, steps: &[Step]) -> io::Result<End> {
        for step in steps {
            if let Some(end) = self.step(step).await? {
                return Ok(end);
            }
        }
        self.end_of_input().await?;
        Ok(End::Exit(0))
    }

    async fn step(&mut self, step: &Step) -> io::Result<Option<End>> {
        match step {
            Step::Emit(frame) => {
                let line = format!("{}\n", self.bindings.fill(frame));
                self.io.stdout(line.as_bytes())?;
            }
            Step::Raw(bytes) => self.io.stdout(bytes)?,
            Step::Expect { name, frame } => return self.expect(name.as_deref(), frame).await,
            Step::WaitForEof => self.end_of_input().await?,
            Step::Sleep(time) => tokio::time::sleep(Duration::from_millis(*time)).await,
            Step::Stderr(text) => self.io.stderr(text.as_bytes())?,
            Step::FloodStderr(bytes) => self.flood(*bytes)?,
            Step::IgnoreTerm => self.io.ignore_term()?,
            Step::Grandchild => self.io.grandchild()?,
            Step::Exit(code) => return Ok(Some(End::Exit(*code))),
            Step::DieBySignal(signal) => return Ok(Some(End::Signal(*signal))),
            Step::Hang => std::future::pending().await,
        }
        Ok(None)
    }

    async fn expect(&mut self, name: Option<&str>, pattern: &Value) -> io::Result<Option<End>> {
        let pattern = self.bindings.fill(pattern);
        let mut next_unread = 0;
        loop {
            while let Some(frame) = self.unread.get(next_unread) {
                if contains(frame, &pattern) {
                    let frame = self.unread.remove(next_unread);
                    if let Some(name) = name {
                        self.bindings.bind(name.into(), frame);
                    }
                    return Ok(None);
                }
                next_unread += 1;
            }
            if !self.read_line().await? {
                let unread = Value::from(std::mem::take(&mut self.unread));
                let message = format!("scripted CLI: the input ended while waiting for {pattern}; other lines: {unread}\n");
                self.io.stderr(message.as_bytes())?;
                return Ok(Some(End::Exit(EXIT_INPUT_ENDED)));
            }
        }
    }

    async fn end_of_input(&mut self) -> io::Result<()> {
        while self.read_line().await? {}
        Ok(())
    }

    /// Reads one line. Returns false at the end of the input.
    async fn read_line(&mut self) -> io::Result<bool> {
        let Some(line) = self.lines.recv().await else {
            return Ok(false);
        };
        let as_text = |_| Value::from(String::from_utf8_lossy(&line).into_owned());
        let frame = serde_json::from_slice(&line).unwrap_or_else(as_text);
        self.io.received(&frame)?;
        self.unread.push(frame);
        Ok(true)
    }

    fn flood(&mut self, bytes: usize) -> io::Result<()> {
        const LINE: &[u8] = b"a line of standard error, written many times to fill the pipe.....\n";
        let mut left = bytes;
        while left > 0 {
            let part = left.min(LINE.len());
            self.io.stderr(&LINE[LINE.len() - part..])?;
            left -= part;
        }
        Ok(())
    }
}
