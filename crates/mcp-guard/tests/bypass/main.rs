//! Tables of attempts to bypass rules, with the expected decisions.
//!
//! Each table is a JSON array, one row for a tool use: `rules` names a set of `rule_sets.json`, `tool` and `input` are the tool
//! use, and `expected` is `allow`, `ask` or `deny`. The working directory of every row has the entries of `project.json`;
//! `${work}` and `${home}` in an input stand for it and for the home directory.
//!
//! On Windows only what is expected to be allowed may be allowed: a path of Unix such as `/etc/shadow` is asked about there.
//! `on_windows` is the decision about a name that is another file there.

// Not on Windows: the lines and paths are those of Unix.
#[cfg(unix)]
mod other_directory;
mod project;
mod tables;

use mcp_guard::Behavior;

use project::Project;
use tables::{Row, TABLES, behavior, fill_in, rows, rule_sets};

fn is_right(row: &Row, found: Behavior) -> bool {
    match &row.on_windows {
        Some(expected) if cfg!(windows) => found == behavior(expected),
        _ if cfg!(windows) => found != Behavior::Allow || row.expected == "allow",
        _ => found == behavior(&row.expected),
    }
}

/// Evaluates every row of a table and lists the rows with another decision.
fn check(table: &str) {
    let (rows, sets) = (rows(table), rule_sets());
    let project = Project::new();
    let mut wrong = Vec::new();
    for row in rows.iter().filter(|row| project.has_entries_of(&row.input)) {
        let set = sets.iter().find(|set| set.name == row.rules).expect("the set of rules exists");
        let input = fill_in(&row.input, &project.work, &project.home);
        let found = set.build(&project.work, &project.home).resolve(&row.tool, &input).behavior;
        if !is_right(row, found) {
            wrong.push(format!("{} {} with {}: {found:?} instead of {}", row.tool, row.input, row.rules, row.expected));
        }
    }
    assert!(!rows.is_empty() && wrong.is_empty(), "{}", wrong.join("\n"));
}

macro_rules! tables {
    ($($test:ident = $table:literal;)+) => {
        $(#[test]
        fn $test() {
            check($table);
        })+

        #[test]
        fn every_table_has_a_test() {
            let tested = [$($table),+];
            assert!(TABLES.iter().all(|(name, _)| tested.contains(name)));
        }
    };
}

tables! {
    a_denied_command_is_denied_in_every_spelling = "denied_commands";
    an_unclear_command_is_asked_about_if_a_deny_rule_exists = "unclear_commands";
    a_command_that_only_resembles_a_denied_one_is_not_denied = "similar_commands";
    only_commands_that_are_parsed_completely_are_allowed = "allowed_commands";
    a_command_that_may_open_a_denied_file_is_not_allowed = "commands_with_files";
    a_command_whose_effect_is_not_known_is_not_allowed = "other_programs";
    a_denied_path_is_denied_in_every_spelling = "denied_paths";
    an_allowed_path_does_not_allow_targets_outside_of_it = "allowed_paths";
    tools_are_matched_by_name_and_invalid_input_is_not_allowed = "tools";
    a_denied_command_is_denied_behind_every_program_that_runs_it = "wrapped_commands";
    a_field_of_an_unexpected_type_does_not_disable_rules = "unexpected_input";
}
