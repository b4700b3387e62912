//! Permission rules in sessions of the real CLI: a denied tool use stays denied, even if the CLI would not ask.

use mcp_agent::Decision;
use mcp_agent_test::Turn;
use mcp_guard::{AuditLog, Layer, Rules};
use serde_json::{Value, json};

use crate::test_setup::{ask, setup_or_skip, within};

const SECRET: &str = "s3cr3t-content";

#[tokio::test]
async fn a_denied_file_can_be_read_neither_by_a_tool_nor_by_a_command() {
    let setup = setup_or_skip!();
    let work = setup.sandbox.work().canonicalize().unwrap();
    std::fs::write(work.join(".env"), SECRET).unwrap();
    let rules = Rules::new(&work).allow(Layer::User, "Bash").unwrap().deny(Layer::User, "Read(.env)").unwrap();
    let log = setup.sandbox.tmp().join("audit.jsonl");
    let rules = rules.audit(AuditLog::new(std::fs::File::create(&log).unwrap()));
    let mut session = within(setup.agent().rules(rules).open()).await.unwrap();
    let command = |command: &str| Turn::tool("Bash", json!({"command": command, "description": "read"}));
    let turns = [
        Turn::tool("Read", json!({"file_path": work.join(".env")})),
        command("cat .env"),
        command("cat $F .en?"),
        command("sh -c 'cat .env'"),
        command("echo harmless"),
        Turn::text("done"),
    ];
    assert_eq!(ask(&mut session, turns).await, "done");
    let results = setup.model.tool_results();
    assert_eq!(results.len(), 5);
    for result in &results[..4] {
        assert!(result.is_error && !result.text.contains(SECRET), "{}", result.text);
    }
    assert_eq!((results[4].text.as_str(), results[4].is_error), ("harmless", false));
    let log = std::fs::read_to_string(log).unwrap();
    let decided = [
        ["deny", "rule", "null"],
        ["deny", "rule", "null"],
        ["ask", "rule", "null"],
        ["deny", "answer", "false"],
        ["deny", "rule", "null"],
        ["allow", "rule", "null"],
    ];
    assert_eq!(decisions(&log), decided);
    assert!(!log.contains(SECRET), "{log}");
}

/// Returns decision, what decided, and answer of each line of an audit log.
fn decisions(log: &str) -> Vec<[String; 3]> {
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    lines.map(|line| ["behavior", "decided_by", "answer"].map(|field| text(&line[field]))).collect()
}

#[tokio::test]
async fn the_callback_decides_when_no_rule_matches() {
    let setup = setup_or_skip!();
    let work = setup.sandbox.work().canonicalize().unwrap();
    let rules = Rules::new(&work).ask(Layer::Policy, "Bash(touch *)").unwrap().allow(Layer::Project, "Bash").unwrap();
    let log = setup.sandbox.tmp().join("audit.jsonl");
    let rules = rules.audit(AuditLog::new(std::fs::File::create(&log).unwrap()));
    let agent = setup.agent().rules_or(rules, |ask| async move {
        if ask.input["command"] == "touch yes" { Decision::allow() } else { Decision::deny("not this one") }
    });
    let mut session = within(agent.open()).await.unwrap();
    let command = |command: &str| Turn::tool("Bash", json!({"command": command, "description": "touch"}));
    assert_eq!(ask(&mut session, [command("touch yes"), command("touch no"), Turn::text("done")]).await, "done");
    assert!(work.join("yes").exists() && !work.join("no").exists());
    assert_eq!(setup.model.tool_results()[1].text, "not this one");
    let log = std::fs::read_to_string(log).unwrap();
    let decided =
        [["ask", "rule", "null"], ["allow", "answer", "true"], ["ask", "rule", "null"], ["deny", "answer", "false"]];
    assert_eq!(decisions(&log), decided);
    let answer: Value = serde_json::from_str(log.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&answer["rule"], &answer["layer"]), (&json!("Bash(touch *)"), &json!("policy")), "the rule that asked");
}

