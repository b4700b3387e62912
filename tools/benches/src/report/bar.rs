//! The required limits, and whether they are met.

use super::figures::Figures;
use super::units::{count, file_size, time, times, with_spread};
use super::{agents, clients, growth};
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
    /// Why the limit is missed, if it is. A constant beside the row that says what is known.
    why: &'static str,
}

impl Row {
    pub(super) fn is_met(&self) -> bool {
        !self.measured.is_empty() && self.measured.iter().all(|spread| spread.median <= self.limit)
    }

    pub(super) fn cells(&self) -> Vec<String> {
        self.measured.iter().map(|spread| with_spread(*spread, self.unit)).collect()
    }

    /// By how much the limit is missed, and why. Empty if it is met.
    pub(super) fn missed(&self) -> String {
        if self.is_met() {
            return String::new();
        }
        let most = self.measured.iter().map(|spread| spread.median).fold(0.0, f64::max);
        let by = format!("{:.0} %", (most / self.limit - 1.0) * 100.0);
        if self.why.is_empty() { by } else { format!("{by}. {}", self.why) }
    }

    pub(super) fn why(self, why: &'static str) -> Row {
        Row { why, ..self }
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
    rows.extend(growth::rows(figures));
    rows.retain(|row| !row.measured.is_empty());
    rows
}

const BOTH: [Setting; 2] = [Setting::FREE, Setting::PINNED];

/// A limit on a ratio.
pub(super) fn row(what: &'static str, limit: f64, base: &str, measured: impl IntoIterator<Item = Option<Spread>>) -> Row {
    let maximum = format!("{limit} x {base}");
    Row { what, maximum, measured: measured.into_iter().flatten().collect(), limit, unit: times, why: "" }
}

/// A limit on a value.
pub(super) fn value(what: &'static str, limit: f64, unit: fn(f64) -> String, measured: Option<Spread>) -> Row {
    Row { what, maximum: unit(limit), measured: measured.into_iter().collect(), limit, unit, why: "" }
}

fn calls(figures: &Figures) -> Vec<Row> {
    use Metric::{
        EchoP50, Flight, LastingMean, ListP50, Pipelined, SearchP50, SequentialCpu, SequentialP50, SyncCpu, SyncP50,
    };
    let wanted = [
        ("one call at a time, `async fn add`, p50", SequentialP50, SequentialP50, FLOOR, 1.2, ""),
        ("the same, processor time of the server", SequentialCpu, SequentialCpu, FLOOR, 1.2, ""),
        ("one call at a time, plain `fn add`, p50", SyncP50, SequentialP50, FLOOR, 1.2, ""),
        ("the same, processor time of the server", SyncCpu, SequentialCpu, FLOOR, 1.2, ""),
        ("one call at a time for a second, `async fn add`, mean", LastingMean, LastingMean, FLOOR, 1.2, ""),
        ("100,000 pipelined calls", Pipelined, Pipelined, FLOOR, 0.8, ""),
        ("64 calls in flight", Flight, Flight, BATCH, 1.1, WHY_IN_FLIGHT),
        ("nested `search`, structured output, validated, p50", SearchP50, SearchP50, FLOOR, 1.5, WHY_SEARCH),
        ("echo of 1 MiB, p50", EchoP50, EchoP50, FLOOR, 1.15, ""),
        ("`tools/list` of 100 tools, p50", ListP50, ListP50, FLOOR, 1.2, ""),
    ];
    let ratio = |metric, base_metric, base: &'static str| {
        BOTH.map(|setting| figures.ratio(Part::Calls, (metric, (OURS, setting)), (base_metric, (base, setting))))
    };
    let make = |(what, metric, base_metric, base, limit, why)| {
        row(what, limit, contender::title(base), ratio(metric, base_metric, base)).why(why)
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
        row("goal: start of the process to the reply to `initialize`", 1.0, "rmcp", to_rmcp(Initialize)).why(WHY_START),
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
        row("99th percentile of a request over HTTP", 1.0, "rmcp", ratio(Metric::RequestP99, RMCP)).why(WHY_HTTP),
    ]
}

/// Ours beside the best of all peers, which may be a different one in each round.
fn to_best(figures: &Figures, part: Part, metric: Metric) -> Option<Spread> {
    let servers = figures.servers(part, metric, Setting::FREE);
    let peers = servers.into_iter().filter(|key| !contender::is_ours_or_floor(key));
    let ratio = |peer| figures.ratio(part, (metric, (OURS, Setting::FREE)), (metric, (peer, Setting::FREE)));
    peers.filter_map(ratio).max_by(|a, b| a.median.total_cmp(&b.median))
}

