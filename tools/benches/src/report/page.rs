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
use super::{agents, clients};
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
    section("Required limits", &limits(&bar::rows(figures)));
    section("Plots", &shown(pictures));
    if !figures.records(Part::Calls).is_empty() {
        section("Calls", &(CALLS.to_owned() + &tables::calls(figures, Setting::FREE)));
        section("Calls, on one processor", &(PINNED.to_owned() + &tables::calls(figures, Setting::PINNED)));
        section("Variation between rounds", &tables::spreads(figures));
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
    if !figures.records(Part::Clients).is_empty() {
        section("Clients", &clients::section(figures));
    }
    if !figures.records(Part::Agents).is_empty() {
        section("Agents", &agents::section(figures));
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
        section("Failures", &list.join("\n"));
    }
    section("Method", METHOD);
    section("The machine", &machine());
    page
}

fn limits(rows: &[Row]) -> String {
    let mut table =
        "Ratios are medians over the rounds, with the range of the middle half of the rounds in brackets. Both columns \
                     show the same measurement: with all processors, and with server and client on one processor.\n\n"
            .to_owned();
    table.push_str("| what | at most | all processors | one processor | met |\n|---|---|---|---|---|\n");
    for row in rows {
        let cells = row.cells();
        let [free, pinned] = [0, 1].map(|place| cells.get(place).map_or("", String::as_str));
        let met = if row.is_met() { "yes" } else { "**no**" };
        writeln!(table, "| {} | {} | {free} | {pinned} | {met} |", row.what, row.maximum)
            .expect("a string takes everything");
    }
    table
}

fn shown(pictures: &[Picture]) -> String {
    let show = |Picture { file, title, .. }: &Picture| format!("![{title}](performance/{file}.svg)\n");
    pictures.iter().map(show).collect::<Vec<_>>().join("\n")
}

/// Describes the machine of the measurements.
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

The cost of a call with this project, compared with other frameworks and with a minimal server written by hand, which is called the
floor. All have the same tools. The benchmark command generates this page; do not edit it.

```sh
cargo run --release --package benches -- run            # everything: 30 minutes after the other frameworks are built
cargo run --release --package benches -- run --quick    # fewer rounds
cargo run --release --package benches -- run calls --only floor,ours
cargo run --release --package benches -- report         # generates this page again from the last measurements
```

It needs Linux. The other frameworks need npm and python3 with venv, the instruction counts need valgrind, and the HTTP part needs wrk.
If a program is missing, its rows are left out and the page says so. Run nothing else on the machine at the same time. Absolute
figures depend on the machine; ratios are similar on other machines.
";

const CALLS: &str = "\
Medians over the rounds. \"Processor\" is the processor time of the server for a call. Slow servers get fewer than 100,000 pipelined
calls. Each time is the time for one call.

";

const PINNED: &str = "Server and client share one processor, so no wake-up crosses processors.\n\n";

const MEMORY: &str = "\
The time from starting the process to reading the first reply. Memory is measured by the kernel: anonymous memory is what the server
allocated, and resident memory also includes the pages of the program file. For each page of the file that is used, the kernel maps the
64 KiB around it, so a larger program has more resident memory. The peak is the peak during pipelined calls; the last column is their number.

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

const METHOD: &str = "\
- The tools are `add`, `echo` and `search` (`tools/benches/examples/bench.rs`; the other frameworks are in `tools/benches/peers`, each used as its
  documentation shows).
- **Every reply is checked**: it has the id of a request and is the only reply with that id, the sum is correct, the echo is equal, and
  every search result is correct. A server with one wrong reply has no figures. Requests are prepared before the timed part, and replies
  are checked after it.
- **Side by side**: each round measures all servers, and each round begins with a different one. No other server runs during a measurement:
  idle processes, such as Node and Python, wake up from time to time, and that can move the measured server to another processor. A ratio
  compares measurements of the same round; the page shows the median of these ratios.
- **Same initial state**: for each row the server is restarted and left idle for a tenth of a second (servers in interpreted
  languages are started once per round). Linux then keeps server and client on one processor for about 40 to 60 ms. After that it
  sometimes moves one of them to the other processor. Each call then has to wake a sleeping processor and takes ten times as long, also
  with the floor. The measurements of one call at a time end before that, except those of the row \"for a second\", which includes both.
- The client has one thread. It waits in `read`, as most clients do, and while it cannot write it reads.
- The floor is a loop over lines with serde_json (`tools/benches/src/bin/floor.rs`). It flushes after each reply; \"floor,
  batching\" flushes when no more input is buffered. Its reply to `tools/list` has the same bytes as the reply of this project.
- Processor time is the sum over all threads of the server's process. Memory is read from `smaps_rollup` every millisecond, in runs that
  are not timed.
- rmcp is measured twice: as its documentation shows, and in its fastest configuration, with its router in a field and its transport for
  pipes.
  rust-mcp-sdk 2 speaks the stateless revision only, so its requests are longer.
- mcp-attr has no structured output, so it is not measured with `search`.
- turbomcp may refuse calls when very many are pipelined; refused calls do not count as wrong answers.
- All compiled programs, also of the other frameworks, are built by plain `cargo build --release`, as a user builds them: no link-time
  optimisation, no linker script.
- Builds from scratch start with downloaded crates and with an empty target folder, in the default release profile. Builds after an edit
  are incremental, in the dev profile. The time of the macros is the one that the compiler reports.";
