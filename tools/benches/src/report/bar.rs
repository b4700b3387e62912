//! The required limits, and whether they are met.

use super::figures::Figures;
use super::units::{times, with_spread};
use super::{agents, clients};
use crate::contender::{self, BATCH, FLOOR, OURS, RMCP, TOWER_VALIDATE, TURBO};
use crate::instructions::MOUNT;
use crate::metric::Metric;
use crate::record::Part;
use crate::statistics::{Setting, Spread};

/// One limit.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) what: &'static str,
    /// The limit in words.
    pub(super) maximum: String,
    /// What was measured: with all processors, and on one where that makes a difference.
    pub(super) measured: Vec<Spread>,
    limit: f64,
    unit: fn(f64) -> String,
}

impl Row {
    pub(super) fn is_met(&self) -> bool {
        !self.measured.is_empty() && self.measured.iter().all(|spread| spread.median <= self.limit)
    }

    pub(super) fn cells(&self) -> Vec<String> {
        self.measured.iter().map(|spread| with_spread(*spread, self.unit)).collect()
    }
}

/// Every limit with measurements.
pub(super) fn rows(figures: &Figures) -> Vec<Row> {
    let mut rows = calls(figures);
    rows.extend(starts_and_memory(figures));
    rows.extend(http(figures));
    rows.extend(clients::rows(figures));
    rows.extend(agents::rows(figures));
    rows.extend(in_process(figures));
    rows.extend(builds(figures));
    rows.extend(flat(figures));
    rows.retain(|row| !row.measured.is_empty());
    rows
}

const BOTH: [Setting; 2] = [Setting::FREE, Setting::PINNED];

pub(super) fn row(what: &'static str, limit: f64, base: &str, measured: impl IntoIterator<Item = Option<Spread>>) -> Row {
    let maximum = format!("{limit} x {base}");
    Row { what, maximum, measured: measured.into_iter().flatten().collect(), limit, unit: times }
}

fn calls(figures: &Figures) -> Vec<Row> {
    use Metric::{
        EchoP50, Flight, LastingMean, ListP50, Pipelined, SearchP50, SequentialCpu, SequentialP50, SyncCpu, SyncP50,
    };
    let wanted = [
        ("one call at a time, `async fn add`, p50", SequentialP50, SequentialP50, FLOOR, 1.2),
        ("the same, processor time of the server", SequentialCpu, SequentialCpu, FLOOR, 1.2),
        ("one call at a time, plain `fn add`, p50", SyncP50, SequentialP50, FLOOR, 1.2),
        ("the same, processor time of the server", SyncCpu, SequentialCpu, FLOOR, 1.2),
        ("one call at a time for a second, `async fn add`, mean", LastingMean, LastingMean, FLOOR, 1.2),
        ("100,000 pipelined calls", Pipelined, Pipelined, FLOOR, 0.8),
        ("64 calls in flight", Flight, Flight, BATCH, 1.1),
        ("nested `search`, structured output, validated, p50", SearchP50, SearchP50, FLOOR, 1.5),
        ("echo of 1 MiB, p50", EchoP50, EchoP50, FLOOR, 1.15),
        ("`tools/list` of 100 tools, p50", ListP50, ListP50, FLOOR, 1.2),
    ];
    let ratio = |metric, base_metric, base: &'static str| {
        BOTH.map(|setting| figures.ratio(Part::Calls, (metric, (OURS, setting)), (base_metric, (base, setting))))
    };
    let make = |(what, metric, base_metric, base, limit)| {
        row(what, limit, contender::title(base), ratio(metric, base_metric, base))
    };
    wanted.into_iter().map(make).collect()
}

fn starts_and_memory(figures: &Figures) -> Vec<Row> {
    use Metric::{AnonymousAfter, AnonymousLater, Discover, Initialize, PeakResident};
    let ours = (OURS, Setting::FREE);
    let to_best = |part, metric| [to_best(figures, part, metric)];
    let to_rmcp = |metric| [figures.ratio(Part::Starts, (metric, ours), (metric, (RMCP, Setting::FREE)))];
    vec![
        row("start of the process to the reply to `initialize`", 1.5, "rmcp", to_rmcp(Initialize)),
        row("start of the process to the reply to `server/discover`", 1.5, "rmcp", to_rmcp(Discover)),
        row(
            "resident memory, peak of 100,000 pipelined calls",
            1.0,
            "the smallest peer",
            to_best(Part::Memory, PeakResident),
        ),
        // A leak of one byte for each call would be a ratio of about 1.3. A few pages more are the allocator's.
        row(
            "anonymous memory after 300,000 calls",
            1.1,
            "after 100,000",
            [figures.ratio(Part::Memory, (AnonymousLater, ours), (AnonymousAfter, ours))],
        ),
    ]
}

