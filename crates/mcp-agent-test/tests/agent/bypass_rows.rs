//! Every row of the tables of attempts to bypass rules (`crates/mcp-guard/tests/bypass`), through the real CLI.
//!
//! The scripted model asks for one tool use after another, on a real file system. What is denied must have no effect, and the
//! model must not read it. Each row runs in both ways of asking: with [`Agent::rules_or`], which installs a hook and the
//! permission callback, and through the permission callback, with a hook that makes the CLI ask about everything. Without that
//! hook the CLI does not ask about what it allows itself: see `the_callback_alone_does_not_see_what_the_cli_allows_itself`.
//!
//! A command may name a program that is not installed. So each command that is not allowed must end with the reason of the
//! rules or with a question, and not with an error of the shell.

mod project;
// The tests of `mcp-guard` check the same tables.
#[path = "../../../mcp-guard/tests/bypass/tables.rs"]
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::{Arc, Mutex};

use mcp_agent::hook::PreToolUse;
use mcp_agent::message::TurnResult;
use mcp_agent::{Agent, Ask, Decision, Hook, HookOutput, PermissionMode, Session, Typed};
use mcp_agent_test::{Block, ToolResult, ToolUse, Turn, prompt};
use mcp_core::{Context, Server, ToolSpec, tool_fn};
use mcp_guard::{Reason, Rules};
use serde_json::{Value, json};

use project::{Project, SECRET};
use tables::{Row, TABLES, fill_in, rows, rule_sets};

use crate::test_setup::{TestSetup, read_run, setup_or_skip, within};

/// How the CLI asks the rules.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// With a hook and the permission callback, as `Agent::rules_or` installs them.
    Rules,
    /// With the permission callback, and a hook that makes the CLI ask about everything.
    AskedAboutEverything,
}

/// The ids of the tool uses that reached a hook, and of those that a user would have been asked about.
#[derive(Clone, Default)]
struct Notes {
    hooked: Arc<Mutex<BTreeSet<String>>>,
    asked: Arc<Mutex<BTreeSet<String>>>,
}

/// No test uses the network or another agent.
const STOPPED_BY_THE_TEST: &[&str] = &["WebFetch", "Agent", "Task"];

/// Configures the agent. Whoever is asked says no.
fn agent(setup: &TestSetup, rules: Rules, way: Way, notes: &Notes) -> Agent {
    let asked = Arc::clone(&notes.asked);
    let refuse = move |ask: Ask| {
        asked.lock().unwrap().insert(ask.tool_use_id.clone());
        std::future::ready(Decision::deny("the user said no"))
    };
    let hooked = Arc::clone(&notes.hooked);
    let agent = setup.agent().hook(Hook::<PreToolUse>::new(), move |call| {
        hooked.lock().unwrap().extend(call.tool_use_id().map(str::to_owned));
        let is_stopped = STOPPED_BY_THE_TEST.contains(&call.tool_name.as_str());
        async move { if is_stopped { PreToolUse::deny("stopped by the test") } else { HookOutput::pass() } }
    });
    let servers = [
        ("calc", vec!["add", "delete", "DELETE"]),
        ("calculator", vec!["add"]),
        ("CALC", vec!["add"]),
        ("files", vec!["read"]),
        ("filesystem", vec!["read"]),
        ("x", vec!["y"]),
    ];
    let agent = servers.into_iter().fold(agent, |agent, (name, tools)| {
        let tools = tools.into_iter().map(|tool| {
            let spec = ToolSpec::new(tool, "A tool.").input_schema(json!({"type": "object"}));
            tool_fn(spec, |_: Value, _: Context| async { SECRET })
        });
        agent.mount(name, Server::builder(name, "1.0.0").tools(tools.collect::<Vec<_>>()))
    });
    match way {
        Way::Rules => agent.rules_or(rules, refuse),
        Way::AskedAboutEverything => agent
            .hook(Hook::<PreToolUse>::new().block_on_failure(), |_| async { PreToolUse::ask() })
            .permission(move |ask| {
                let (decided, refuse) = (ask.decide(&rules), refuse.clone());
                async move {
                    match decided {
                        Some(decision) => decision,
                        None => refuse(ask).await,
                    }
                }
            }),
    }
}

