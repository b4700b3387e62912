//! The page itself.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::bar::{self, Row};
use super::figures::Figures;
use super::pictures::{Picture, pictures};
use super::{agents, clients, contents, growth, method, tables};
use crate::record::{Part, Store};
use crate::statistics::Setting;

/// Writes `performance.md` and its plots to that folder.
pub(crate) fn write(store: &Store, folder: &Path) -> Result<()> {
    let figures = Figures::read(store)?;
    let plots = folder.join("performance");
    fs::create_dir_all(&plots).with_context(|| format!("{} cannot be made", plots.display()))?;
    let pictures = pictures(&figures);
    for Picture { file, svg, .. } in &pictures {
        fs::write(plots.join(format!("{file}.svg")), svg)?;
    }
    fs::write(folder.join("performance.md"), page(&figures, &pictures)).context("the page cannot be written")
}

fn page(figures: &Figures, pictures: &[Picture]) -> String {
    let mut page = INTRODUCTION.to_owned();
    let mut section = |title: &str, text: &str| {
        if !text.is_empty() {
            write!(page, "\n## {title}\n\n{}\n", text.trim_end()).expect("a string takes everything");
        }
    };
    section("What was measured", &method::measured(figures));
    section("Required limits and goals", &limits(&bar::rows(figures)));
    section("Plots", &shown(pictures));
    for (part, title, text) in sections() {
        if !figures.records(part).is_empty() {
            section(title, &text(figures));
        }
    }
    let faults: Vec<String> = figures.faults().iter().map(|fault| format!("- {}", summary(fault))).collect();
    section("Failures", &faults.join("\n"));
    section("What is not measured", method::NOT_MEASURED);
    section("Method", &method::method(figures));
    page
}

/// Returns the beginning of a failure in one line, with the names of files instead of their paths: the page must not show the
/// folders of the machine on which it was made.
fn summary(failure: &str) -> String {
    const LONGEST: usize = 130;
    let words = failure.split_whitespace().map(|word| {
        let is_path = word.trim_start_matches('"').starts_with('/');
        word.rsplit('/').next().filter(|_| is_path).unwrap_or(word)
    });
    let line = words.collect::<Vec<_>>().join(" ");
    line.chars().take(LONGEST).collect()
}

