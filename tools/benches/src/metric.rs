//! What is measured, by name.

use serde::{Deserialize, Serialize};

/// One figure. Times are in nanoseconds, sizes in bytes, unless the name says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Metric {
    /// Half of the round trips of `add`, one at a time, take at most this.
    SequentialP50,
    /// And 99 of 100 this.
    SequentialP99,
    /// Processor time of the server for one of them.
    SequentialCpu,
    /// The same for `add` as a plain function.
    SyncP50,
    SyncCpu,
    /// What one of them takes on the average, when they go on for long.
    LastingMean,
    SearchP50,
    SearchCpu,
    /// A round trip of `tools/list` with 100 tools.
    ListP50,
    EchoP50,
    /// Time for one of many calls, 64 of which are in flight.
    Flight,
    FlightCpu,
    /// Time for one of many calls that are all sent at once.
    Pipelined,
    PipelinedCpu,
    /// How many calls were sent at once.
    PipelinedCalls,
    /// How many of them the server refused.
    Refused,
    /// From the start of the process to the reply to `initialize`.
    Initialize,
    /// From the start of the process to the reply to `server/discover`.
    Discover,
    IdleAnonymous,
    IdleResident,
    /// The most anonymous memory while calls are pipelined.
    PeakAnonymous,
    /// The most memory of all kinds since the process started.
    PeakResident,
    /// Anonymous memory after these calls, and after twice as many more.
    AnonymousAfter,
    AnonymousLater,
    /// One call at a time.
    Call,
    CallCpu,
    /// Time for one of many requests over HTTP, on all connections together.
    Request,
    /// And on its own connection 99 of 100 take at most this.
    RequestP99,
    /// Instructions of the server for a call.
    AddInstructions,
    SyncInstructions,
    SearchInstructions,
    /// In the same process.
    InProcessInstructions,
    InProcessTime,
    /// Stripped.
    Binary,
    Crates,
    CleanBuild,
    CleanBuildCpu,
    /// After one of 200 tools was edited.
    Rebuild,
    RebuildCpu,
    /// What the compiler needs to expand the macros of 200 tools.
    Expansion,
    /// What the compiler needs to check a crate of 200 tools.
    Check,
}