/// Returns the rows of all tables.
fn all_rows() -> Vec<Row> {
    TABLES.iter().flat_map(|(name, _)| rows(name)).collect()
}

/// Runs tool uses in one session of the CLI, `at_once` of them in each answer of the model. Returns their results by id.
async fn run(
    setup: &TestSetup,
    session: &mut Session,
    uses: &[(String, Row)],
    at_once: usize,
) -> (BTreeMap<String, ToolResult>, Typed<TurnResult>) {
    let block = |(id, row): &(String, Row)| Block::from(ToolUse::new(&row.tool, row.input.clone()).id(id).force());
    let turns = uses.chunks(at_once).map(|uses| Turn::of(uses.iter().map(block)));
    within(session.send(prompt("go", turns.chain([Turn::text("done")])))).await.unwrap();
    let result = read_run(session).await.1;
    let results = setup.model.tool_results().into_iter().map(|result| (result.tool_use_id.clone(), result)).collect();
    (results, result)
}

async fn check(set: &str, way: Way) {
    let setup = setup_or_skip!();
    let project = Project::new(&setup);
    let sets = rule_sets();
    let rules = sets.iter().find(|one| one.name == set).unwrap().build(&project.work, &project.home);
    let rows = all_rows().into_iter().filter(|row| row.rules == set).enumerate().map(|(index, row)| {
        let input = fill_in(&row.input, &project.work, &project.home);
        (format!("row_{index}"), Row { input, ..row })
    });
    let (allowed, stopped): (Vec<_>, Vec<_>) = rows.partition(|(_, row)| row.expected == "allow");
    let notes = Notes::default();
    let mut session = within(agent(&setup, rules.clone(), way, &notes).open()).await.unwrap();

    let before = project.snapshot();
    if !stopped.is_empty() {
        let (results, _) = run(&setup, &mut session, &stopped, 20).await;
        let asked = notes.asked.lock().unwrap().clone();
        for (id, row) in &stopped {
            let (result, row_text) = (&results[id], format!("{set}: {} {}", row.tool, row.input));
            // What no rule is about is left to the CLI, which runs commands that it knows to be harmless.
            let is_left_to_cli = matches!(way, Way::Rules) && row.expected == "ask" && no_rule_is_about(&rules, row);
            assert!(result.is_error || is_left_to_cli, "{row_text} ran: {}", result.text);
            assert!(!result.text.contains(SECRET), "{row_text} was read");
            assert!(row.expected == "ask" || !asked.contains(id), "{row_text} is asked about, not denied");
            if row.tool == "Bash" && notes.hooked.lock().unwrap().contains(id) && !is_left_to_cli {
                let reason = rules.resolve(&row.tool, &row.input).reason();
                let is_by_rules = asked.contains(id) || result.text.contains(&reason);
                assert!(is_by_rules, "{row_text} was not stopped by the rules: {}", result.text);
            }
        }
        assert_eq!(project.snapshot(), before, "{set}: a denied tool use had an effect");
        check_that_rules_decided(&stopped, &notes, set);
    }
    if !allowed.is_empty() {
        let (results, result) = run(&setup, &mut session, &allowed, 1).await;
        let asked = notes.asked.lock().unwrap().clone();
        for (id, row) in &allowed {
            let row_text = format!("{set}: {} {}", row.tool, row.input);
            let is_denied = result.permission_denials.iter().any(|denial| denial.tool_use_id == *id);
            assert!(!asked.contains(id) && (!is_denied || row.tool == "WebFetch"), "{row_text}: {}", results[id].text);
            if row.tool == "Write" {
                let written = project.work.join(row.input["file_path"].as_str().unwrap());
                assert_eq!(fs::read_to_string(written).unwrap(), row.input["content"].as_str().unwrap(), "{row_text}");
            }
        }
        check_that_rules_decided(&allowed, &notes, set);
    }
    within(session.close()).await.unwrap();
}