#[tokio::test]
async fn a_denied_file_stays_denied_after_a_command_changed_the_working_directory() {
    let setup = setup_or_skip!();
    let work = setup.sandbox.work().canonicalize().unwrap();
    std::fs::create_dir(work.join("sub")).unwrap();
    std::fs::write(work.join(".env"), SECRET).unwrap();
    std::fs::write(work.join("sub/notes"), "harmless").unwrap();
    let rules = Rules::new(&work).allow(Layer::User, "Bash").unwrap().deny(Layer::User, "Read(.env)").unwrap();
    // The user lets the model change the directory, and nothing else.
    let agent = setup.agent().rules_or(rules, |ask| async move {
        if ask.input["command"] == "cd sub" { Decision::allow() } else { Decision::deny("no") }
    });
    let mut session = within(agent.open()).await.unwrap();
    let command = |command: &str| Turn::tool("Bash", json!({"command": command, "description": "read"}));
    let lines = ["cd sub", "pwd", "cat ../.env", "cat ../.en?", "cat notes"];
    let turns = lines.into_iter().map(command).chain([Turn::text("done")]);
    assert_eq!(ask(&mut session, turns.collect::<Vec<_>>()).await, "done");
    let results = setup.model.tool_results();
    let texts: Vec<&str> = results.iter().map(|result| result.text.as_str()).collect();
    assert_eq!(texts[1], work.join("sub").to_str().unwrap(), "the directory changes");
    assert!(results[2].is_error && results[2].text.contains("denies it"), "{texts:?}");
    assert!(results[3].is_error && !texts[3].contains(SECRET), "{texts:?}");
    assert_eq!(texts[4], "harmless");
}

#[tokio::test]
async fn a_denied_skill_is_denied_with_a_slash_and_with_arguments() {
    let setup = setup_or_skip!();
    let work = setup.sandbox.work().canonicalize().unwrap();
    for name in ["danger", "other"] {
        let folder = work.join(".claude/skills").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("SKILL.md"), format!("---\nname: {name}\ndescription: A skill.\n---\nDo it.\n")).unwrap();
    }
    let rules = Rules::new(&work).allow(Layer::User, "Skill").unwrap().deny(Layer::User, "Skill(danger)").unwrap();
    let mut session = within(setup.agent().rules(rules).open()).await.unwrap();
    let skill = |input: Value| Turn::tool("Skill", input);
    let turns = [
        skill(json!({"skill": "danger"})),
        skill(json!({"skill": "/danger"})),
        skill(json!({"skill": "danger", "args": "x"})),
        skill(json!({"skill": "/other"})),
        Turn::text("done"),
    ];
    assert_eq!(ask(&mut session, turns).await, "done");
    let results = setup.model.tool_results();
    for result in &results[..3] {
        assert!(result.is_error && result.text.contains("Skill(danger) denies it"), "{}", result.text);
    }
    assert!(!results[3].is_error, "the CLI accepts the slash: {}", results[3].text);
}

#[tokio::test]
async fn the_callback_alone_does_not_see_what_the_cli_allows_itself() {
    let setup = setup_or_skip!();
    let work = setup.sandbox.work().canonicalize().unwrap();
    std::fs::write(work.join(".env"), SECRET).unwrap();
    let rules = Rules::new(&work).deny(Layer::User, "Read(.env)").unwrap();
    let agent = setup.agent().permission(move |ask| {
        let decision = ask.decide(&rules).unwrap_or_else(|| Decision::deny("no"));
        async move { decision }
    });
    let mut session = within(agent.open()).await.unwrap();
    let turns = [Turn::tool("Read", json!({"file_path": work.join(".env")})), Turn::text("done")];
    assert_eq!(ask(&mut session, turns).await, "done");
    let result = &setup.model.tool_results()[0];
    assert!(!result.is_error && result.text.contains(SECRET), "use `Agent::rules`, which installs a hook too");
}
