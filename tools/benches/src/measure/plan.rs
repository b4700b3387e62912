//! The amount of measurements.

use std::time::Duration;

/// A number of calls, or as many as fit into a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amount {
    pub(crate) calls: usize,
    pub(crate) time: Duration,
}

/// The amount of each measurement.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) name: &'static str,
    pub(crate) rounds: usize,
    /// One call at a time, of the quick tools.
    pub(crate) sequential: Amount,
    /// The same for long.
    pub(crate) lasting: Amount,
    /// 64 in flight.
    pub(crate) flight: Amount,
    /// All at once.
    pub(crate) pipelined: Amount,
    pub(crate) echo: Amount,
    /// The length of the echoed text.
    pub(crate) payload: usize,
    /// How often a server is started, and how often one of an interpreted language.
    pub(crate) starts: [usize; 2],
    /// The number of pipelined calls in the measurement of memory, and its number of rounds.
    pub(crate) memory_calls: usize,
    pub(crate) memory_rounds: usize,
    /// The numbers of tools, and of calls in flight, to measure with.
    pub(crate) tools: Vec<usize>,
    pub(crate) windows: Vec<usize>,
    /// The numbers of idle sessions over HTTP, of servers that an agent mounts, and of stored sessions.
    pub(crate) sessions: Vec<usize>,
    pub(crate) mounts: Vec<usize>,
    pub(crate) histories: Vec<usize>,
    /// The seconds that each server is called over HTTP in a round.
    pub(crate) http_seconds: usize,
    /// The programs with an agent.
    pub(crate) agents: AgentPlan,
    /// The numbers of calls under callgrind: in the short and in the long run.
    pub(crate) instructions: [u64; 2],
    /// How often the crate of 200 tools is built after an edit. Zero to leave out all builds.
    pub(crate) edits: usize,
}

/// The amount of measurements of programs with an agent.
#[derive(Clone, Debug)]
pub(crate) struct AgentPlan {
    pub(crate) rounds: usize,
    /// How many sessions run at once in the measurement of many.
    pub(crate) sessions: u64,
    /// What the CLI sends in one session, and in each of many: see `src/bin/measuring_cli.rs`.
    pub(crate) one: [usize; 6],
    pub(crate) many: [usize; 6],
    /// The numbers of turns of long sessions, and what the CLI sends in each turn.
    pub(crate) turns: Vec<u64>,
    pub(crate) turn: [usize; 6],
}

impl Plan {
    /// The plan for the documentation.
    pub(crate) fn full() -> Plan {
        Plan {
            name: "full",
            rounds: 7,
            // Short enough that the scheduler does not move the processes; see the page.
            sequential: Amount { calls: 5000, time: Duration::from_millis(300) },
            lasting: Amount { calls: 1_000_000, time: Duration::from_secs(1) },
            flight: Amount { calls: 40_000, time: Duration::from_millis(600) },
            pipelined: Amount { calls: 100_000, time: Duration::from_millis(600) },
            echo: Amount { calls: 40, time: Duration::from_millis(400) },
            payload: 1 << 20,
            starts: [40, 5],
            memory_calls: 100_000,
            memory_rounds: 3,
            tools: vec![4, 10, 100, 1000, 10_000],
            windows: vec![1, 10, 100, 1000, 10_000],
            sessions: vec![1, 10, 100, 1000, 10_000, 100_000],
            mounts: vec![1, 10, 100, 1000],
            histories: vec![10, 100, 1000, 10_000],
            http_seconds: 5,
            agents: AgentPlan {
                rounds: 5,
                sessions: 50,
                one: [3000, 100, 20, 1000, 1000, 50_000],
                many: [100, 2, 0, 20, 20, 1000],
                turns: vec![1, 10, 100, 1000],
                turn: [10, 0, 0, 2, 2, 50],
            },
            instructions: [300, 1300],
            edits: 5,
        }
    }

    /// The same with less of each.
    pub(crate) fn quick() -> Plan {
        Plan {
            name: "quick",
            rounds: 5,
            sequential: Amount { calls: 3000, time: Duration::from_millis(100) },
            lasting: Amount { calls: 1_000_000, time: Duration::from_millis(400) },
            flight: Amount { calls: 30_000, time: Duration::from_millis(300) },
            pipelined: Amount { calls: 100_000, time: Duration::from_millis(300) },
            echo: Amount { calls: 10, time: Duration::from_millis(100) },
            starts: [10, 2],
            memory_rounds: 1,
            http_seconds: 2,
            agents: AgentPlan { rounds: 3, ..Plan::full().agents },
            instructions: [200, 700],
            edits: 3,
            ..Plan::full()
        }
    }

    /// A minimal plan for tests of the benchmark.
    pub(crate) fn smoke() -> Plan {
        Plan {
            name: "smoke",
            rounds: 2,
            sequential: Amount { calls: 50, time: Duration::from_secs(60) },
            lasting: Amount { calls: 50, time: Duration::from_secs(60) },
            flight: Amount { calls: 500, time: Duration::from_secs(60) },
            pipelined: Amount { calls: 500, time: Duration::from_secs(60) },
            echo: Amount { calls: 2, time: Duration::from_secs(60) },
            payload: 100_000,
            starts: [2, 1],
            memory_calls: 500,
            memory_rounds: 1,
            tools: vec![4, 10],
            windows: vec![1, 100],
            sessions: vec![1, 10],
            mounts: vec![1, 3],
            histories: vec![2, 5],
            http_seconds: 1,
            agents: AgentPlan {
                rounds: 1,
                sessions: 3,
                one: [20, 2, 2, 5, 5, 50],
                many: [5, 1, 0, 2, 2, 10],
                turns: vec![1, 3],
                turn: [5, 0, 0, 1, 1, 5],
            },
            instructions: [20, 60],
            edits: 0,
        }
    }
}
