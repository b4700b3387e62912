//! The section about programs with an agent.

use super::bar::{Row, row, value};
use super::figures::Figures;
use super::tables::head;
use super::units::{size, time};
use crate::agents::{AGENTS, PYTHON, REAL, TYPESCRIPT};
use crate::contender::OURS;
use crate::metric::Metric::{self, *};
use crate::record::Part;
use crate::statistics::Setting;

/// The required limits.
pub(super) fn rows(figures: &Figures) -> Vec<Row> {
    let many = many(figures);
    let ratio = |metric: Metric, base: &'static str, at: u64| {
        let whose = |key| (metric, (key, Setting::at(at)));
        [figures.ratio(Part::Agents, whose(OURS), whose(base))]
    };
    let further = figures.spread(Part::Agents, (AgentFurther, (OURS, Setting::at(many))));
    vec![
        row("agent: a mounted call, p99", 0.5, "the TypeScript SDK", ratio(AgentCallP99, TYPESCRIPT, 1)),
        row("agent: a session with the real CLI, processor", 0.1, "the TypeScript SDK", ratio(AgentCpu, TYPESCRIPT, REAL)),
        row("agent: a session with the real CLI, processor", 0.1, "the Python SDK", ratio(AgentCpu, PYTHON, REAL)),
        row("agent: 50 sessions at once, processor", 0.1, "the TypeScript SDK", ratio(AgentCpu, TYPESCRIPT, many))
            .why(WHY_MANY),
        row("agent: 50 sessions at once, processor", 0.1, "the Python SDK", ratio(AgentCpu, PYTHON, many)),
        value("agent: peak memory of each further session", 1048576.0, size, further),
    ]
}

const WHY_MANY: &str =
    "A session takes 5 ms of processor time from its start to its end. Where that time goes was not examined yet.";

/// The number of sessions in the records with several.
fn many(figures: &Figures) -> u64 {
    figures.places(Part::Agents).into_iter().max().unwrap_or(1)
}

/// The text and the tables.
pub(super) fn section(figures: &Figures) -> String {
    let many = many(figures);
    let mut requests = head(
        "program",
        [
            "mounted call, p50",
            "p99",
            "longest",
            "20 parallel calls",
            "1 MiB in and out",
            "hook",
            "permission request",
            "event",
        ],
    );
    let mut costs = head(
        "program",
        [
            "one session, real CLI: time",
            "processor",
            "peak memory",
            "50 sessions: processor",
            "peak memory",
            "memory of each further session",
        ],
    );
    for (key, title) in AGENTS {
        let value = |metric, at| figures.spread(Part::Agents, (metric, (key, Setting::at(at)))).map(|spread| spread.median);
        let show = |metric, at, unit: fn(f64) -> String| value(metric, at).map_or_else(String::new, unit);
        let metrics =
            [AgentCallP50, AgentCallP99, AgentCallMax, AgentParallel, AgentLarge, AgentHook, AgentPermission, AgentEvent];
        requests.push_str(&format!("| {title} | {} |\n", metrics.map(|metric| show(metric, 1, time)).join(" | ")));
        let cells = [
            show(AgentTime, REAL, time),
            show(AgentCpu, REAL, time),
            show(AgentPeak, REAL, size),
            show(AgentCpu, many, time),
            show(AgentPeak, many, size),
            show(AgentFurther, many, size),
        ];
        costs.push_str(&format!("| {title} | {} |\n", cells.join(" | ")));
    }
    format!("{REQUESTS}{requests}\n{COSTS}{costs}")
}

const REQUESTS: &str = "\
A program opens a session, mounts a server with two tools, and has a hook and a permission callback. A stand-in for the CLI
(`tools/benches/src/bin/measuring_cli.rs`) sends requests one at a time, checks every answer, and measures the time from writing a
request to reading the answer, as the CLI waits for it. An event is a partial message of the model: its time is that between the
first and the last of many events as the program gets them, divided by their number.

";

const COSTS: &str = "\
The processor time and the peak of resident memory are those of the program alone, from its start to its end. With the real CLI the
session has one prompt, in which a scripted model calls a mounted tool. The 50 sessions run at once with the stand-in for the CLI.
The memory of each further session is the peak with 50 sessions, less the peak with one session that does the same, divided by 49.

";
