//! The tables, with one row for each server.

use super::figures::Figures;
use super::units::{count, file_size, size, time, times, with_spread};
use crate::builds::{NEW_PROFILE, TOOLS};
use crate::contender::{self, FLOOR, OURS, RMCP};
use crate::instructions::{MOUNT, SESSION};
use crate::metric::Metric;
use crate::record::Part;
use crate::statistics::Setting;

/// A column: heading, metric and format.
type Column = (&'static str, Metric, fn(f64) -> String);

/// The table of calls.
pub(super) fn calls(figures: &Figures, setting: Setting) -> String {
    let columns: [Column; 9] = [
        ("one at a time, p50", Metric::SequentialP50, time),
        ("p99", Metric::SequentialP99, time),
        ("processor", Metric::SequentialCpu, time),
        ("64 in flight", Metric::Flight, time),
        ("pipelined", Metric::Pipelined, time),
        ("processor", Metric::PipelinedCpu, time),
        ("`search`, p50", Metric::SearchP50, time),
        ("`tools/list` of 100", Metric::ListP50, time),
        ("echo of 1 MiB", Metric::EchoP50, time),
    ];
    let servers = figures.servers(Part::Calls, Metric::SequentialP50, setting);
    let mut table = table(figures, Part::Calls, setting, &servers, &columns);
    let sync: [Column; 2] = [("", Metric::SyncP50, time), ("", Metric::SyncCpu, time)];
    let cells = sync.map(|column| cell(figures, Part::Calls, OURS, setting, column));
    if figures.spread(Part::Calls, (Metric::SyncP50, (OURS, setting))).is_some() {
        let name = format!("{}, plain `fn`", contender::title(OURS));
        table.push_str(&format!("| {name} | {} |  | {} |  |  |  |  |  |  |\n", cells[0], cells[1]));
    }
    table
}

/// The table of start times.
pub(super) fn starts(figures: &Figures) -> String {
    let columns: [Column; 2] =
        [("to `initialize`", Metric::Initialize, time), ("to `server/discover`", Metric::Discover, time)];
    all(figures, Part::Starts, &columns)
}

/// The table of memory.
pub(super) fn memory(figures: &Figures) -> String {
    let columns: [Column; 5] = [
        ("anonymous, idle", Metric::IdleAnonymous, size),
        ("anonymous, peak", Metric::PeakAnonymous, size),
        ("resident, idle", Metric::IdleResident, size),
        ("resident, peak", Metric::PeakResident, size),
        ("calls pipelined", Metric::PipelinedCalls, count),
    ];
    all(figures, Part::Memory, &columns)
}

/// The table of HTTP requests.
pub(super) fn http(figures: &Figures) -> String {
    let mut table = head("server", ["requests a second", "of the floor", "p99", "of the floor"]);
    let titles = [(FLOOR, "axum handler that only echoes"), (OURS, contender::title(OURS)), (RMCP, contender::title(RMCP))];
    for (key, title) in titles {
        let columns: [Column; 2] =
            [("", Metric::Request, |time| count(1e9 / time)), ("", Metric::RequestP99, time as fn(f64) -> String)];
        let mut cells = Vec::new();
        for column in columns {
            let (own, floor) = ((column.1, (key, Setting::FREE)), (column.1, (FLOOR, Setting::FREE)));
            cells.push(cell(figures, Part::Http, key, Setting::FREE, column));
            // The rate is the inverse of the time.
            let (own, floor) = if column.1 == Metric::Request { (floor, own) } else { (own, floor) };
            cells.push(figures.ratio(Part::Http, own, floor).map_or_else(String::new, |ratio| with_spread(ratio, times)));
        }
        line(&mut table, title, cells);
    }
    table
}

pub(super) fn instructions(figures: &Figures) -> String {
    let columns: [Column; 4] = [
        ("`add`", Metric::AddInstructions, count),
        ("`add`, plain `fn`", Metric::SyncInstructions, count),
        ("`search`", Metric::SearchInstructions, count),
        ("`add` in the same process", Metric::InProcessInstructions, count),
    ];
    let mut table = head("server", columns.iter().map(|column| column.0).chain(["the same, time"]));
    let own = [(SESSION, "this project, `Session`"), (MOUNT, "this project, as an agent mounts it")];
    for (key, title) in contender::ALL.into_iter().chain(own) {
        let cells = columns.iter().map(|column| cell(figures, Part::Instructions, key, Setting::FREE, *column));
        let took = cell(figures, Part::Instructions, key, Setting::FREE, ("", Metric::InProcessTime, time));
        line(&mut table, title, cells.chain([took]).collect());
    }
    table
}

pub(super) fn builds(figures: &Figures) -> String {
    let hello: [Column; 4] = [
        ("`hello`, stripped", Metric::Binary, file_size),
        ("crates", Metric::Crates, count),
        ("from scratch", Metric::CleanBuild, time),
        ("processor", Metric::CleanBuildCpu, time),
    ];
    let many: [Column; 4] = [
        ("after an edit", Metric::Rebuild, time),
        ("processor", Metric::RebuildCpu, time),
        ("macros", Metric::Expansion, time),
        ("check", Metric::Check, time),
    ];
    let servers: Vec<&str> = contender::ALL.iter().map(|(key, _)| *key).collect();
    let table = |setting, columns: &[Column]| table(figures, Part::Builds, setting, &servers, columns);
    let mut text = format!("`hello` with the default release profile:\n\n{}", table(Setting::FREE, &hello));
    text += &format!("\nWith the release profile of `cargo mcp new`:\n\n{}", table(Setting::at(NEW_PROFILE), &hello));
    text += &format!("\nA crate with {TOOLS} tools:\n\n{}", table(Setting::FREE, &many));
    let new = cell(figures, Part::Builds, OURS, Setting::FREE, ("", Metric::NewProjectTest, time));
    if !new.is_empty() {
        text += &format!("\nThe first `cargo test` of a project of `cargo mcp new`, with downloaded crates: {new}.\n");
    }
    text
}

/// A table of all servers that have one of these metrics.
fn all(figures: &Figures, part: Part, columns: &[Column]) -> String {
    let servers: Vec<&str> = contender::ALL.iter().map(|(key, _)| *key).collect();
    table(figures, part, Setting::FREE, &servers, columns)
}

fn table(figures: &Figures, part: Part, setting: Setting, servers: &[&str], columns: &[Column]) -> String {
    let mut table = head("server", columns.iter().map(|column| column.0));
    for key in servers {
        let cells = columns.iter().map(|column| cell(figures, part, key, setting, *column));
        line(&mut table, contender::title(key), cells.collect());
    }
    table
}

fn cell(figures: &Figures, part: Part, key: &str, setting: Setting, (_, metric, unit): Column) -> String {
    figures.spread(part, (metric, (key, setting))).map_or_else(String::new, |spread| unit(spread.median))
}

/// The heading. Numbers are aligned to the right.
pub(super) fn head<S: AsRef<str>>(first: &str, columns: impl IntoIterator<Item = S>) -> String {
    let (mut names, mut rule) = (format!("| {first} |"), String::from("|---|"));
    for column in columns {
        names.push_str(&format!(" {} |", column.as_ref()));
        rule.push_str("--:|");
    }
    format!("{names}\n{rule}\n")
}

/// A row, unless it is empty.
fn line(table: &mut String, name: &str, cells: Vec<String>) {
    if cells.iter().any(|cell| !cell.is_empty()) {
        table.push_str(&format!("| {name} | {} |\n", cells.join(" | ")));
    }
}

/// The spread of the main metrics between rounds.
pub(super) fn spreads(figures: &Figures) -> String {
    let mut table = head("server", ["one at a time, p50", "64 in flight", "pipelined"]);
    for key in figures.servers(Part::Calls, Metric::SequentialP50, Setting::FREE) {
        let cell = |metric| {
            let spread = figures.spread(Part::Calls, (metric, (key, Setting::FREE)));
            spread.map_or_else(String::new, |spread| with_spread(spread, time))
        };
        let cells = [Metric::SequentialP50, Metric::Flight, Metric::Pipelined].map(cell);
        line(&mut table, contender::title(key), cells.into());
    }
    table
}
