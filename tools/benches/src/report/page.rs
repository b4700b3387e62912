//! The page itself.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::bar::{self, Row};
use super::figures::Figures;
use super::pictures::{Picture, pictures};
use super::tables;
use crate::folders::finish;
use crate::metric::Metric;
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
        write!(page, "\n## {title}\n\n{}\n", text.trim_end()).expect("a string takes everything");
    };
    section("The bar", &bars(&bar::rows(figures)));
    section("Plots", &shown(pictures));
    if !figures.records(Part::Calls).is_empty() {
        section("Calls", &(CALLS.to_owned() + &tables::calls(figures, Setting::FREE)));
        section("Calls, on one processor", &(PINNED.to_owned() + &tables::calls(figures, Setting::PINNED)));
        section("How far the rounds lie apart", &tables::spreads(figures));
    }
    section("Start and memory", &(MEMORY.to_owned() + &tables::starts_and_memory(figures)));
    if !figures.records(Part::Tools).is_empty() {
        section("Many tools", &tables::growing(figures, Part::Tools, Metric::CallCpu));
    }
    if !figures.records(Part::InFlight).is_empty() {
        section("Many calls in flight", &tables::growing(figures, Part::InFlight, Metric::Call));
    }
    if !figures.records(Part::Http).is_empty() {
        section("Over HTTP", &(HTTP.to_owned() + &tables::http(figures)));
    }
    if !figures.records(Part::Instructions).is_empty() {
        section("Instructions", &(INSTRUCTIONS.to_owned() + &tables::instructions(figures)));
    }
    if !figures.records(Part::Builds).is_empty() {
        section("Building", &tables::builds(figures));
    }
    let faults = figures.faults();
    if !faults.is_empty() {
        let list: Vec<String> = faults.iter().map(|fault| format!("- {}", fault.replace('\n', " "))).collect();
        section("What went wrong", &list.join("\n"));
    }
    section("How it is measured", METHOD);
    section("The machine", &machine());
    page
}

fn bars(rows: &[Row]) -> String {
    let mut table =
        "Ratios are medians over the rounds, with the middle half of the rounds in brackets. The two columns are with all \
                     processors, and with server and client on one.\n\n"
            .to_owned();
    table.push_str("| what | at most | measured | on one processor | holds |\n|---|---|---|---|---|\n");
    for row in rows {
        let cells = row.cells();
        let [free, pinned] = [0, 1].map(|place| cells.get(place).map_or("", String::as_str));
        let holds = if row.holds() { "yes" } else { "**no**" };
        writeln!(table, "| {} | {} | {free} | {pinned} | {holds} |", row.what, row.bar).expect("a string takes everything");
    }
    table
}

fn shown(pictures: &[Picture]) -> String {
    let show = |Picture { file, title, .. }: &Picture| format!("![{title}](performance/{file}.svg)\n");
    pictures.iter().map(show).collect::<Vec<_>>().join("\n")
}

/// What the figures were taken on.
fn machine() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map(|(_, name)| name);
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    let version = |program: &str, argument: &str| {
        let mut command = Command::new(program);
        command.arg(argument);
        finish(command).map_or_else(|_| format!("no {program}"), |version| version.trim().to_owned())
    };
    format!(
        "{} ({count} processors), Linux {}, {}, {}.",
        model.unwrap_or("an unnamed processor"),
        version("uname", "-r"),
        version("rustc", "--version"),
        version("valgrind", "--version"),
    )
}

const INTRODUCTION: &str = "\
# Performance

What a call costs with this project, beside a server written by hand (the floor) and beside other frameworks, all with the same
tools. This page is written by the command that measures; do not edit it.

```sh
cargo run --release --package benches -- run            # everything: 30 minutes, once the peers are built
cargo run --release --package benches -- run --quick    # a first impression
cargo run --release --package benches -- run calls --only floor,ours
cargo run --release --package benches -- report         # this page again, of what was measured last
```

It needs Linux, and for the peers npm and python3 with venv; for instructions valgrind; for HTTP wrk. What cannot be had is left out, and said so.
Leave the machine alone meanwhile. Absolute figures are of one machine; ratios hold on others.
";

const CALLS: &str = "\
Medians over the rounds. \"Processor\" is the processor time of the server for a call. Slow servers get fewer than 100,000 calls
pipelined; the time is for one of them in any case.

";

const PINNED: &str = "Server and client share one processor, so nothing is woken on another one.\n\n";

const MEMORY: &str = "\
The time from starting the process to reading the first reply. Memory is what the kernel counts: anonymous is what the server
allocated, resident is everything, with the pages of its program. Of these the kernel maps 64 KiB around each that is used, so the
larger program seems to need more. The peak is that of calls pipelined, as many as the last column says.

";

const HTTP: &str = "\
Calls of the revision 2026-07-28, by wrk on 32 connections that stay open, with one thread for wrk and as many as it wants for the
server (`tools/benches/http`). The floor reads the body and gives it back: what HTTP alone costs. rmcp is without sessions, with one JSON
text for an answer, which is its quickest.

";

const INSTRUCTIONS: &str = "\
Counted by callgrind: those of many calls less those of fewer, divided by the difference, so that start and end do not count. In the
same process means without pipes: text in, text appended to a line, less what the loop around it costs. Servers with several threads vary a little.

";

const METHOD: &str = "\
- The tools are `add`, `echo` and `search` (`tools/benches/examples/bench.rs`; the peers are in `tools/benches/peers`, each as its documentation shows it).
- **Every reply is checked**: its id was asked and is answered once, the sum is right, the echo is equal, every hit of the search is
  right. A server with one wrong reply has no figures. Requests are made before, and replies checked after, the time that counts.
- **Side by side**: each round goes over all servers, starting with another one each time. A server is alone while it is measured:
  others that only wait, such as Node and Python, wake up now and then, and so decide on which processor the measured one runs. A ratio
  is taken within a round, and the median over the rounds is what is shown.
- **From the same start**: for each row the server is started anew and left alone for a tenth of a second (those in interpreted
  languages only once a round). Linux then leaves server and client on one processor for some 40 to 60 ms. After that it moves one
  of them to the other processor now and then, and there each call waits for a processor that sleeps: ten times as long, with the floor
  too. What is measured one at a time is over before that; the row \"for a second\" has both.
- One thread of the client does everything. It waits in `read`, as most clients do, and while it cannot write it reads.
- The floor is a loop over lines with serde_json (`tools/benches/src/bin/floor.rs`). It flushes after each reply; the batching one flushes
  when no more input is buffered. It answers `tools/list` with the very bytes that this project answers.
- Processor time is that of all threads of the server's process. Memory is read from `smaps_rollup` every millisecond, in runs that
  are not timed.
- rmcp is measured as its documentation shows it, and with its router in a field and its transport for pipes, which is its best.
  rust-mcp-sdk 2 speaks the stateless revision only, so its requests are longer.
- mcp-attr has no structured output, so it is not asked to search.
- turbomcp may refuse calls when very many are pipelined; those that it refuses are not calls that it answers wrongly.
- Everything that is compiled is built by plain `cargo build --release`, the peers too: no link-time optimisation, no linker script. It is
  what a user's own build gives.
- Builds: with nothing there but the downloads, in the release profile as cargo has it; edits in the dev profile, incrementally. The
  times of the compiler's passes are its own.";
