//! The sections and plots about what grows with a number.

use super::bar::{Row, row};
use super::figures::Figures;
use super::tables::head;
use super::units::{count, size, time};
use crate::agents::AGENTS;
use crate::contender::{self, OURS};
use crate::metric::Metric::{self, *};
use crate::plot::Line;
use crate::record::Part;
use crate::statistics::Setting;

/// What grows: the part, the metric, and how it is shown.
pub(super) struct Growth {
    /// The file of the plot, without the extension.
    pub(super) file: &'static str,
    pub(super) title: &'static str,
    /// The title of the x axis.
    pub(super) across: &'static str,
    pub(super) part: Part,
    pub(super) metric: Metric,
    pub(super) unit: fn(f64) -> String,
}

pub(super) const ALL: [Growth; 9] = [
    Growth {
        file: "tools",
        title: "Processor time of a call, by number of tools",
        across: "tools",
        part: Part::Tools,
        metric: CallCpu,
        unit: time,
    },
    Growth {
        file: "in-flight",
        title: "Time of a call, by number of calls in flight",
        across: "calls in flight",
        part: Part::InFlight,
        metric: Call,
        unit: time,
    },
    Growth {
        file: "turns",
        title: "Agent: processor time of a turn, by number of turns in the session",
        across: "turns",
        part: Part::Turns,
        metric: TurnCpu,
        unit: time,
    },
    Growth {
        file: "turns-memory",
        title: "Agent: peak memory of the program, by number of turns in the session",
        across: "turns",
        part: Part::Turns,
        metric: AgentPeak,
        unit: size,
    },
    Growth {
        file: "sessions",
        title: "HTTP: memory of each idle session, by number of sessions",
        across: "sessions",
        part: Part::Sessions,
        metric: SessionMemory,
        unit: size,
    },
    Growth {
        file: "sessions-call",
        title: "HTTP: time of a call, by number of idle sessions",
        across: "sessions",
        part: Part::Sessions,
        metric: Call,
        unit: time,
    },
    Growth {
        file: "mounts",
        title: "Agent: time of a call, by number of mounted servers",
        across: "mounted servers",
        part: Part::Mounts,
        metric: Call,
        unit: time,
    },
    Growth {
        file: "mounts-open",
        title: "Agent: time to open a session, by number of mounted servers",
        across: "mounted servers",
        part: Part::Mounts,
        metric: Open,
        unit: time,
    },
    Growth {
        file: "history",
        title: "Agent: time to list stored sessions, for each, by number of sessions",
        across: "stored sessions",
        part: Part::History,
        metric: HistoryFile,
        unit: time,
    },
];

/// The required limits: no cost of one call, session, turn or file may grow with their number.
pub(super) fn rows(figures: &Figures) -> Vec<Row> {
    let wanted: [(&'static str, f64, Part, Metric, u64, u64, &str); 8] = [
        ("processor time of a call among 10,000 tools", 1.1, Part::Tools, CallCpu, 4, 10_000, "among 4"),
        ("a call with 10,000 in flight", 1.1, Part::InFlight, Call, 100, 10_000, "with 100"),
        ("agent: processor time of a turn, in a session with 1,000", 1.1, Part::Turns, TurnCpu, 100, 1000, "with 100"),
        ("agent: peak memory of a session with 1,000 turns", 1.2, Part::Turns, AgentPeak, 10, 1000, "with 10"),
        ("HTTP: memory of each of 10,000 idle sessions", 1.2, Part::Sessions, SessionMemory, 100, 10_000, "of 100"),
        ("HTTP: a call among 10,000 idle sessions", 1.2, Part::Sessions, Call, 100, 10_000, "among 100"),
        ("agent: a call with 1,000 mounted servers", 1.2, Part::Mounts, Call, 10, 1000, "with 10"),
        ("agent: listing 10,000 stored sessions, for each", 1.2, Part::History, HistoryFile, 100, 10_000, "of 100"),
    ];
    let make = |(what, limit, part, metric, low, high, base)| {
        let at = |place| (metric, (OURS, Setting::at(place)));
        row(what, limit, base, [figures.ratio(part, at(high), at(low))])
    };
    wanted.into_iter().map(make).collect()
}

/// The programs and servers that these parts measure, with their titles.
fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let others = AGENTS.into_iter().filter(|(key, _)| *key != OURS);
    contender::ALL.into_iter().chain(others)
}

/// The lines of a plot.
pub(super) fn lines(figures: &Figures, growth: &Growth) -> Vec<Line> {
    let (part, metric) = (growth.part, growth.metric);
    let point = |key, place| Some((place as f64, figures.spread(part, (metric, (key, Setting::at(place))))?));
    let line = |(key, title): (&'static str, &str)| {
        let points: Vec<_> = figures.places(part).into_iter().filter_map(|place| point(key, place)).collect();
        let (name, role) = (title.replace('`', ""), super::pictures::role(key));
        (!points.is_empty()).then_some(Line { name, role, points })
    };
    names().filter_map(line).collect()
}

/// The tables of a part, with a column for each number.
pub(super) fn section(figures: &Figures, part: Part) -> String {
    let mut text = introduction(part).to_owned();
    for growth in ALL.iter().filter(|growth| growth.part == part) {
        let places = figures.places(part);
        let mut table = head("program", places.iter().map(|place| count(*place as f64)));
        for (key, title) in names() {
            let cell = |place: &u64| {
                let spread = figures.spread(part, (growth.metric, (key, Setting::at(*place))));
                spread.map_or_else(String::new, |spread| (growth.unit)(spread.median))
            };
            let cells: Vec<String> = places.iter().map(cell).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                table.push_str(&format!("| {title} | {} |\n", cells.join(" | ")));
            }
        }
        text.push_str(&format!("{}:\n\n{table}\n", growth.title));
    }
    text
}

fn introduction(part: Part) -> &'static str {
    match part {
        Part::Turns => {
            "One session with many prompts. In each turn the stand-in for the CLI makes ten calls, two hooks and two permission requests, \
             and sends 50 stream events. The start of the program and of the session do not count in the processor time.\n\n"
        }
        Part::Sessions => {
            "Sessions of the revision 2025-11-25 that were opened over one connection and are idle, without an open stream. The memory is \
             the anonymous memory of the server beyond that with one session, divided by their number. The limit on sessions is raised; \
             the default is 1,024. rmcp has its default session manager, and is measured with up to 10,000.\n\n"
        }
        Part::Mounts => "The CLI is in the same process: a call takes the path of a call of the CLI, without its pipes.\n\n",
        Part::History => {
            "Each stored session has ten turns (20 lines). The files are in the page cache. All sessions are listed, with titles.\n\n"
        }
        _ => "",
    }
}
