//! The metrics.

use serde::{Deserialize, Serialize};

/// A metric. Times are in nanoseconds and sizes in bytes, unless the name says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Metric {
    /// Median round trip of `add`, one call at a time.
    SequentialP50,
    /// 99th percentile of the same.
    SequentialP99,
    /// Processor time of the server for one of these calls.
    SequentialCpu,
    /// The same for `add` as a plain function.
    SyncP50,
    SyncCpu,
    /// Mean time of one call in a long run.
    LastingMean,
    SearchP50,
    SearchCpu,
    /// A round trip of `tools/list` with 100 tools.
    ListP50,
    EchoP50,
    /// Time for one call, with 64 pending at a time.
    Flight,
    FlightCpu,
    /// Time for one call, with all sent at once.
    Pipelined,
    PipelinedCpu,
    /// How many calls were sent at once.
    PipelinedCalls,
    /// How many of them the server rejected.
    Refused,
    /// From the start of the process to the reply to `initialize`.
    Initialize,
    /// From the start of the process to the reply to `server/discover`.
    Discover,
    IdleAnonymous,
    IdleResident,
    /// Peak anonymous memory while calls are pipelined.
    PeakAnonymous,
    /// Peak memory of all kinds since the start of the process.
    PeakResident,
    /// Anonymous memory after these calls, and after twice as many more.
    AnonymousAfter,
    AnonymousLater,
    /// One call at a time.
    Call,
    CallCpu,
    /// Time for one of many requests over HTTP, on all connections together.
    Request,
    /// 99th percentile of a request on its own connection.
    RequestP99,
    /// Time for one call of a client: one at a time, 64 in flight, and in the process of the server.
    ClientOne,
    ClientFlight,
    ClientInProcess,
    /// A call of a server that is mounted in an agent's session, as the CLI waits for it.
    AgentCallP50,
    AgentCallP99,
    AgentCallMax,
    /// Twenty of them at once, until all are answered.
    AgentParallel,
    /// One with 1 MiB of arguments and result.
    AgentLarge,
    /// A call of a hook, and a permission request.
    AgentHook,
    AgentPermission,
    /// The time for one of many stream events.
    AgentEvent,
    /// Processor time and peak memory of the program with the agent, and the time from its start to its end.
    AgentCpu,
    AgentPeak,
    AgentTime,
    /// Peak memory of each session beyond the first: of the program with many sessions, less that with one that does the same.
    AgentFurther,
    /// Processor time of a turn in a session with many.
    TurnCpu,
    /// The time to open a session of an agent.
    Open,
    /// Anonymous memory of the server for each idle session.
    SessionMemory,
    /// The time to list stored sessions, for each.
    HistoryFile,
    /// Instructions of the server for a call.
    AddInstructions,
    SyncInstructions,
    SearchInstructions,
    /// Instructions of a call in the same process.
    InProcessInstructions,
    InProcessTime,
    /// Size of the stripped binary.
    Binary,
    Crates,
    CleanBuild,
    CleanBuildCpu,
    /// The first `cargo test` of a project of `cargo mcp new`.
    NewProjectTest,
    /// The crates that are only needed by one dependency, and that dependency itself.
    OwnCrates,
    /// The bytes of machine code of a crate in the binary.
    CodeSize,
    /// Build time after an edit of one of 200 tools.
    Rebuild,
    RebuildCpu,
    /// Time to expand the macros of 200 tools.
    Expansion,
    /// Time to check a crate of 200 tools.
    Check,
}
