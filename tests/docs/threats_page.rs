//! Every row of `docs/threats.md` names tests that exist, or says that the attack is not prevented.

use crate::markdown::read;
use crate::survival_page::exists;

#[test]
fn every_threat_has_a_test_that_exists_or_is_not_prevented() {
    let page = read("docs/threats.md");
    let is_row = |line: &&str| line.starts_with("| ") && !line.starts_with("| attack |");
    let rows: Vec<&str> = page.lines().filter(is_row).collect();
    assert!(rows.len() > 40, "{} rows", rows.len());
    for row in rows {
        let cells: Vec<&str> = row.trim_start_matches("| ").split(" | ").collect();
        assert_eq!(cells.len(), 3, "{row}");
        let tests: Vec<&str> = cells[2].split('`').skip(1).step_by(2).collect();
        let is_open = cells[1].starts_with("**not prevented**");
        assert!(is_open == tests.is_empty(), "a row has tests, or is not prevented: {row}");
        for test in tests {
            assert!(exists(test), "the test {test} does not exist: {}", cells[0]);
        }
    }
}
