//! The plots of the page.

use super::figures::Figures;
use super::growth;
use super::units::{count, size, time};
use crate::agents::{PYTHON as AGENT_PYTHON, TYPESCRIPT as AGENT_NODE};
use crate::contender::{self, FASTMCP, FLOOR, NODE_SDK, NODE_SERVER, OURS, OURS_NEW, PYTHON};
use crate::metric::Metric;
use crate::plot::{Bar, Bars, Lines, Role};
use crate::record::Part;
use crate::statistics::Setting;

/// A plot, and its file name without the extension.
#[derive(Debug)]
pub(super) struct Picture {
    pub(super) file: &'static str,
    pub(super) title: String,
    pub(super) svg: String,
}

/// File, title, metric and format.
type Chart = (&'static str, &'static str, Part, Metric, fn(f64) -> String);

/// All plots that have measurements.
pub(super) fn pictures(figures: &Figures) -> Vec<Picture> {
    let shorter = "shorter is better, on a logarithmic scale; the mark shows the range of the middle half of the rounds";
    let bars: [Chart; 6] = [
        ("one-at-a-time", "One call at a time: median round trip", Part::Calls, Metric::SequentialP50, time),
        ("pipelined", "100,000 pipelined calls: time of one call", Part::Calls, Metric::Pipelined, time),
        ("search", "Nested search with structured output: median round trip", Part::Calls, Metric::SearchP50, time),
        ("start", "From the start of the process to the first reply", Part::Starts, Metric::Initialize, time),
        ("memory", "Peak of resident memory while 100,000 calls are pipelined", Part::Memory, Metric::PeakResident, size),
        ("instructions", "Instructions of the server for one call", Part::Instructions, Metric::AddInstructions, count),
    ];
    let mut pictures: Vec<Picture> = bars
        .into_iter()
        .filter_map(|(file, title, part, metric, format)| {
            let bars = bars_of(figures, part, metric);
            let plot = Bars { title: title.into(), note: shorter.into(), bars, format };
            (plot.bars.len() > 1).then(|| Picture { file, title: title.into(), svg: plot.svg() })
        })
        .collect();
    let lower = "lower is better, on a logarithmic scale";
    for growth in &growth::ALL {
        let (title, note, across) = (growth.title.to_owned(), lower.to_owned(), growth.across.to_owned());
        let lines = growth::lines(figures, growth);
        let plot = Lines { title: title.clone(), note, across, lines, format: growth.unit };
        if !plot.lines.is_empty() {
            pictures.push(Picture { file: growth.file, title, svg: plot.svg() });
        }
    }
    pictures
}

fn bars_of(figures: &Figures, part: Part, metric: Metric) -> Vec<Bar> {
    let servers = figures.servers(part, metric, Setting::FREE);
    let bar = |key| {
        let value = figures.spread(part, (metric, (key, Setting::FREE)))?;
        Some(Bar { name: name(key), role: role(key), value })
    };
    servers.into_iter().filter_map(bar).collect()
}

/// Removes the backticks, which a picture cannot show.
fn name(key: &str) -> String {
    contender::title(key).replace('`', "")
}

pub(super) fn role(key: &str) -> Role {
    match key {
        OURS | OURS_NEW => Role::Ours,
        NODE_SDK | NODE_SERVER | PYTHON | FASTMCP | AGENT_NODE | AGENT_PYTHON => Role::Interpreted,
        key if key.starts_with(FLOOR) => Role::Floor,
        _ => Role::Peer,
    }
}
