//! The page with the results: a table with a row for each crate or file, and the changes that no test noticed.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// The results for one crate, or for one file.
#[derive(Debug, Default, PartialEq)]
struct Results {
    noticed: usize,
    /// The changes that no test noticed, as cargo-mutants describes them.
    missed: Vec<String>,
    /// The number of changes that do not compile.
    invalid: usize,
}

const TABLE: &str = "|---|---|---|---|---|---|---|\n";
const MISSED: &str = "## Missed changes\n\n";

/// Replaces the row of the package, or those of its files, and the list of changes that were missed.
pub(super) fn update(page: &Path, output: &Path, package: &str, part: Option<&str>, by_file: bool) -> io::Result<()> {
    let lines = |name: &str| fs::read_to_string(output.join(name)).unwrap_or_default();
    let mut results: BTreeMap<String, Results> = BTreeMap::new();
    for (name, text) in ["caught.txt", "timeout.txt", "missed.txt", "unviable.txt"].map(|name| (name, lines(name))) {
        for line in text.lines() {
            // A line is `file:line:column: description`.
            let file = line.split(':').next().unwrap_or_default();
            let results = results.entry(if by_file { file } else { package }.to_owned()).or_default();
            match name {
                "missed.txt" => results.missed.push(line.to_owned()),
                "unviable.txt" => results.invalid += 1,
                _ => results.noticed += 1,
            }
        }
    }
    let text = fs::read_to_string(page)?;
    fs::write(page, with(&text, &results, part).ok_or_else(|| io::Error::other("the page has no table"))?)
}

/// Returns the page with these rows and missed changes added or replaced.
fn with(page: &str, results: &BTreeMap<String, Results>, part: Option<&str>) -> Option<String> {
    let (before, rest) = page.split_once(TABLE)?;
    let (old_rows, rest) = lines(rest, '|');
    let (between, rest) = rest.split_once(MISSED)?;
    let (old_missed, after) = lines(rest, '-');
    let key = |line: &&str| line.split('`').nth(1).unwrap_or_default().to_owned();
    let is_kept = |line: &&str| !results.contains_key(&key(line));
    let mut rows: BTreeMap<String, String> =
        old_rows.lines().filter(is_kept).map(|row| (key(&row), row.to_owned())).collect();
    let mut missed: Vec<String> = old_missed.lines().filter(is_kept).map(str::to_owned).collect();
    for (name, Results { noticed, missed: lines, invalid }) in results {
        let viable = noticed + lines.len();
        let share = (100 * noticed).checked_div(viable).map_or("-".to_owned(), |share| format!("{share} %"));
        let tested =
            part.and_then(|part| part.split_once('/')).map_or("all".to_owned(), |(_, parts)| format!("1 of {parts}"));
        let row = format!("| `{name}` | {tested} | {viable} | {noticed} | {} | {share} | {invalid} |", lines.len());
        rows.insert(name.clone(), row);
        missed.extend(lines.iter().map(|line| format!("- `{name}`: {line}")));
    }
    missed.sort();
    let rows = rows.values().fold(String::new(), |text, row| text + row + "\n");
    let missed = missed.iter().fold(String::new(), |text, line| text + line + "\n");
    Some(format!("{before}{TABLE}{rows}{between}{MISSED}{missed}{after}"))
}

/// Splits off the lines that begin with this character.
fn lines(text: &str, first: char) -> (&str, &str) {
    text.split_at(text.split_inclusive('\n').take_while(|line| line.starts_with(first)).map(str::len).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "Text.\n\n| what | a | b | c | d | e | f |\n|---|---|---|---|---|---|---|\n\
         | `b` | all | 2 | 1 | 1 | 50 % | 0 |\n\nMore.\n\n## Missed changes\n\n- `b`: b/x.rs:1:2: replace f\n\nThe end.\n";

    #[test]
    fn rows_and_missed_changes_are_replaced_and_others_are_kept() {
        let missed = vec!["a/x.rs:4:2: replace h".to_owned()];
        let page = with(PAGE, &BTreeMap::from([("a".to_owned(), Results { noticed: 4, missed, invalid: 2 })]), Some("0/40"));
        let page = page.unwrap();
        assert!(page.contains("| `a` | 1 of 40 | 5 | 4 | 1 | 80 % | 2 |\n| `b` | all | 2 | 1 | 1 | 50 % | 0 |\n\nMore."));
        assert!(page.contains("- `a`: a/x.rs:4:2: replace h\n- `b`: b/x.rs:1:2: replace f\n\nThe end.\n"), "{page}");
        let again = with(&page, &BTreeMap::from([("b".to_owned(), Results { noticed: 2, ..Results::default() })]), None);
        let again = again.unwrap();
        assert!(again.contains("| `b` | all | 2 | 2 | 0 | 100 % | 0 |") && !again.contains("b/x.rs"), "{again}");
        assert!(again.contains("- `a`: a/x.rs:4:2"));
    }

    #[test]
    fn results_are_counted_by_package_or_by_file() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page.md");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("caught.txt", "a/x.rs:1:2: replace f\na/y.rs:3:2: replace g\n");
        write("missed.txt", "a/x.rs:4:2: replace h with (Vec::new())\n");
        for (by_file, rows) in [
            (false, &["| `a` | all | 3 | 2 | 1 | 66 % | 0 |"][..]),
            (true, &["| `a/x.rs` | all | 2 | 1 | 1 | 50 % | 0 |", "| `a/y.rs` | all | 1 | 1 | 0 | 100 % | 0 |"]),
        ] {
            write("page.md", PAGE);
            update(&page, folder.path(), "a", None, by_file).unwrap();
            let text = fs::read_to_string(&page).unwrap();
            assert!(rows.iter().all(|row| text.contains(row)), "{text}");
        }
    }
}
