//! A small terminal agent. It streams text, shows tool calls and a status line, asks for permission (with the whole command or
//! the change of the file), shows the questions and the plans of the model, and prints the cost at the end. Ctrl-C interrupts
//! the turn; a second Ctrl-C ends the session.
//!
//! ```sh
//! cargo run --example terminal
//! cargo run --example terminal -- "How many words are in README.md?"
//! ```
//!
//! Requires the Claude Code CLI; if it is missing, the error explains how to install it. Permission rules come from the
//! settings of the CLI, servers from `.mcp.json` after the user has approved them. `/sessions` lists earlier sessions,
//! `/resume 2` continues one, `/help` lists all commands.
//!
//! Lines are read as the terminal delivers them, so the program also works with pipes. `rlwrap` adds editing and a history.

mod command;
mod dialog;
mod earlier;
mod preview;
mod screen;
mod servers;
mod turn;
mod user;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mcp_agent::cost::Budget;
use mcp_agent::{Agent, Decision, RememberedUses, SettingSource};
use mcp_core::{ToolError, server, tool, tools};
use mcp_guard::{Files, Guard, Layer, Rules};
use tokio::sync::{mpsc, oneshot};

use command::Wish;
use dialog::no;
use earlier::Earlier;
use screen::{Screen, harmless};
use turn::{After, turn};
use user::{Question, User};

/// Count the words in a text file.
#[tool(read_only, always_load)]
fn count_words(
    /// the file, from the working directory
    path: String,
) -> Result<usize, ToolError> {
    Ok(std::fs::read_to_string(path)?.split_whitespace().count())
}

/// Configures the agent: permission rules are applied to every tool use; the user is asked where they leave it open.
fn agent(cwd: &Path, rules: Rules, remembered: &RememberedUses, questions: mpsc::UnboundedSender<Question>) -> Agent {
    let guard = Guard::new("words", rules.clone()).files(Files::new(cwd).reads("count_words", "path"));
    let remembered = remembered.clone();
    Agent::new()
        .mount("words", server!().tools(tools![count_words]).hook(guard))
        .partial_messages(true)
        // The settings of the project may come with a cloned repository. The CLI would run their hooks without asking. Here
        // only their permission rules count, as far as `Rules::load` takes them.
        .setting_sources([SettingSource::User])
        .rules_or(rules, move |ask| {
            let (answer, answered) = oneshot::channel();
            let is_remembered = remembered.contains(&ask);
            let is_asked = !is_remembered && questions.send((ask, answer)).is_ok();
            async move {
                if is_remembered {
                    Decision::allow()
                } else if is_asked {
                    answered.await.unwrap_or_else(|_| no())
                } else {
                    no()
                }
            }
        })
}

/// Waits for a line that is not blank.
async fn wish(screen: &mut Screen, user: &mut User, mut has_hint: bool) -> Wish {
    loop {
        screen.put("> ");
        let line = tokio::select! {
            line = user.lines.recv() => line,
            Some(()) = user.presses.recv() => {
                if std::mem::replace(&mut has_hint, true) {
                    return Wish::Quit;
                }
                screen.line("(press Ctrl-C again to exit)");
                continue;
            }
        };
        screen.is_mid_line = false;
        match line.as_deref().map(str::trim) {
            Some("") => {}
            None => return Wish::Quit,
            Some(line) => return command::parse(line),
        }
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("Error: {}", harmless(&format!("{error:?}")));
            ExitCode::FAILURE
        }
    }
}

async fn run() -> anyhow::Result<()> {
    let cwd = std::env::current_dir()?;
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_else(|| cwd.clone());
    let rules = Rules::load(&cwd, &home)?.allow(Layer::Session, "mcp__words__count_words")?;
    let remembered = RememberedUses::default();
    let (asked, questions) = mpsc::unbounded_channel();
    let (mut user, mut screen) = (User::new(questions)?, Screen::new());
    let agent = agent(&cwd, rules, &remembered, asked);
    let agent = servers::with_servers(agent, &cwd, &mut screen, &mut user).await?;
    let mut session = agent.clone().open().await?;
    let earlier = Earlier::new(&home, &cwd);

    let mut budget = Budget::usd(5.0);
    let first: Vec<String> = std::env::args().skip(1).collect();
    let mut is_last = !first.is_empty();
    let mut next = is_last.then(|| Wish::Say(first.join(" ")));
    let mut is_interrupted = false;
    loop {
        let wish = match next.take() {
            Some(wish) => wish,
            None if is_last => break,
            None => wish(&mut screen, &mut user, is_interrupted).await,
        };
        match wish {
            Wish::Quit => break,
            Wish::List => earlier.list()?.iter().for_each(|session| screen.line(session)),
            Wish::Resume(which) => match earlier.find(&which)? {
                None => screen.line("(there is no such session: /sessions lists them)"),
                Some(id) => {
                    session.close().await?;
                    earlier.end_of(&id)?.iter().for_each(|said| screen.line(said));
                    session = agent.clone().resume(id).open().await?;
                }
            },
            Wish::New => {
                session.close().await?;
                session = agent.clone().open().await?;
                screen.line("(a new session)");
            }
            Wish::Mode(mode) => session.handle().set_permission_mode(mode).await?,
            Wish::Cost => screen.line(&format!("{}\n{}", screen.bill(), screen.meter())),
            Wish::Help(text) => screen.line(text),
            Wish::Say(prompt) => {
                session.send(prompt).await?;
                let after = turn(&mut session, &mut screen, &mut budget, &remembered, &mut user).await?;
                screen.line("");
                is_last |= matches!(after, After::Quit);
                is_interrupted = matches!(after, After::Interrupted);
            }
        }
    }
    let bill = screen.bill();
    session.close().await?;
    screen.line(&bill);
    Ok(())
}
