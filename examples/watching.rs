//! What programs do around an agent: permission rules, the state of a session, events, cost, and earlier sessions. This
//! is the code of `docs/agents.md`; a test compares the two. Compile it, but do not run it: `main` deletes and renames
//! stored sessions.
//!
//! ```sh
//! cargo check --example watching
//! ```
#![allow(dead_code, reason = "the page shows functions, and most of them are not called here")]

use mcp_agent::builtin::Builtin;
use mcp_agent::{Agent, Ask, Decision, Prompt, ToolName};

fn careful(ask: &Ask) -> Decision {
    match ask.builtin() {
        Builtin::Read(_) | Builtin::Grep(_) => Decision::allow(),
        Builtin::Write(write) if write.file_path.ends_with(".md") => Decision::allow(),
        Builtin::Other(tool) if ToolName::parse(&tool.name).server() == Some("calc") => Decision::allow(),
        other => Decision::deny(format!("no {} here", other.name())),
    }
}

fn compact() -> Prompt {
    Prompt::slash("compact", "keep the numbers")
}

use mcp_guard::{Layer, Rules, SettingsError};

fn by_rules() -> Result<Agent, SettingsError> {
    let rules =
        Rules::load("/code", "/home/me")?.allow(Layer::Session, "Bash(git *)")?.deny(Layer::Session, "Bash(git push *)")?;
    Ok(Agent::new().rules_or(rules, |ask| async move { careful(&ask) }))
}

use mcp_agent::fold::{Fold, TurnState};
use mcp_agent::{Error, Session};

async fn follow(session: &mut Session) -> Result<Fold, Error> {
    let mut fold = Fold::new();
    loop {
        match session.next().await {
            Ok(Some(message)) => fold.feed(&message),
            Ok(None) => break,
            Err(error) => fold.fail(&error),
        }
        if *fold.state() == TurnState::Lost {
            break;
        }
    }
    for call in fold.calls() {
        println!("{} gave {:?}", call.name, call.result_text());
    }
    println!("{}\n${}", fold.text(), fold.tally().cost_usd());
    Ok(fold)
}

use mcp_agent_web::Hub;

async fn serve() -> std::io::Result<()> {
    let hub = Hub::builder(|chat| Agent::new().permission(chat.ask())).build();
    let token = hub.token().unwrap_or_default().to_owned();
    let app = axum::Router::new().nest("/agent", hub.router());
    hub.serve_with(app, "127.0.0.1:8080", |address| println!("http://{address}/agent/login?token={token}")).await
}

use mcp_agent::cost::{Budget, Price, Prices};

async fn within_budget(session: &mut Session) -> Result<(), Error> {
    let prices = Prices::default().with("claude-haiku", Price::new(0.5, 2.5));
    let mut budget = Budget::usd(0.50).prices(prices);
    while let Some(message) = session.next().await? {
        budget.guard(&session.handle(), &message).await?;
    }
    Ok(())
}

use mcp_core::{Builder, Server};
use mcp_guard::{Files, Guard};

fn guarded(rules: Rules) -> Builder {
    let files =
        Files::new("/code").reads("read", "path").writes("write", "path").edits("edit", "path", "old", "replace_all");
    let guard = Guard::new("files", rules).files(files).after(|call, result| async move {
        println!("{} failed: {}", call.tool, result.is_error);
        result
    });
    Server::builder("files", "1.0.0").hook(guard)
}

use mcp_agent::mcp_config::{McpConfig, McpConfigError, McpEntry};

// Only for a file that you wrote yourself: it names programs to start, and variables of your environment to give to them.
fn configured() -> Result<Agent, McpConfigError> {
    let mut config = McpConfig::read("/code/.mcp.json")?;
    config.servers.insert("web".into(), McpEntry::http("https://${HOST:-localhost}/mcp"));
    config.write("/code/.mcp.json")?;
    Ok(Agent::new().mcp_config(config.expanded(&|variable| std::env::var(variable).ok())?))
}

use mcp_agent::project_servers::{Approvals, ProjectServers};

fn with_project_servers(agent: Agent, directory: &str) -> Result<Agent, Box<dyn std::error::Error>> {
    let project = ProjectServers::read(directory)?;
    let mut approvals = Approvals::of_user()?;
    for server in project.pending(&approvals).cloned().collect::<Vec<_>>() {
        println!("{server}\nStart it, now and in the future?");
        if std::io::stdin().lines().next().is_some_and(|line| line.is_ok_and(|line| line == "yes")) {
            approvals.approve(&server)?;
        }
    }
    Ok(agent.project_servers(&project, &approvals, &|variable| std::env::var(variable).ok())?)
}

use mcp_agent_history::{History, HistoryError, Record};

fn tidy(home: &str) -> Result<(), HistoryError> {
    let history = History::of_home(home);
    for session in history.sessions_of("/code")? {
        let messages = history.read(&session.id)?.filter(|record| matches!(record, Ok(Record::Message(_)))).count();
        match messages {
            0 => history.delete(&session.id)?,
            _ => history.rename(&session.id, &format!("{messages} messages"))?,
        }
    }
    Ok(())
}

fn main() -> Result<(), HistoryError> {
    tidy("/home/me")
}
