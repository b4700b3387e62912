//! Every test that `docs/survival.md` names exists, and its table is complete.

use std::fs;
use std::path::Path;

#[test]
fn every_fault_has_a_number_and_every_named_test_exists() {
    let page = read("docs/survival.md");
    let (_, faults) = page.split_once("\n## Every known fault").expect("the list of faults");
    let (faults, rest) = faults.split_once("\n## Hostile servers").expect("the table of hostile servers");
    let (_, guarantees) = rest.split_once("\n## Guarantees").expect("the list of guarantees");
    let mut next = 1;
    for row in faults.lines().chain(guarantees.lines()).filter(|line| line.starts_with("| ") && line.contains('`')) {
        let cells: Vec<&str> = row.trim_matches(['|', ' ']).split(" | ").collect();
        let tests = cells.last().expect("a row has cells");
        if let Ok(number) = cells[0].parse::<u32>() {
            assert_eq!(number, next, "{row}");
            next += 1;
        }
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test is named: {row}");
        for name in names {
            assert!(exists(name), "the test {name} does not exist: {}", cells[0]);
        }
    }
    assert_eq!(next, 63, "there are 62 faults");
}

#[test]
fn the_table_has_every_case_and_this_project_passes_all() {
    let (page, torture) = (read("docs/survival.md"), read("tools/torture/torture.py"));
    let (_, table) = page.split_once("<!-- table -->").expect("the table");
    let (table, _) = table.split_once("<!-- /table -->").expect("the end of the table");
    let rows: Vec<Vec<&str>> =
        table.trim().lines().map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect()).collect();
    assert!(rows[0].len() == 7 && rows[0][3] == "this project", "this project and three others: {:?}", rows[0]);
    let cases: Vec<&str> =
        torture.split("\ndef ").skip(1).filter_map(|function| function.split_once("(s):").map(|(name, _)| name)).collect();
    let cases: Vec<&str> = cases.into_iter().filter(|name| !name.contains(['(', '\n'])).collect();
    let listed: Vec<&str> = rows[2..rows.len() - 1].iter().map(|row| row[1]).collect();
    assert_eq!(listed, cases);
    for row in &rows[2..rows.len() - 1] {
        assert!(row[3].starts_with("**OK**"), "{row:?}");
        let graded =
            |cell: &&&str| ["**OK**", "**WEAK**", "**HANG**", "**DEAD**", "not tried"].iter().any(|g| cell.starts_with(g));
        assert_eq!(row[3..].iter().filter(graded).count(), 4, "{row:?}");
    }
}

#[test]
fn the_table_of_hostile_servers_has_every_case_and_this_project_passes_all() {
    let page = read("docs/survival.md");
    let (_, table) = page.split_once("<!-- clients -->").expect("the table");
    let (table, _) = table.split_once("<!-- /clients -->").expect("the end of the table");
    let rows: Vec<Vec<&str>> =
        table.trim().lines().map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect()).collect();
    assert_eq!(rows[0][3], "this project", "{:?}", rows[0]);
    let listed: Vec<&str> = rows[2..rows.len() - 1].iter().map(|row| row[1]).collect();
    let mut cases = Vec::new();
    for file in ["stdio_cases.py", "http_cases.py"] {
        let source = read(&format!("tools/torture/servers/{file}"));
        let names = source.split("\n@case(").skip(1).filter_map(|case| case.split_once("\ndef ")?.1.split_once('('));
        cases.extend(names.map(|(name, _)| name.to_owned()));
    }
    assert_eq!(listed, cases);
    for row in &rows[2..rows.len() - 1] {
        assert!(row[3].starts_with("**OK**"), "{row:?}");
    }
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns whether a test exists, given as `T:case`, `F:target`, `file::test` or a file.
pub(crate) fn exists(name: &str) -> bool {
    match (name.split_once("::"), name.split_once(':')) {
        (Some((file, test)), _) => {
            let source = read(file);
            // The function must have a test attribute.
            source.find(&format!("fn {test}(")).is_some_and(|at| {
                let before = source[..at].rsplit("\n\n").next().unwrap_or_default();
                before.contains("#[test]") || before.contains("#[tokio::test") || before.contains("proptest!")
            })
        }
        (None, Some(("T", case))) => read("tools/torture/torture.py").contains(&format!("\ndef {case}(s):")),
        (None, Some(("F", target))) => exists(&format!("tools/fuzz/fuzz_targets/{target}.rs")),
        _ => Path::new(env!("CARGO_MANIFEST_DIR")).join(name).exists(),
    }
}
