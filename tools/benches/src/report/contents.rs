//! The section about the crates and bytes of `hello`.

use super::figures::Figures;
use super::tables::head;
use super::units::{count, size};
use crate::metric::Metric::{self, CodeSize, OwnCrates};
use crate::record::Part;

/// How many crates with machine code have a row.
const SHOWN: usize = 14;

/// The text and the tables.
pub(super) fn section(figures: &Figures) -> String {
    let sorted = |metric: Metric| {
        let records = figures.records(Part::Contents).iter();
        let mut rows: Vec<(&str, f64)> =
            records.filter_map(|record| Some((record.server.as_str(), *record.metrics.get(&metric)?))).collect();
        rows.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        rows
    };
    let mut crates = head("dependency", ["crates that only it needs, with itself"]);
    for (name, own) in sorted(OwnCrates) {
        crates.push_str(&format!("| {name} | {} |\n", count(own)));
    }
    let code = sorted(CodeSize);
    let total: f64 = code.iter().map(|(_, bytes)| bytes).sum();
    let mut bytes = head("crate", ["machine code", "share"]);
    let rest: f64 = code.iter().skip(SHOWN).map(|(_, bytes)| bytes).sum();
    for (name, own) in code.into_iter().take(SHOWN).chain([("all others", rest)]) {
        bytes.push_str(&format!("| {name} | {} | {:.0} % |\n", size(own), own / total * 100.0));
    }
    format!("{CRATES}{crates}\n{BYTES}{bytes}")
}

const CRATES: &str = "\
What each dependency of `hello` adds to the number of crates: the crates that would not be built without it. Crates that two
dependencies share are in no row. `idna` is there for formats of JSON Schema such as `idn-email`. An application can replace its Unicode
tables by smaller crates, 16 crates less: `cargo update -p idna_adapter --precise 1.1.0`. A library cannot choose that for its users.

";

const BYTES: &str = "\
The machine code of `hello` by crate, with the default release profile, from the sizes of its functions. A generic function counts
for the first crate in its name that is not of the standard library. `std` is the standard library, `other` is C code and what the
compiler adds. The rest of the file is constants, tables (such as those of Unicode), and data for unwinding.

";