fn in_process(figures: &Figures) -> Vec<Row> {
    let time = |key| (Metric::InProcessTime, (key, Setting::FREE));
    let ratio = figures.ratio(Part::Instructions, time(MOUNT), time(RMCP));
    vec![row("a call of a server that is mounted in an agent session", 1.0, "rmcp through its in-memory duplex", [ratio])]
}

fn builds(figures: &Figures) -> Vec<Row> {
    use Metric::{Binary, Check, CleanBuild, CleanBuildCpu, Crates, Expansion, NewProjectTest, Rebuild, RebuildCpu};
    let free = |key| (key, Setting::FREE);
    let ratio = |metric, base| figures.ratio(Part::Builds, (metric, free(OURS)), (metric, free(base)));
    let ours = |metric| figures.spread(Part::Builds, (metric, free(OURS)));
    // If the limit holds for the lesser peer, it holds for both.
    let validating = |metric| {
        let both = [TOWER_VALIDATE, TURBO].map(|peer| ratio(metric, peer));
        [both.into_iter().flatten().max_by(|a, b| a.median.total_cmp(&b.median))]
    };
    let measured = [TOWER_VALIDATE, TURBO].into_iter().filter(|peer| ratio(Binary, peer).is_some());
    let names: Vec<&str> = measured.map(contender::title).collect();
    let lesser = match names[..] {
        [one] => one.to_owned(),
        _ => format!("the lesser of {}", names.join(" and ")),
    };
    vec![
        value("goal: crates of `hello`", 75.0, count, ours(Crates)).why(WHY_CRATES),
        value("goal: `hello`, stripped", 4e6, file_size, ours(Binary)).why(WHY_BINARY),
        row("goal: `hello` built from scratch, processor time", 1.0, "rmcp", [ratio(CleanBuildCpu, RMCP)]).why(WHY_BUILD),
        value("goal: first `cargo test` of a new project", 30e9, time, ours(NewProjectTest)).why(WHY_NEW_PROJECT),
        row("`hello`, stripped", 1.0, &lesser, validating(Binary)),
        row("crates of `hello`", 1.0, &lesser, validating(Crates)),
        row("`hello` built from scratch, time", 1.0, &lesser, validating(CleanBuild)),
        row("`hello` built from scratch, processor time", 1.0, &lesser, validating(CleanBuildCpu)),
        row("build after an edit of one of 200 tools, time", 1.0, "rmcp", [ratio(Rebuild, RMCP)]),
        row("the same, processor time", 1.0, "rmcp", [ratio(RebuildCpu, RMCP)]),
        row("expansion of the macros of 200 tools", 1.0, "rmcp", [ratio(Expansion, RMCP)]),
        row("`cargo check` of 200 tools", 1.0, "rmcp", [ratio(Check, RMCP)]),
    ]
}

const WHY_IN_FLIGHT: &str = "A call is validated, counted against the limits, and can be cancelled; the floor does none of that. \
                             The difference is less than half a microsecond for a call.";

const WHY_SEARCH: &str = "The result is checked against `outputSchema` too, which the floor does not do.";

const WHY_HTTP: &str = "Where the slowest hundredth of the requests waits was not examined yet.";

const WHY_START: &str = "Most of the start is the work of the dynamic linker, which relocates the pointers of the program: the larger \
                          the program, the more of them. Then two threads are started, and the list of tools is built.";

const WHY_CRATES: &str = "More than half of them belong to the validator, jsonschema 0.46, which cannot leave any of them out. Newer \
                           versions can, but are larger and slower to build (ARCHITECTURE.md, Decisions).";

const WHY_BINARY: &str = "Validation: see \"Crates and bytes\". rmcp does not validate.";

const WHY_BUILD: &str = "The same crates as for the binary. rmcp does not validate.";

const WHY_NEW_PROJECT: &str = "Nearly all of it is the build of the dependencies, which happens once.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::units::size;

    #[test]
    fn a_row_says_by_how_much_its_limit_is_missed_and_why() {
        let spread = |value: f64| Spread::of([value]);
        let missed = row("start", 1.0, "rmcp", [spread(1.5), spread(1.2)]).why("It is larger.");
        assert!(!missed.is_met());
        assert_eq!(missed.missed(), "50 %. It is larger.");
        let met = value("memory", 1048576.0, size, spread(1048576.0)).why("It is larger.");
        assert!(met.is_met());
        assert_eq!((met.maximum.as_str(), met.missed().as_str()), ("1 MiB", ""));
    }
}
