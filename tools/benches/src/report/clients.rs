//! The section about clients.

use super::bar::{Row, row};
use super::figures::Figures;
use super::tables::head;
use super::units::time;
use crate::clients::{CLIENTS, HAND_TOKIO, IN_PROCESS};
use crate::contender::{FLOOR, OURS, RMCP};
use crate::instructions::SESSION;
use crate::metric::Metric::{self, ClientFlight, ClientInProcess, ClientOne};
use crate::record::Part;
use crate::statistics::Setting;

const BOTH: [Setting; 2] = [Setting::FREE, Setting::PINNED];

/// The required limits. A third of the time is three times the throughput.
pub(super) fn rows(figures: &Figures) -> Vec<Row> {
    let ratio = |metric: Metric, base: &'static str| {
        BOTH.map(|setting| figures.ratio(Part::Clients, (metric, (OURS, setting)), (metric, (base, setting))))
    };
    let here = |key| (ClientInProcess, (key, Setting::at(IN_PROCESS)));
    vec![
        row("client: one call at a time", 1.3, "a client by hand, blocking", ratio(ClientOne, FLOOR)).why(WHY_ONE),
        row("client: one call at a time", 1.3, "a client by hand, on tokio", ratio(ClientOne, HAND_TOKIO)).why(WHY_ONE),
        row("client: 64 calls in flight", 0.333, "rmcp 3.8", ratio(ClientFlight, RMCP)).why(WHY_WORK),
        row(
            "client: a call in the same process",
            3.0,
            "`Session::receive`",
            [figures.ratio(Part::Clients, here(OURS), here(SESSION))],
        )
        .why(WHY_WORK),
    ]
}

const WHY_ONE: &str = "A call has a time limit, can be cancelled, and its result is checked; the clients by hand do none of that. On one \
                       processor nothing of it happens while the server works.";

const WHY_WORK: &str = "The client works for 4 to 5 microseconds on each call. Where that time goes was not examined yet.";

/// The text and the table.
pub(super) fn section(figures: &Figures) -> String {
    let mut table = head(
        "client",
        ["one at a time", "64 in flight", "one at a time, one processor", "64 in flight, one processor", "in process"],
    );
    let cell = |metric, key, setting| {
        figures.spread(Part::Clients, (metric, (key, setting))).map_or_else(String::new, |spread| time(spread.median))
    };
    for (key, title) in CLIENTS.into_iter().chain([(SESSION, "`Session::receive`, without a client")]) {
        let mut cells = Vec::new();
        for setting in BOTH {
            cells.extend([ClientOne, ClientFlight].map(|metric| cell(metric, key, setting)));
        }
        cells.push(cell(ClientInProcess, key, Setting::at(IN_PROCESS)));
        if cells.iter().any(|cell| !cell.is_empty()) {
            table.push_str(&format!("| {title} | {} |\n", cells.join(" | ")));
        }
    }
    TEXT.to_owned() + &table
}

const TEXT: &str = "\
The server is the floor, and each client starts it as a process. All calls are `add`, and every result is checked. Each time is the
mean time for one call. The clients by hand are in `tools/benches/src/bin/hand_client.rs`: one blocks in `read`, the other uses
the pipes of tokio, which a program needs that does something else at the same time.

";
