//! Many agent sessions at once.

use std::process::{Command, id};
use std::sync::Arc;

use mcp_agent::{Agent, Decision, Session};
use mcp_agent_test::{Script, ScriptedProgram};
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::health::Health;
use crate::{Outcome, mount};

/// The first two rounds fill caches, and the free lists of the allocator. The others must not need more memory.
const ROUNDS: usize = 4;
const WARM_UP: usize = 2;

/// How many sessions are opened or closed at the same time.
const AT_ONCE: usize = 20;

/// How much more memory the process may use after the last round than after the warm-up.
const SLACK_KIB: u64 = 1 << 10;

/// An environment variable of glibc: the number of arenas. With one, freed memory is used again by every thread, so that memory that
/// grows is a leak.
const ARENAS: &str = "MALLOC_ARENA_MAX";

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Opens that many sessions in each round, runs a turn in each, and closes them all except `leaked`.
pub(crate) fn run(count: usize, leaked: usize) -> Outcome {
    if std::env::var_os(ARENAS).is_none() {
        let mut again = Command::new(std::env::current_exe()?);
        return Ok(again.args(std::env::args_os().skip(1)).env(ARENAS, "1").status()?.success());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(rounds(count, leaked))
}

#[allow(clippy::print_stdout, reason = "it prints measurements")]
async fn rounds(count: usize, leaked: usize) -> Outcome {
    let program = std::env::current_exe()?.with_file_name("soak_cli").with_extension(std::env::consts::EXE_EXTENSION);
    let cli = ScriptedProgram::new(&program, script())
        .map_err(|error| format!("cannot use {}: {error}. Build all programs of this package.", program.display()))?;
    let agent = Agent::new().program(cli.path()).mount("soak", mount::server()).permission(|_| async { Decision::allow() });
    close_all(open_all(&agent, 1).await?, 0).await?;
    let start = Health::of(id());
    println!("start  {start}");
    let (mut kept, mut after_warm_up, mut is_level) = (Vec::new(), None, true);
    for round in 1..=ROUNDS {
        let sessions = open_all(&agent, count).await?;
        let open = Health::of(id());
        let kib = open.grown_kib_since(&start) / u64::try_from(count.max(1))?;
        println!("round {round}: {count} sessions are open  {open}  {kib} KiB for each session");
        kept.extend(close_all(sessions, leaked).await?);
        let after = Health::of(id());
        println!("round {round}: closed  {after}");
        match &after_warm_up {
            None if round == WARM_UP => after_warm_up = Some(after),
            None => {}
            Some(first) => is_level &= after.is_level_with(first, SLACK_KIB) && after.descriptors <= start.descriptors,
        }
    }
    println!("memory and descriptors have {}", if is_level { "not grown" } else { "GROWN" });
    Ok(is_level)
}

/// A turn with a call of the mounted server and a request for permission. Both must be answered before the result.
fn script() -> Script {
    let call = json!({"name": "add", "arguments": {"a": 2, "b": 3}});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call});
    Script::new()
        .initialize()
        .prompt()
        .send_request("call", json!({"subtype": "mcp_message", "server_name": "soak", "message": message}))
        .expect_response("call")
        .send_request("ask", json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {}, "tool_use_id": "t"}))
        .expect_response("ask")
        .text("$call/response/response/mcp_response/result/content/0/text")
        .result("done")
}

/// Opens sessions and runs a turn in each.
async fn open_all(agent: &Agent, count: usize) -> Result<Vec<Session>> {
    let gate = Arc::new(Semaphore::new(AT_ONCE));
    let mut opening = JoinSet::new();
    for _ in 0..count {
        let (agent, gate) = (agent.clone(), gate.clone());
        opening.spawn(async move {
            let _permit = gate.acquire().await?;
            let mut session = agent.open().await?;
            turn(&mut session).await?;
            Result::Ok(session)
        });
    }
    opening.join_all().await.into_iter().collect()
}

/// Sends a prompt and checks the answer.
async fn turn(session: &mut Session) -> Result<()> {
    session.send("Add.").await?;
    let mut text = None;
    let mut result = None;
    while let Some(message) = session.next().await? {
        text = message.text().map(str::to_owned).or(text);
        if let mcp_agent::Message::Result(last) = message {
            result = last.result.clone();
        }
    }
    match (text.as_deref(), result.as_deref()) {
        (Some("5"), Some("done")) => Ok(()),
        other => Err(format!("a wrong answer: {other:?}").into()),
    }
}

/// Closes sessions, except that many. Returns the others.
async fn close_all(mut sessions: Vec<Session>, leaked: usize) -> Result<Vec<Session>> {
    let closed = sessions.split_off(leaked.min(sessions.len()));
    let gate = Arc::new(Semaphore::new(AT_ONCE));
    let mut closing = JoinSet::new();
    for session in closed {
        let gate = gate.clone();
        closing.spawn(async move {
            let _permit = gate.acquire().await?;
            let ending = session.close().await?;
            if ending.success() { Result::Ok(()) } else { Err(format!("a CLI failed: {ending}").into()) }
        });
    }
    closing.join_all().await.into_iter().collect::<Result<()>>()?;
    Ok(sessions)
}
