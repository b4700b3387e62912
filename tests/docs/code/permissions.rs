//! The code of `docs/permissions.md`.

use std::fs::OpenOptions;
use std::time::Duration;

use mcp_core::{Builder, Server};
use mcp_guard::{AuditLog, Files, Guard, HookOptions, Layer, OnFailure, Opinion, Rules, SettingsError};

fn guarded() -> Result<Builder, SettingsError> {
    let rules = Rules::load("/code", "/home/me")?.allow(Layer::User, "mcp__files__*")?.ask(Layer::User, "Edit(.env)")?;
    Ok(Server::builder("files", "1.0.0").hook(Guard::new("files", rules)))
}

use mcp_agent::{Agent, Decision};

fn agent(rules: Rules) -> Agent {
    Agent::new().rules_or(rules, |ask| async move {
        if ask.tool_name == "WebSearch" { Decision::allow() } else { Decision::deny("ask me tomorrow") }
    })
}

fn stages(rules: Rules) -> Guard {
    let quick = HookOptions::new().timeout(Duration::from_secs(2)).on_failure(OnFailure::Continue);
    Guard::new("files", rules)
        .files(Files::new("/code").reads("read", "path").writes("write", "path").edits("edit", "path", "old", "replace_all"))
        .before_with(quick, |call| async move {
            if call.context().principal().is_none() { Opinion::ask("the client is not known") } else { Opinion::pass() }
        })
        .check(|_call| async { Ok(()) })
        .after(|_call, result| async { result })
        .ask_client()
}

fn audited(rules: Rules) -> std::io::Result<Rules> {
    Ok(rules.audit(AuditLog::new(OpenOptions::new().create(true).append(true).open("audit.jsonl")?)))
}

use serde_json::json;

fn why(rules: &Rules) {
    println!("{}", rules.explain("Bash", &json!({"command": "git push"})));
}
