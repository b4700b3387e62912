//! Many turns in one agent session with the real CLI.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio, id};
use std::time::{Duration, Instant};

use mcp_agent::{Agent, Session};
use mcp_agent_test::{Cli, Model, Sandbox, Turn, prompt};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::timeout;

use crate::health::Health;
use crate::{Outcome, mount};

/// The first measurement is made after this many turns.
const WARM_UP: u64 = 20;

/// A measurement is printed after this many turns.
const PRINTED: u64 = 50;

/// The time limit of one turn.
const LIMIT: Duration = Duration::from_secs(120);

/// How much more memory the process may use after the last turn than after the warm-up.
const SLACK_KIB: u64 = 4 << 10;

/// What the process with the model says about itself.
#[derive(Serialize, Deserialize)]
struct Setup {
    cli: PathBuf,
    env: BTreeMap<String, String>,
    folder: PathBuf,
}

/// Starts a model, and writes where it is. Runs until the input ends. It is a process of its own, because it keeps all requests.
pub(crate) fn model() -> Outcome {
    let (cli, model, sandbox) = (Cli::pinned()?, Model::start()?, Sandbox::new()?);
    let env = sandbox.env(&model).into_iter().collect();
    let setup = Setup { cli: cli.path().to_owned(), env, folder: sandbox.work() };
    writeln!(io::stdout(), "{}", serde_json::to_string(&setup)?)?;
    io::copy(&mut io::stdin().lock(), &mut io::sink())?;
    Ok(true)
}

/// Runs that many turns. In each the model calls a tool and then answers.
pub(crate) fn run(count: u64) -> Outcome {
    let mut child =
        Command::new(std::env::current_exe()?).arg("model").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let outcome = with_model(&mut child, count);
    drop(child.stdin.take());
    child.wait()?;
    outcome
}

fn with_model(child: &mut Child, count: u64) -> Outcome {
    let mut line = String::new();
    BufReader::new(child.stdout.take().ok_or("no output of the model")?).read_line(&mut line)?;
    let setup: Setup = serde_json::from_str(&line).map_err(|_| format!("the model did not start: {line}"))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(session(setup, count))
}

#[allow(clippy::print_stdout, reason = "it prints measurements")]
async fn session(setup: Setup, count: u64) -> Outcome {
    let agent = Agent::new().program(setup.cli).cwd(setup.folder).env_clear().mount("soak", mount::server());
    let agent = setup.env.into_iter().fold(agent, |agent, (name, value)| agent.env(name, value));
    let mut session = agent.allow_tools(["mcp__soak__add"]).open().await?;
    let (start, mut first) = (Instant::now(), None);
    for number in 1..=count {
        let answer = timeout(LIMIT, turn(&mut session, number)).await;
        answer.map_err(|_| format!("no answer to turn {number} after {LIMIT:?}"))??;
        if number == WARM_UP.min(count) {
            first = Some(Health::of(id()));
        }
        if number % PRINTED == 0 || number == WARM_UP || number == count {
            let cli = session.pid().map_or_else(String::new, |pid| Health::of(pid).to_string());
            println!("{:>6} s  {number} turns  {}  the CLI: {cli}", start.elapsed().as_secs(), Health::of(id()));
        }
    }
    let is_level = first.is_none_or(|first| Health::of(id()).is_level_with(&first, SLACK_KIB));
    println!("memory and descriptors have {}", if is_level { "not grown" } else { "GROWN" });
    let ending = session.close().await?;
    if ending.success() { Ok(is_level) } else { Err(format!("the CLI failed: {ending}").into()) }
}

/// Runs one turn and checks that its tool was called and that its own answer arrived.
async fn turn(session: &mut Session, number: u64) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let answer = format!("answer {number}");
    // A sum that nothing else in a message looks like.
    let sum = (700_000_000 + number).to_string();
    let turns = [Turn::tool("mcp__soak__add", json!({"a": number, "b": 700_000_000})), Turn::text(answer.clone())];
    session.send(prompt("Add.", turns)).await?;
    let (mut has_sum, mut result) = (false, None);
    while let Some(message) = session.next().await? {
        match &message {
            mcp_agent::Message::User(user) => has_sum |= user.raw().get().contains(&sum),
            mcp_agent::Message::Result(last) => result = last.result.clone(),
            _ => {}
        }
    }
    if has_sum && result.as_ref() == Some(&answer) {
        return Ok(());
    }
    Err(format!("turn {number}: the result of its tool arrived: {has_sum}; its answer: {result:?}").into())
}
