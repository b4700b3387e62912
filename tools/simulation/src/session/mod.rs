//! A session of `mcp-core` behind stdio framing. The simulation schedules its tasks, its jobs and its clock.

mod client;
mod judge;
mod tools;
mod transport;
mod world;

use std::collections::VecDeque;
use std::time::Duration;

use mcp_core::Server;
use mcp_lines::{Line, Lines};

use self::client::Client;
use self::judge::Judge;
use self::tools::Gate;
use self::transport::Transport;
use self::world::World;
use crate::bug::Bug;
use crate::random::Random;
use crate::trace::Trace;
use crate::{Failure, Finished, report};

/// The number of steps in which the client sends new messages.
const STEPS: usize = 150;

/// The number of steps after which a world that does not end is in a loop.
const MAX_STEPS: usize = 20_000;

/// How long tasks are stored.
const TASK_LIFETIME: Duration = Duration::from_secs(30);

/// Runs one seed.
pub(crate) fn simulate(seed: u64, bug: Option<Bug>) -> Result<Finished, Failure> {
    let trace = Trace::default();
    let outcome = Simulation::new(seed, bug, trace.clone()).and_then(Simulation::run);
    report(seed, &trace, outcome)
}

/// One connection, with the bytes on their way in both directions.
struct Simulation {
    random: Random,
    trace: Trace,
    world: World,
    gate: Gate,
    server: Server,
    transport: Transport,
    client: Client,
    to_server: VecDeque<u8>,
    client_lines: Lines,
    steps: usize,
    is_connected: bool,
}

impl Simulation {
    fn new(seed: u64, bug: Option<Bug>, trace: Trace) -> Result<Simulation, String> {
        let (mut random, world, gate) = (Random::new(seed), World::new(bug), Gate::default());
        let server = tools::server(&gate, bug)?;
        let transport = Transport::new(&server, &world, Judge::new(trace.clone()), bug);
        let (client, handshake) = Client::new(&mut random);
        Ok(Simulation {
            random,
            trace,
            world,
            gate,
            server,
            transport,
            client,
            to_server: handshake.into(),
            client_lines: Lines::new(1 << 20),
            steps: 0,
            is_connected: true,
        })
    }

    fn run(mut self) -> Result<(), String> {
        let cut = self.random.chance(4).then(|| self.random.below(STEPS));
        for step in 0..STEPS {
            if cut == Some(step) {
                self.cut();
                break;
            }
            self.step()?;
        }
        self.wind_down()?;
        self.end()
    }

    /// One random event.
    fn step(&mut self) -> Result<(), String> {
        let possible = self.world.possible();
        match self.random.below(12) {
            0..3 => self.client_writes(),
            3..5 if !self.to_server.is_empty() => self.server_reads(),
            5 if self.transport.output.waiting() > 0 => self.client_reads(),
            6 if possible.jobs > 0 => self.run_job(),
            7 if self.gate.waiting() > 0 => self.gate.let_one_pass(&mut self.random),
            8 if possible.timers > 0 => self.pass_time(),
            9 if self.random.chance(10) => self.jump(),
            _ if possible.ready > 0 => self.run_task(),
            _ => self.client_writes(),
        }
        self.check()
    }

    fn client_writes(&mut self) {
        let judge = |judge: &mut Judge| (judge.open_ids(), judge.tasks());
        let (open, tasks) = self.transport.output.judge(judge);
        let line = self.client.line(&open, &tasks, &mut self.random);
        self.to_server.extend(line);
    }

    fn server_reads(&mut self) {
        let length = (1 + self.random.below(300)).min(self.to_server.len());
        let piece: Vec<u8> = self.to_server.drain(..length).collect();
        self.transport.receive(&piece, &mut self.random);
    }

    fn client_reads(&mut self) {
        let piece = self.transport.output.take(1 + self.random.below(500));
        let mut rest = piece.as_slice();
        while let Some(Line::Whole(line)) = self.client_lines.next(&mut rest) {
            self.client.receive(&serde_json::from_slice(line).unwrap_or_default());
        }
    }

    fn run_task(&mut self) {
        let id = self.world.run_task(&mut self.random);
        self.trace.note(format_args!("task {id} ran"));
    }

    fn run_job(&mut self) {
        let is_dropped = self.random.chance(10);
        self.trace.note(if is_dropped { "a job is dropped" } else { "a job runs" });
        // Before it runs: its call may be answered by the same step.
        self.transport.output.judge(|judge| judge.jobs_were_dropped |= is_dropped);
        self.world.run_job(&mut self.random, is_dropped);
    }

    fn pass_time(&mut self) {
        let now = self.world.pass_time();
        self.trace.note(format_args!("the time is {now:?}"));
        self.transport.output.judge(|judge| judge.tasks_may_expire |= now >= TASK_LIFETIME);
    }

    fn jump(&mut self) {
        let (forwards, by) = (self.random.chance(2), Duration::from_secs(self.random.next() % 100_000));
        self.trace.note(format_args!("the date jumps {} by {by:?}", if forwards { "forwards" } else { "backwards" }));
        self.transport.output.judge(|judge| judge.tasks_may_expire = true);
        self.world.jump(forwards, by);
    }

    /// The connection is lost, with everything that is on its way.
    fn cut(&mut self) {
        self.trace.note("the connection is cut");
        self.to_server.clear();
        self.is_connected = false;
        self.transport.disconnect();
    }

    /// Lets everything proceed until nothing can happen any more. The client sends nothing new, but answers questions.
    fn wind_down(&mut self) -> Result<(), String> {
        self.gate.open();
        self.transport.output.judge(|judge| judge.tasks_may_expire = true);
        loop {
            let possible = self.world.possible();
            if possible.ready > 0 {
                self.run_task();
            } else if !self.to_server.is_empty() {
                self.server_reads();
            } else if self.transport.output.waiting() > 0 {
                self.client_reads();
            } else if possible.jobs > 0 {
                self.run_job();
            } else if self.is_connected && !self.client.questions.is_empty() {
                let answer = self.client.answer(&mut self.random);
                self.to_server.extend(format!("{answer}\n").into_bytes());
            } else if possible.tasks > 0 && possible.timers > 0 {
                self.pass_time();
            } else {
                return Ok(());
            }
            self.check()?;
        }
    }

    /// What must hold after every step.
    fn check(&mut self) -> Result<(), String> {
        self.steps += 1;
        let output = &self.transport.output;
        output.judge(|judge| judge.verdict())?;
        let (open, in_flight) = (output.judge(|judge| judge.open()), self.transport.in_flight());
        if open != in_flight {
            return Err(format!("{open} requests are open, and the session works on {in_flight}"));
        }
        if self.steps > MAX_STEPS { Err("the world does not come to rest".to_owned()) } else { Ok(()) }
    }

    /// What must hold when nothing can happen any more.
    fn end(self) -> Result<(), String> {
        let possible = self.world.possible();
        let open = self.transport.output.judge(|judge| judge.open_ids());
        if !open.is_empty() {
            return Err(format!("deadlock: nothing can happen, and the requests {open:?} are open"));
        }
        if possible.tasks + possible.jobs + possible.timers > 0 || self.gate.waiting() > 0 {
            return Err(format!("calls are left at the end: {possible:?}, {} at the gate", self.gate.waiting()));
        }
        let world = self.world.clone();
        drop((self.transport, self.server, self.world));
        match world.other_handles() {
            0 => Ok(()),
            handles => Err(format!("{handles} handles to the host are leaked")),
        }
    }
}
