//! The code of `docs/agent-sessions.md`.

use mcp_agent::{Agent, Error};

async fn started() -> Result<String, Error> {
    let result = Agent::new().cwd("/code").query("Which format do we use?").result().await?;
    Ok(result.session_id.clone().unwrap_or_default())
}

async fn resumed(id: &str) -> Result<(), Error> {
    let mut session = Agent::new().cwd("/code").resume(id).open().await?;
    session.send("What did we decide?").await?;
    session.finish().await?;
    session.close().await?;
    // Or the latest session of the directory, in a copy with its own id:
    let copy = Agent::new().cwd("/code").continue_latest().fork().open().await?;
    copy.close().await?;
    Ok(())
}

use mcp_agent_history::{Filter, History, HistoryError};

fn show(home: &str) -> Result<(), HistoryError> {
    let history = History::of_home(home);
    let page = Filter::new().of("/code").programmatic(true).offset(0).limit(20);
    for session in history.list(&page)? {
        println!("{} {} {:?}", session.id, session.label().unwrap_or("(empty)"), session.tag);
        let conversation = history.conversation(&session.id)?;
        for entry in conversation.page(0, 100) {
            println!("  {} {}", entry.message.event_name(), entry.message.text().unwrap_or_default());
        }
        for agent in history.subagents(&session.id)? {
            let messages = history.subagent(&session.id, &agent.id)?.messages().len();
            println!("  {}: {messages} messages", agent.description.unwrap_or(agent.id));
        }
    }
    Ok(())
}

use mcp_agent_history::Fork;

fn tidy(history: &History, id: &str) -> Result<(), HistoryError> {
    history.rename(id, "The parser")?;
    history.tag(id, Some("done"))?;
    history.archive(id)?;
    let copy = history.fork(id, &Fork::new().title("The parser, second attempt"))?;
    println!("{copy} has {} messages", history.conversation(&copy)?.messages().len());
    history.delete(id)
}

use std::sync::Arc;

use mcp_agent::store::{Flush, SessionStore};
use mcp_agent_redis::RedisStore;

async fn in_redis(tenant: &str, id: Option<String>) -> Result<(), Box<dyn std::error::Error>> {
    let store = Arc::new(RedisStore::connect("redis://127.0.0.1:6379").await?);
    let agent = Agent::new().session_store(store).session_store_project(tenant).session_store_flush(Flush::Batched);
    let agent = match id {
        Some(id) => agent.resume(id),
        None => agent,
    };
    let mut session = agent.open().await?;
    session.send("Go on.").await?;
    session.finish().await?;
    session.close().await?;
    Ok(())
}

use mcp_agent_history::{Import, StoredSessions};

async fn moved(history: &History, store: Arc<dyn SessionStore>) -> Result<(), HistoryError> {
    for session in history.sessions_of("/code")? {
        history.import(&session.id, store.as_ref(), &Import::new().project("tenant")).await?;
    }
    let stored = StoredSessions::new(store, "tenant");
    for summary in stored.list().await? {
        let conversation = stored.conversation(&summary.session_id).await?;
        println!("{}: {} messages", summary.label().unwrap_or("(empty)"), conversation.messages().len());
    }
    Ok(())
}

use std::collections::BTreeMap;
use std::sync::Mutex;

use mcp_agent::Pending;
use mcp_agent::store::{SessionKey, SessionSummary, StoreError, StoredLine};

/// Replace the maps by tables of a database.
#[derive(Debug, Default)]
struct Tables {
    lines: Mutex<BTreeMap<SessionKey, Vec<StoredLine>>>,
    summaries: Mutex<BTreeMap<(String, String), SessionSummary>>,
}

impl SessionStore for Tables {
    fn append<'a>(&'a self, key: &'a SessionKey, lines: &'a [StoredLine]) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let mut tables = self.lines.lock().map_err(|_| "a thread has panicked")?;
            let stored = tables.entry(key.clone()).or_default();
            // Lines can arrive twice. A line with an id is kept once.
            let is_new =
                |line: &&StoredLine| line.uuid().is_none_or(|id| !stored.iter().any(|line| line.uuid() == Some(id.clone())));
            let new: Vec<StoredLine> = lines.iter().filter(is_new).cloned().collect();
            stored.extend(new.iter().cloned());
            if key.subpath.is_none() {
                let mut summaries = self.summaries.lock().map_err(|_| "a thread has panicked")?;
                let summary = summaries.entry((key.project.clone(), key.session.clone())).or_default();
                let old = std::mem::take(summary);
                let old = if old.session_id.is_empty() { SessionSummary::new(&key.session) } else { old };
                *summary = old.fold(&new, 1_795_053_260_906);
            }
            Ok(())
        })
    }

    fn load<'a>(&'a self, key: &'a SessionKey) -> Pending<'a, Result<Option<Vec<StoredLine>>, StoreError>> {
        Box::pin(async move { Ok(self.lines.lock().map_err(|_| "a thread has panicked")?.get(key).cloned()) })
    }

    fn sessions<'a>(&'a self, project: &'a str) -> Pending<'a, Result<Vec<SessionSummary>, StoreError>> {
        Box::pin(async move {
            let summaries = self.summaries.lock().map_err(|_| "a thread has panicked")?;
            Ok(summaries.iter().filter(|((of, _), _)| of == project).map(|(_, summary)| summary.clone()).collect())
        })
    }

    fn subpaths<'a>(&'a self, session: &'a SessionKey) -> Pending<'a, Result<Vec<String>, StoreError>> {
        Box::pin(async move {
            let tables = self.lines.lock().map_err(|_| "a thread has panicked")?;
            let same = |key: &&SessionKey| (&key.project, &key.session) == (&session.project, &session.session);
            Ok(tables.keys().filter(same).filter_map(|key| key.subpath.clone()).collect())
        })
    }
}

async fn undo() -> Result<(), Error> {
    let mut session = Agent::new().cwd("/code").file_checkpointing().open().await?;
    let prompt = session.send("Rename the module.").await?;
    session.finish().await?;
    let handle = session.handle();
    let preview = handle.rewind_files_dry_run(&prompt).await?;
    println!("would restore {:?}", preview.files_changed);
    handle.rewind_files(&prompt).await?;
    session.close().await?;
    Ok(())
}

use mcp_agent_history::Record;

fn rewind_points(history: &History, id: &str) -> Result<Vec<String>, HistoryError> {
    let mut points = Vec::new();
    for record in history.read(id)? {
        if let Record::Snapshot(snapshot) = record? {
            println!("{}: {:?}", snapshot.message_id, snapshot.snapshot.tracked_file_backups.keys());
            points.push(snapshot.message_id);
        }
    }
    Ok(points)
}
