//! What the binary of `hello` consists of: crates by dependency, and bytes of machine code by crate.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use anyhow::{Context, Result};

use super::clean::crates;
use super::package::Package;
use crate::contender::OURS;
use crate::folders::{Folders, finish};
use crate::metric::Metric;
use crate::progress::say;
use crate::record::Record;

/// One record for each dependency of this project, and one for each crate with machine code in `hello`. The name of the server
/// is that of the crate.
pub(crate) fn contents(folders: &Folders) -> Result<Vec<Record>> {
    say(format_args!("contents: hello of this project"));
    let hello = Package::hello(folders, OURS)?;
    let mut build = hello.cargo("build");
    // With these names a generic function of the standard library shows for which crate it was compiled.
    build.args(["--config", "build.rustflags=['-Csymbol-mangling-version=v0']"]);
    build.args(["--quiet", "--release", "--example", "hello"]);
    finish(build)?;
    let mut symbols = Command::new("nm");
    symbols.args(["--demangle", "--print-size", "--defined-only"]).arg(hello.target.join("release/examples/hello"));
    let symbols = finish(symbols).context("symbols are listed by nm (Debian: apt-get install binutils)")?;
    let all = crates(&hello, &[])?;
    let names: BTreeSet<String> = all.iter().map(|line| name(line).replace('-', "_")).collect();
    let mut records: Vec<Record> = sizes(&symbols, &names)
        .into_iter()
        .map(|(server, bytes)| Record { server, metrics: BTreeMap::from([(Metric::CodeSize, bytes)]), ..Record::default() })
        .collect();
    for line in crates(&hello, &["--depth", "3"])?.iter().filter(|line| !line.contains(" (/")) {
        let name = name(line);
        let without = crates(&hello, &["--prune", &id(line)])?;
        let own = all.len() - without.len();
        if own > 1 {
            let metrics = BTreeMap::from([(Metric::OwnCrates, own as f64)]);
            records.push(Record { server: name.to_owned(), metrics, ..Record::default() });
        }
    }
    Ok(records)
}

/// The name of a crate in a line of `cargo tree`.
fn name(line: &str) -> &str {
    line.split(' ').next().unwrap_or(line)
}

/// The crate with its version, as an argument of cargo: `idna@1.1.0`.
fn id(line: &str) -> String {
    line.split(' ').take(2).collect::<Vec<_>>().join("@").replace("@v", "@")
}

/// The bytes of machine code by crate. Code of other languages and of the compiler is `other`.
fn sizes(symbols: &str, crates: &BTreeSet<String>) -> BTreeMap<String, f64> {
    let mut sizes = BTreeMap::new();
    for line in symbols.lines() {
        let mut words = line.splitn(4, ' ');
        let (Some(_), Some(size), Some("t" | "T"), Some(symbol)) = (words.next(), words.next(), words.next(), words.next())
        else {
            continue;
        };
        let size = u64::from_str_radix(size, 16).unwrap_or(0);
        *sizes.entry(owner(symbol, crates)).or_insert(0.0) += size as f64;
    }
    sizes
}

/// The crate of a function: the first name of a crate in its path. `<serde_json::Value as core::fmt::Debug>::fmt` is in serde_json.
fn owner(symbol: &str, crates: &BTreeSet<String>) -> String {
    let words = symbol.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty());
    let mut standard = None;
    for word in words {
        if crates.contains(word) {
            return word.to_owned();
        }
        if ["std", "core", "alloc", "hashbrown"].contains(&word) {
            standard = Some("std");
        }
    }
    standard.unwrap_or("other").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_tree_names_a_crate_and_its_version() {
        assert_eq!(name("serde_derive v1.0.229 (proc-macro)"), "serde_derive");
        assert_eq!(id("serde_derive v1.0.229 (proc-macro)"), "serde_derive@1.0.229");
    }

    #[test]
    fn code_belongs_to_the_crate_that_its_path_names_first() {
        let crates = BTreeSet::from(["serde_json".to_owned(), "regex_syntax".to_owned()]);
        let symbols = "\
0000000000001000 0000000000000010 t <serde_json::value::Value as core::fmt::Debug>::fmt
0000000000001010 0000000000000020 T core::ptr::drop_in_place::<regex_syntax::hir::Hir>
0000000000001030 0000000000000001 t std::rt::init
0000000000001031 0000000000000002 t memcpy
0000000000001040 0000000000000100 r a_constant
0000000000001050 T no_size";
        let expected = [("other", 2.0), ("regex_syntax", 32.0), ("serde_json", 16.0), ("std", 1.0)];
        assert_eq!(sizes(symbols, &crates), expected.map(|(name, size)| (name.to_owned(), size)).into());
    }
}
