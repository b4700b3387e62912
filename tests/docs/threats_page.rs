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

/// The surfaces that someone can attack, and the beginning of the heading of each.
const SURFACES: [(&str, &str); 8] = [
    ("web hub", "## The chat hub"),
    ("HTTP", "## Servers over HTTP"),
    ("mount", "## Servers in an agent session"),
    ("stdio", "## Servers over stdio"),
    ("client", "## The client"),
    ("inspector", "## The inspector"),
    ("project files", "## Files of a project"),
    ("install", "## Installation and releases"),
];

#[test]
fn each_surface_has_a_section_that_says_who_attacks_and_has_a_table() {
    let page = read("docs/threats.md");
    let sections: Vec<&str> = page.split("\n## ").skip(1).collect();
    for (surface, heading) in SURFACES {
        let heading = heading.trim_start_matches("## ");
        let section = sections.iter().find(|section| section.starts_with(heading));
        let section = section.unwrap_or_else(|| panic!("docs/threats.md has no section about {surface}: `## {heading}`"));
        assert!(section.contains("| attack | what stops it | test |"), "the section about {surface} has no table");
        assert!(section.contains("\nAttackers: "), "the section about {surface} does not say who attacks");
    }
}
