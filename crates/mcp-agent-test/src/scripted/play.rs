//! Plays a script, wherever its lines come from and go to.

use std::io;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc;

use super::pattern::{Names, contains};
use super::script::Script;
use super::step::Step;

/// How a scripted CLI ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Exit(i32),
    Signal(i32),
}

/// The exit code of a CLI whose input ended while its script still expected something.
pub(crate) const DISAPPOINTED: i32 = 97;

/// What a scripted CLI does to the world. A process and a task implement it.
pub(crate) trait Stage: Send {
    fn heard(&mut self, frame: &Value) -> io::Result<()>;
    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()>;
    fn stderr(&mut self, bytes: &[u8]) -> io::Result<()>;
    fn ignore_term(&mut self) -> io::Result<()>;
    fn grandchild(&mut self) -> io::Result<()>;
}

/// Plays `script` to its end. `lines` is what the other side says, without newlines.
pub(crate) async fn play(script: &Script, lines: mpsc::Receiver<Vec<u8>>, stage: &mut dyn Stage) -> End {
    let mut player = Player { lines, unread: Vec::new(), names: Names::default(), stage };
    match player.steps(script.steps()).await {
        Ok(end) => end,
        // The other side no longer listens; a program dies of that.
        Err(_) => End::Exit(1),
    }
}

struct Player<'a> {
    lines: mpsc::Receiver<Vec<u8>>,
    /// Lines that no step has taken yet.
    unread: Vec<Value>,
    names: Names,
    stage: &'a mut dyn Stage,
}

impl Player<'_> {
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
                let line = format!("{}\n", self.names.fill(frame));
                self.stage.stdout(line.as_bytes())?;
            }
            Step::Raw(bytes) => self.stage.stdout(bytes)?,
            Step::Expect { name, frame } => return self.expect(name.as_deref(), frame).await,
            Step::AwaitEof => self.end_of_input().await?,
            Step::Sleep(time) => tokio::time::sleep(Duration::from_millis(*time)).await,
            Step::Stderr(text) => self.stage.stderr(text.as_bytes())?,
            Step::FloodStderr(bytes) => self.flood(*bytes)?,
            Step::IgnoreTerm => self.stage.ignore_term()?,
            Step::Grandchild => self.stage.grandchild()?,
            Step::Exit(code) => return Ok(Some(End::Exit(*code))),
            Step::Die(signal) => return Ok(Some(End::Signal(*signal))),
            Step::Hang => std::future::pending().await,
        }
        Ok(None)
    }

    async fn expect(&mut self, name: Option<&str>, pattern: &Value) -> io::Result<Option<End>> {
        let pattern = self.names.fill(pattern);
        let mut looked_at = 0;
        loop {
            while let Some(frame) = self.unread.get(looked_at) {
                if contains(frame, &pattern) {
                    let frame = self.unread.remove(looked_at);
                    if let Some(name) = name {
                        self.names.bind(name.into(), frame);
                    }
                    return Ok(None);
                }
                looked_at += 1;
            }
            if !self.listen().await? {
                let unread = Value::from(std::mem::take(&mut self.unread));
                let complaint = format!("scripted CLI: the input ended before {pattern} came; unread: {unread}\n");
                self.stage.stderr(complaint.as_bytes())?;
                return Ok(Some(End::Exit(DISAPPOINTED)));
            }
        }
    }

    async fn end_of_input(&mut self) -> io::Result<()> {
        while self.listen().await? {}
        Ok(())
    }

    /// Takes one line in; false at the end of the input.
    async fn listen(&mut self) -> io::Result<bool> {
        let Some(line) = self.lines.recv().await else {
            return Ok(false);
        };
        let as_text = |_| Value::from(String::from_utf8_lossy(&line).into_owned());
        let frame = serde_json::from_slice(&line).unwrap_or_else(as_text);
        self.stage.heard(&frame)?;
        self.unread.push(frame);
        Ok(true)
    }

    fn flood(&mut self, bytes: usize) -> io::Result<()> {
        const LINE: &[u8] = b"something that nobody asked to know, said at length and again....\n";
        let mut left = bytes;
        while left > 0 {
            let part = left.min(LINE.len());
            self.stage.stderr(&LINE[LINE.len() - part..])?;
            left -= part;
        }
        Ok(())
    }
}
