//! A server after the handshake.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::contender::Contender;
use crate::dialect::Dialect;
use crate::process::Process;

/// A server after the handshake.
#[derive(Debug)]
pub(crate) struct Served {
    pub(crate) process: Process,
    pub(crate) dialect: Dialect,
    pub(crate) may_refuse: bool,
    /// The id of the next request.
    pub(crate) next_id: u64,
    /// The estimated time of one call.
    pub(super) pace: Option<Duration>,
}

impl Served {
    pub(crate) fn start(contender: &Contender) -> Result<Served> {
        Served::start_in(contender, contender.dialect).map(|(served, _)| served)
    }

    /// Starts the server and makes the handshake. Also returns the time from the start of the process to the response.
    pub(crate) fn start_in(contender: &Contender, dialect: Dialect) -> Result<(Served, Duration)> {
        let hello = dialect.hello();
        let start = Instant::now();
        let mut process = Process::start(&contender.command)?;
        process.send(hello.as_bytes())?;
        let line = process.line()?;
        let took = start.elapsed();
        let reply: Value = serde_json::from_slice(process.bytes(line)).context("the first reply is no JSON")?;
        if reply["id"] != 0 || !reply["result"].is_object() {
            bail!("it does not greet back: {reply}");
        }
        process.send(dialect.ready().as_bytes())?;
        process.forget();
        let may_refuse = contender.may_refuse();
        Ok((Served { process, dialect, may_refuse, next_id: 1, pace: None }, took))
    }

    /// How many calls of at most `most` fit in that time.
    pub(super) fn fitting(&self, most: usize, time: Duration) -> usize {
        let Some(pace) = self.pace else { return most };
        let fitting = time.as_nanos() / pace.as_nanos().max(1);
        usize::try_from(fitting).unwrap_or(most).clamp(most.min(200), most)
    }
}