fn no_rule_is_about(rules: &Rules, row: &Row) -> bool {
    matches!(rules.resolve(&row.tool, &row.input).why, Reason::Mode { .. })
}

/// Checks that the CLI asked about every command. It refuses some other rows itself: tools that it does not offer, input that
/// does not fit the tool.
fn check_that_rules_decided(rows: &[(String, Row)], notes: &Notes, set: &str) {
    let hooked = notes.hooked.lock().unwrap();
    let is_text = |text: &str| !text.contains(|c: char| c.is_control() && c != '\n' && c != '\t');
    let is_command = |row: &Row| row.tool == "Bash" && row.input["command"].as_str().is_some_and(is_text);
    for (id, row) in rows.iter().filter(|(_, row)| is_command(row)) {
        assert!(hooked.contains(id), "{set}: the CLI did not ask about {}", row.input);
    }
}

macro_rules! rule_sets_hold {
    ($($set:ident)+) => {
        const CHECKED: &[&str] = &[$(stringify!($set)),+];

        /// Tests that are named after the set of rules whose rows they run.
        mod the_rows_hold_with_rules_installed_for {
            $(#[tokio::test]
            async fn $set() {
                super::check(stringify!($set), super::Way::Rules).await;
            })+
        }

        /// Tests that are named after the set of rules whose rows they run.
        mod the_rows_hold_if_the_callback_is_asked_about_everything_for {
            $(#[tokio::test]
            async fn $set() {
                super::check(stringify!($set), super::Way::AskedAboutEverything).await;
            })+
        }
    };
}

rule_sets_hold! {
    all_but_rm_and_push bypass_but_rm only_git no_secrets no_edits bypass_no_edits secret_paths only_src some_tools
    no_secret_folder some_uses_denied
}

#[test]
fn every_row_of_every_table_has_a_test() {
    for row in all_rows() {
        assert!(CHECKED.contains(&row.rules.as_str()), "no test for the set of rules {}", row.rules);
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../mcp-guard/tests/bypass");
    let rows_in = |path: std::path::PathBuf| {
        let is_table = path.extension().is_some_and(|extension| extension == "json")
            && !path.ends_with("project.json")
            && !path.ends_with("rule_sets.json");
        let text = if is_table { fs::read_to_string(path).unwrap() } else { "[]".to_owned() };
        serde_json::from_str::<Vec<serde_json::Value>>(&text).unwrap().len()
    };
    let rows: usize = fs::read_dir(folder).unwrap().map(|entry| rows_in(entry.unwrap().path())).sum();
    assert_eq!(rows, all_rows().len(), "a table is not read");
}

#[tokio::test]
async fn without_rules_the_attempts_have_their_effects() {
    let setup = setup_or_skip!();
    let project = Project::new(&setup);
    let rules = Rules::new(&project.work).home(&project.home).mode(PermissionMode::BypassPermissions);
    let mut session = within(agent(&setup, rules, Way::Rules, &Notes::default()).open()).await.unwrap();
    let commands = ["sh -c 'rm x'", "git push", "cat secrets/key"];
    let row = |(index, command): (usize, &&str)| {
        let input = json!({"command": command, "description": "d"});
        (
            format!("row_{index}"),
            Row { rules: String::new(), tool: "Bash".into(), input, expected: "allow".into(), on_windows: None },
        )
    };
    let uses: Vec<_> = commands.iter().enumerate().map(row).collect();
    let before = project.snapshot();
    let (results, _) = run(&setup, &mut session, &uses, 1).await;
    assert!(!project.work.join("x").exists());
    assert!(project.snapshot().keys().any(|path| path.ends_with("refs/heads/main") && !before.contains_key(path)));
    assert_eq!(results["row_2"].text, SECRET);
    within(session.close()).await.unwrap();
}
