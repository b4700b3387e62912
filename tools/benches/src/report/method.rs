//! The sections about how, when and where the figures were measured.

use super::figures::Figures;
use super::tables::head;
use crate::agents::AGENTS;
use crate::clients::CLIENTS;
use crate::contender::{self, ATTR, BATCH, PIPES, RMCP, RUST_SDK, TURBO};
use crate::instructions::{MOUNT, SESSION};
use crate::record::{Circumstances, Part};

/// The parts with their dates, plans and programs, and the machine.
pub(super) fn measured(figures: &Figures) -> String {
    let mut table = head("part", ["date", "plan", "minutes", "programs"]).replace("--:", "---");
    let mut machines: Vec<&str> = Vec::new();
    let mut dates: Vec<&str> = Vec::new();
    for part in Part::ALL {
        let Some(Circumstances { date, plan, seconds, machine }) = figures.circumstances(part) else { continue };
        let minutes = seconds / 60.0;
        table.push_str(&format!("| {} | {date} | {plan} | {minutes:.1} | {} |\n", part.name(), programs(figures, part)));
        machines.extend((!machines.contains(&machine.as_str())).then_some(machine.as_str()));
        dates.extend((!dates.contains(&date.as_str())).then_some(date.as_str()));
    }
    let missing: Vec<&str> =
        Part::ALL.into_iter().filter(|part| figures.circumstances(*part).is_none()).map(Part::name).collect();
    if machines.is_empty() {
        return "Nothing yet.".to_owned();
    }
    let mut text = format!("{}\n", machines.iter().map(|machine| format!("Machine: {machine}.\n")).collect::<String>());
    text.push_str("A row of the other tables compares only programs that were measured in the same run.");
    if dates.len() > 1 {
        text.push_str(" The parts were measured on different days.");
    }
    if !missing.is_empty() {
        text.push_str(&format!(" Not measured: {}.", missing.join(", ")));
    }
    format!("{text}\n\n{table}")
}

/// The titles of the programs that have figures in a part.
fn programs(figures: &Figures, part: Part) -> String {
    let all: Vec<(&str, &str)> = match part {
        Part::Contents => return "this project".to_owned(),
        Part::Agents | Part::Turns => AGENTS.into(),
        Part::Clients => CLIENTS.into(),
        _ => contender::ALL.into(),
    };
    let in_process = [(SESSION, "this project, `Session`"), (MOUNT, "this project, as an agent mounts it")];
    let known = all.into_iter().chain(in_process).filter(|(key, _)| figures.has(part, key));
    known.map(|(_, title)| title).collect::<Vec<_>>().join(", ")
}

/// Sentences about the method, those that fit what was measured.
pub(super) fn method(figures: &Figures) -> String {
    let part = |part| !figures.records(part).is_empty();
    let server = |key: &str| Part::ALL.into_iter().any(|part| figures.has(part, key));
    let calls = [Part::Calls, Part::Tools, Part::InFlight, Part::Memory].into_iter().any(part);
    let sentences = [
        (calls, TOOLS),
        (calls, CHECKED),
        (part(Part::Calls), SIDE_BY_SIDE),
        (part(Part::Calls), INITIAL_STATE),
        (calls, ONE_THREAD),
        (calls && server(BATCH), FLOOR),
        (calls, PROCESSOR_TIME),
        (server(RMCP) && server(PIPES), TWO_RMCP),
        (server(RUST_SDK), "rust-mcp-sdk 2 speaks the stateless revision only, so its requests are longer."),
        (server(ATTR), "mcp-attr has no structured output, so it is not measured with `search`."),
        (
            server(TURBO),
            "turbomcp may refuse calls when very many are pipelined; refused calls do not count as wrong answers.",
        ),
        (true, RELEASE),
        (part(Part::Builds), BUILDS),
    ];
    sentences.into_iter().filter(|(fits, _)| *fits).map(|(_, text)| format!("- {text}\n")).collect()
}

/// What users might look for and not find.
pub(super) const NOT_MEASURED: &str = "\
- The speed and the memory of the inspector and of the web hub. A test of the hub (`crates/mcp-agent-web/tests/memory.rs`) checks that its
  memory stays bounded while watchers do not read.
- Calls over SSE of the revision 2024-11-05, TLS, and networks other than the loopback interface.
- Other systems than Linux.";