/// A time ratio of 1.25 equals a throughput ratio of 0.8.
fn http(figures: &Figures) -> Vec<Row> {
    let ratio = |metric, base| [figures.ratio(Part::Http, (metric, (OURS, Setting::FREE)), (metric, (base, Setting::FREE)))];
    vec![
        row("a request over HTTP, 32 connections", 1.25, "axum handler that only echoes", ratio(Metric::Request, FLOOR)),
        row("the same", 1.0, "rmcp", ratio(Metric::Request, RMCP)),
        row("99th percentile of a request over HTTP", 1.0, "rmcp", ratio(Metric::RequestP99, RMCP)),
    ]
}

/// Ours beside the best of all peers, which may be a different one in each round.
fn to_best(figures: &Figures, part: Part, metric: Metric) -> Option<Spread> {
    let servers = figures.servers(part, metric, Setting::FREE);
    let peers = servers.into_iter().filter(|key| ![FLOOR, BATCH, OURS].contains(key));
    let ratio = |peer| figures.ratio(part, (metric, (OURS, Setting::FREE)), (metric, (peer, Setting::FREE)));
    peers.filter_map(ratio).max_by(|a, b| a.median.total_cmp(&b.median))
}

fn in_process(figures: &Figures) -> Vec<Row> {
    let time = |key| (Metric::InProcessTime, (key, Setting::FREE));
    let ratio = figures.ratio(Part::Instructions, time(MOUNT), time(RMCP));
    vec![row("a call of a server that is mounted in an agent session", 1.0, "rmcp through its in-memory duplex", [ratio])]
}

fn builds(figures: &Figures) -> Vec<Row> {
    use Metric::{Binary, Check, CleanBuild, CleanBuildCpu, Crates, Expansion, Rebuild, RebuildCpu};
    let free = |key| (key, Setting::FREE);
    let ratio = |metric, base| figures.ratio(Part::Builds, (metric, free(OURS)), (metric, free(base)));
    // If the limit holds for the lesser peer, it holds for both.
    let validating = |metric| {
        let both = [TOWER_VALIDATE, TURBO].map(|peer| ratio(metric, peer));
        [both.into_iter().flatten().max_by(|a, b| a.median.total_cmp(&b.median))]
    };
    let lesser = "the lesser of tower-mcp, validating, and turbomcp";
    vec![
        row("`hello`, stripped", 1.0, lesser, validating(Binary)),
        row("crates of `hello`", 1.0, lesser, validating(Crates)),
        row("`hello` built from scratch, time", 1.0, lesser, validating(CleanBuild)),
        row("`hello` built from scratch, processor time", 1.0, lesser, validating(CleanBuildCpu)),
        row("build after an edit of one of 200 tools, time", 1.0, "rmcp", [ratio(Rebuild, RMCP)]),
        row("the same, processor time", 1.0, "rmcp", [ratio(RebuildCpu, RMCP)]),
        row("expansion of the macros of 200 tools", 1.0, "rmcp", [ratio(Expansion, RMCP)]),
        row("`cargo check` of 200 tools", 1.0, "rmcp", [ratio(Check, RMCP)]),
    ]
}

/// The limits on growth with the number of tools or of pending calls.
fn flat(figures: &Figures) -> Vec<Row> {
    let between = |part, metric, low: u64, high: u64| {
        let at = |place| (metric, (OURS, Setting::at(place)));
        [figures.ratio(part, at(high), at(low))]
    };
    vec![
        row("processor time of a call among 1,000 tools", 1.1, "among 4", between(Part::Tools, Metric::CallCpu, 4, 1000)),
        row("a call with 10,000 in flight", 1.1, "with 100", between(Part::InFlight, Metric::Call, 100, 10_000)),
    ]
}