/// The part that a section needs, its title and its text.
type Section = (Part, &'static str, fn(&Figures) -> String);

fn sections() -> [Section; 17] {
    [
        (Part::Calls, "Calls", |figures| CALLS.to_owned() + &tables::calls(figures, Setting::FREE)),
        (Part::Calls, "Calls, on one processor", |figures| PINNED.to_owned() + &tables::calls(figures, Setting::PINNED)),
        (Part::Calls, "Variation between rounds", tables::spreads),
        (Part::Starts, "Start", |figures| START.to_owned() + &tables::starts(figures)),
        (Part::Memory, "Memory", |figures| MEMORY.to_owned() + &tables::memory(figures)),
        (Part::Tools, "Many tools", |figures| growth::section(figures, Part::Tools)),
        (Part::InFlight, "Many calls in flight", |figures| growth::section(figures, Part::InFlight)),
        (Part::Http, "Over HTTP", |figures| HTTP.to_owned() + &tables::http(figures)),
        (Part::Sessions, "Many sessions over HTTP", |figures| growth::section(figures, Part::Sessions)),
        (Part::Clients, "Clients", clients::section),
        (Part::Agents, "Agents", agents::section),
        (Part::Turns, "Agents: long sessions", |figures| growth::section(figures, Part::Turns)),
        (Part::Mounts, "Agents: many mounted servers", |figures| growth::section(figures, Part::Mounts)),
        (Part::History, "Agents: many stored sessions", |figures| growth::section(figures, Part::History)),
        (Part::Instructions, "Instructions", |figures| INSTRUCTIONS.to_owned() + &tables::instructions(figures)),
        (Part::Builds, "Building", tables::builds),
        (Part::Contents, "Crates and bytes", contents::section),
    ]
}

fn limits(rows: &[Row]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut table = LIMITS.to_owned();
    table.push_str(
        "| what | at most | all processors | one processor | met | missed by, and why |\n|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let cells = row.cells();
        let [free, pinned] = [0, 1].map(|place| cells.get(place).map_or("", String::as_str));
        let met = if row.is_met() { "yes" } else { "**no**" };
        writeln!(table, "| {} | {} | {free} | {pinned} | {met} | {} |", row.what, row.maximum, row.missed())
            .expect("a string takes everything");
    }
    table
}

fn shown(pictures: &[Picture]) -> String {
    let show = |Picture { file, title, .. }: &Picture| format!("![{title}](performance/{file}.svg)\n");
    pictures.iter().map(show).collect::<Vec<_>>().join("\n")
}

const INTRODUCTION: &str = "\
# Performance

The cost of servers, clients and agents with this project, beside other frameworks and beside programs written by hand. A minimal server
written by hand is called the floor. The benchmark command generates this page from what it has measured; do not edit it.

```sh
cargo run --release --package benches -- run            # everything
cargo run --release --package benches -- run --quick    # fewer rounds
cargo run --release --package benches -- run calls --only floor,ours
cargo run --release --package benches -- report         # generates this page again from the last measurements
```

It needs Linux. The other frameworks need npm and python3 with venv, the instruction counts need valgrind, and the HTTP part needs wrk.
If a program is missing, its rows are left out and the output says so. Run nothing else on the machine at the same time. Absolute
figures depend on the machine; ratios are similar on other machines.
";

const CALLS: &str = "\
Medians over the rounds. \"Processor\" is the processor time of the server for a call. Slow servers get fewer than 100,000 pipelined
calls. Each time is the time for one call.

";

const PINNED: &str = "Server and client share one processor, so no wake-up crosses processors.\n\n";

const LIMITS: &str = "\
Ratios are medians over the rounds, with the range of the middle half of the rounds in brackets. Where there are two columns, they
show the same measurement with all processors, and with server and client on one processor. A goal is what this project aims at; the
other limits must hold for a release.

Some limits were given up, because users do not notice the difference and the code was harder to read for them: instructions of a call,
idle memory beside the floor and beside other frameworks, and 100,000 pipelined calls beside rmcp.

";

const START: &str = "The time from starting the process to reading the first reply.\n\n";

const MEMORY: &str = "\
Memory is measured by the kernel: anonymous memory is what the server allocated, and resident memory also includes the pages of the
program file. For each page of the file that is used, the kernel maps the 64 KiB around it, so a larger program has more resident
memory. The peak is the peak during pipelined calls; the last column is their number.

";

const HTTP: &str = "\
Calls of the revision 2026-07-28, sent by wrk on 32 persistent connections. wrk has one thread; the server (`tools/benches/http`) has
its default number of threads. The floor returns the body of the request, which is the cost of HTTP alone. rmcp runs without sessions
and answers with JSON instead of an event stream, which is its fastest configuration.

";

const INSTRUCTIONS: &str = "\
Counted by callgrind: the difference between a long and a short run, divided by the number of extra calls. So start and shutdown do not
count. \"In the same process\" means without pipes: the request is passed as text and the response is appended to a buffer; the cost of
the loop around the calls is subtracted. The counts of servers with several threads vary a little.

";

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn a_failure_is_shown_in_one_short_line_without_folders() {
        let failure = format!(
            "client: /home/ada/python /home/ada/client.py 3: exit status: 1\n  File \"/home/ada/x.py\", {}",
            "x".repeat(500)
        );
        let line = summary(&failure);
        assert!(line.starts_with("client: python client.py 3: exit status: 1 File x.py\", xxx"), "{line}");
        assert!(line.len() <= 130 && !line.contains("/home"), "{line}");
        assert_eq!(summary("calls: 2 tools/list are missing"), "calls: 2 tools/list are missing");
    }
}