const TOOLS: &str = "\
The tools are `add`, `echo` and `search` (`tools/benches/examples/bench.rs`; the other frameworks are in `tools/benches/peers`, each
  used as its documentation shows).";

const CHECKED: &str = "\
**Every reply is checked**: it has the id of a request and is the only reply with that id, the sum is correct, the echo is equal, and
  every search result is correct. A server with one wrong reply has no figures. Requests are prepared before the timed part, and replies
  are checked after it.";

const SIDE_BY_SIDE: &str = "\
**Side by side**: each round measures all servers, and each round begins with a different one. No other server runs during a measurement:
  idle processes, such as Node and Python, wake up from time to time, and that can move the measured server to another processor. A ratio
  compares measurements of the same round; the page shows the median of these ratios.";

const INITIAL_STATE: &str = "\
**Same initial state**: for each row the server is restarted and left idle for a tenth of a second (servers in interpreted
  languages are started once per round). Linux then keeps server and client on one processor for about 40 to 60 ms. After that it
  sometimes moves one of them to the other processor. Each call then has to wake a sleeping processor and takes ten times as long, also
  with the floor. The measurements of one call at a time end before that, except those of the row \"for a second\", which includes both.";

const ONE_THREAD: &str =
    "The client has one thread. It waits in `read`, as most clients do, and while it cannot write it reads.";

const FLOOR: &str = "\
The floor is a loop over lines with serde_json (`tools/benches/src/bin/floor.rs`). It flushes after each reply; \"floor,
  batching\" flushes when no more input is buffered. Its reply to `tools/list` has the same bytes as the reply of this project.";

const PROCESSOR_TIME: &str = "\
Processor time is the sum over all threads of the server's process. Memory is read from `smaps_rollup` every millisecond, in runs that
  are not timed.";

const TWO_RMCP: &str = "\
rmcp is measured twice: as its documentation shows, and in its fastest configuration, with its router in a field and its transport for
  pipes.";

const RELEASE: &str = "\
All compiled programs, also of the other frameworks, are built by plain `cargo build --release`, as a user builds them: no link-time
  optimisation, no linker script. Rows with the profile of `cargo mcp new` are built with link-time optimisation and one codegen unit.";

const BUILDS: &str = "\
Builds from scratch start with downloaded crates and with an empty target folder. `hello` with rmcp has only the features that it needs.
  Builds after an edit are incremental, in the dev profile. The time of the macros is the one that the compiler reports.";

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::contender::OURS;
    use crate::metric::Metric;
    use crate::record::{Record, Store};

    fn figures(parts: &[(Part, &str)]) -> Figures {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().into()).unwrap();
        for (part, date) in parts {
            let metrics = BTreeMap::from([(Metric::Call, 1.0)]);
            let record = Record { server: OURS.into(), metrics, ..Record::default() };
            let (date, machine) = ((*date).to_owned(), "a processor".to_owned());
            let circumstances = Circumstances { date, plan: "quick".into(), seconds: 90.0, machine };
            store.keep(*part, &[record], &circumstances).unwrap();
        }
        Figures::read(&store).unwrap()
    }

    #[test]
    fn the_page_says_when_and_where_each_part_was_measured_and_what_is_missing() {
        let text = measured(&figures(&[(Part::Tools, "2026-01-30"), (Part::Agents, "2026-01-31")]));
        assert!(text.contains("| tools | 2026-01-30 | quick | 1.5 | this project |"), "{text}");
        assert!(text.contains("| agents | 2026-01-31 |"), "{text}");
        assert_eq!(text.matches("Machine: a processor.").count(), 1, "{text}");
        assert!(text.contains("measured on different days"), "{text}");
        assert!(text.contains("Not measured: calls, starts,") && !text.contains("tools,"), "{text}");
        assert!(!measured(&figures(&[(Part::Tools, "2026-01-30")])).contains("different days"));
    }

    #[test]
    fn the_method_names_only_servers_that_were_measured() {
        let text = method(&figures(&[(Part::Tools, "2026-01-30")]));
        assert!(text.contains("Every reply is checked"), "{text}");
        assert!(
            !text.contains("turbomcp") && !text.contains("rmcp is measured twice") && !text.contains("Builds from"),
            "{text}"
        );
    }
}
