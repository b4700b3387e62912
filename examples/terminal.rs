//! A complete terminal agent. It streams text, shows tool calls and a status line, asks for permission, and prints the
//! cost at the end. Ctrl-C interrupts the turn; a second Ctrl-C ends the session.
//!
//! ```sh
//! cargo run --example terminal
//! cargo run --example terminal -- "How many words are in README.md?"
//! ```
//!
//! Requires the Claude Code CLI; if it is missing, the error explains how to install it. Permission rules come from the
//! settings of the CLI, servers from `.mcp.json`. `/sessions` lists earlier sessions, `/quit` exits.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mcp_agent::builtin::Builtin;
use mcp_agent::cost::{Budget, Spending};
use mcp_agent::fold::{Fold, ToolCall};
use mcp_agent::mcp_config::McpConfig;
use mcp_agent::{Agent, Ask, Decision, Error, Message, Session};
use mcp_agent_history::History;
use mcp_core::{ToolError, server, tool, tools};
use mcp_guard::{Behavior, Files, Guard, Layer, Rules};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{mpsc, oneshot};

/// Count the words in a text file.
#[tool(read_only, always_load)]
fn count_words(
    /// the path of the file, relative to the working directory
    path: String,
) -> Result<usize, ToolError> {
    Ok(std::fs::read_to_string(path)?.split_whitespace().count())
}

type Question = (Ask, oneshot::Sender<Decision>);
type SharedRules = Arc<Mutex<Rules>>;

/// Configures the agent: permission rules are applied first; the user is asked about calls that no rule matches.
fn agent(cwd: &Path, rules: &SharedRules, questions: mpsc::UnboundedSender<Question>) -> anyhow::Result<Agent> {
    let guard = Guard::new("words", lock(rules).clone()).files(Files::new(cwd).reads("count_words", "path"));
    let rules = Arc::clone(rules);
    let agent = Agent::new()
        .mount("words", server!().tools(tools![count_words]).hook(guard))
        .allow_tools(["mcp__words__count_words"])
        .partial_messages(true)
        .permission(move |ask| {
            let (answer, answered) = oneshot::channel();
            let decided = ask.decide(&lock(&rules));
            let is_asked = decided.is_some() || questions.send((ask, answer)).is_ok();
            async move {
                match decided {
                    Some(decision) => decision,
                    None if is_asked => answered.await.unwrap_or_else(|_| no()),
                    None => no(),
                }
            }
        });
    let config = cwd.join(".mcp.json");
    if !config.exists() {
        return Ok(agent);
    }
    Ok(agent.mcp_config(McpConfig::read(config)?.expanded(&|variable| std::env::var(variable).ok())?))
}

/// The user's input: typed lines, Ctrl-C, and pending permission requests.
struct User {
    lines: mpsc::UnboundedReceiver<String>,
    /// Receives Ctrl-C, including presses that arrive while no code is waiting for them.
    presses: Signal,
    questions: mpsc::UnboundedReceiver<Question>,
}

impl User {
    fn new(questions: mpsc::UnboundedReceiver<Question>) -> io::Result<User> {
        let (typed, lines) = mpsc::unbounded_channel();
        std::thread::spawn(move || stdin().lock().lines().map_while(Result::ok).try_for_each(|line| typed.send(line)));
        let presses = signal(SignalKind::interrupt())?;
        Ok(User { lines, presses, questions })
    }

    /// Discards lines that were typed before the question was shown. If the input is not a terminal, all lines are kept.
    fn forget_lines(&mut self) {
        while stdin().is_terminal() && self.lines.try_recv().is_ok() {}
    }
}

fn no() -> Decision {
    Decision::deny("the user said no")
}

fn lock(rules: &SharedRules) -> MutexGuard<'_, Rules> {
    rules.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state of the terminal output and the totals of the session.
struct Screen {
    fold: Fold,
    is_terminal: bool,
    is_mid_line: bool,
    has_progress: bool,
    since: Instant,
}

impl Screen {
    fn new() -> Screen {
        let is_terminal = stdout().is_terminal();
        Screen { fold: Fold::new(), is_terminal, is_mid_line: false, has_progress: false, since: Instant::now() }
    }

    /// Prints text after the previous text.
    fn put(&mut self, text: &str) {
        self.clear_progress();
        print!("{text}");
        let _ = stdout().flush();
        self.is_mid_line = !text.ends_with('\n');
    }

    /// Prints text on its own line.
    fn line(&mut self, text: &str) {
        self.clear_progress();
        let start = if self.is_mid_line { "\n" } else { "" };
        self.put(&format!("{start}{text}\n"));
    }

    /// Shows a status line that the next text overwrites. Prints nothing if the output is not a terminal.
    fn progress(&mut self) {
        if !self.is_terminal || self.is_mid_line {
            return;
        }
        let doing = self.fold.running().last().map_or("thinking", |call| call.name.as_str());
        // A wrapped line could not be erased, so the text is truncated.
        let doing: String = doing.chars().take(40).collect();
        let tokens: u64 = self.fold.tally().since_result().values().map(|tokens| tokens.output).sum();
        print!("\r\x1b[K\x1b[2m… {doing}, {} s, {tokens} tokens\x1b[0m", self.since.elapsed().as_secs());
        let _ = stdout().flush();
        self.has_progress = true;
    }

    fn clear_progress(&mut self) {
        if std::mem::take(&mut self.has_progress) {
            print!("\r\x1b[K");
        }
    }

    fn show(&mut self, message: &Message) {
        self.fold.feed(message);
        match message {
            Message::Stream(partial) if partial.parent_tool_use_id.is_none() => {
                if let Some(text) = partial.text_delta() {
                    self.put(text);
                }
            }
            Message::Assistant(assistant) => {
                for call in assistant.message.content.tool_uses() {
                    self.line(&format!("● {}", short(&call.builtin())));
                }
            }
            Message::User(user) => {
                let results = user.message.content.tool_results().filter_map(|result| self.fold.call(&result.tool_use_id));
                for line in results.map(outcome).collect::<Vec<_>>() {
                    self.line(&line);
                }
            }
            _ => {}
        }
    }

    /// Formats the totals so far: turns, tokens and cost.
    fn bill(&self) -> String {
        let (tally, tokens) = (self.fold.tally(), self.fold.tally().tokens());
        let read = tokens.total() - tokens.output;
        let turns = if tally.turns() == 1 { "turn" } else { "turns" };
        format!("{} {turns}, {read} tokens read, {} written, ${:.4}", tally.turns(), tokens.output, tally.cost_usd())
    }
}

fn short(tool: &Builtin) -> String {
    let what = match tool {
        Builtin::Bash(bash) => bash.command.clone(),
        Builtin::Read(read) => read.file_path.clone(),
        Builtin::Write(write) => write.file_path.clone(),
        Builtin::Edit(edit) => edit.file_path.clone(),
        other => other.to_input().to_string(),
    };
    let what: String = what.chars().map(|c| if c.is_control() { ' ' } else { c }).take(100).collect();
    format!("{} {what}", tool.name())
}

fn outcome(call: &ToolCall) -> String {
    let text = call.result_text().unwrap_or_default();
    let first: String = text.lines().next().unwrap_or_default().chars().filter(|c| !c.is_control()).take(100).collect();
    let failed = call.outcome.as_ref().is_some_and(|outcome| outcome.is_error);
    format!("  {} {first}", if failed { "✗" } else { "→" })
}

/// How a turn ended.
enum After {
    GoOn,
    /// Ctrl-C was pressed once and the hint about a second press was shown.
    Interrupted,
    Quit,
}

/// Shows the messages of a turn until it ends.
async fn turn(
    session: &mut Session,
    screen: &mut Screen,
    budget: &mut Budget,
    rules: &SharedRules,
    user: &mut User,
) -> anyhow::Result<After> {
    let mut open: Option<Question> = None;
    let mut is_interrupted = false;
    let mut ticks = tokio::time::interval(Duration::from_millis(250));
    screen.since = Instant::now();
    loop {
        tokio::select! {
            biased;
            Some(()) = user.presses.recv() => {
                if std::mem::replace(&mut is_interrupted, true) {
                    return Ok(After::Quit);
                }
                screen.line("(interrupting; press Ctrl-C again to exit)");
                open = None;
                let handle = session.handle();
                tokio::spawn(async move { handle.interrupt().await });
            }
            Some((ask, answer)) = user.questions.recv(), if open.is_none() => {
                user.forget_lines();
                screen.line(&format!("? {}", short(&ask.builtin())));
                screen.put("  allow it? [y]es, [a]lways, [N]o ");
                open = Some((ask, answer));
            }
            line = user.lines.recv(), if open.is_some() => {
                if let Some((ask, answer)) = open.take() {
                    screen.is_mid_line = false;
                    // At the end of the input the answer is no.
                    let _ = answer.send(decide(&ask, line.as_deref().unwrap_or("no").trim(), rules));
                }
            }
            next = session.next() => match next {
                Ok(Some(message)) => {
                    screen.show(&message);
                    if let Spending::Over(over) = budget.guard(&session.handle(), &message).await? {
                        screen.line(&format!("(over the budget by ${over:.4})"));
                    }
                }
                Ok(None) => return Ok(if is_interrupted { After::Interrupted } else { After::GoOn }),
                Err(error @ Error::Turn(_)) => {
                    screen.fold.fail(&error);
                    budget.fail(&error)?;
                    screen.line(&format!("({error})"));
                }
                Err(error) => return Err(error.into()),
            },
            _ = ticks.tick() => if open.is_none() { screen.progress() },
        }
    }
}

fn decide(ask: &Ask, answer: &str, rules: &SharedRules) -> Decision {
    let rule = match ask.builtin() {
        Builtin::Bash(bash) => format!("Bash({})", bash.command),
        other => other.name().to_owned(),
    };
    match answer.chars().next().map(|c| c.to_ascii_lowercase()) {
        Some('y') => Decision::allow(),
        Some('a') => {
            if let Ok(rule) = rule.parse() {
                lock(rules).add(Layer::Session, Behavior::Allow, rule);
            }
            Decision::allow()
        }
        _ => no(),
    }
}

/// The user's next command.
enum Wish {
    Say(String),
    List,
    Quit,
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
            Some("/sessions") => return Wish::List,
            None | Some("/quit") => return Wish::Quit,
            Some(line) => return Wish::Say(line.to_owned()),
        }
    }
}

/// Lists the latest sessions of this folder.
fn sessions(home: &Path, cwd: &Path) -> anyhow::Result<Vec<String>> {
    let sessions = History::of_home(home).sessions_of(cwd)?.into_iter().take(10);
    let title = |title: Option<String>| title.unwrap_or_default().chars().take(60).collect::<String>();
    Ok(sessions.map(|session| format!("{} {}", session.id, title(session.title.or(session.first_prompt)))).collect())
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let cwd = std::env::current_dir()?;
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_else(|| cwd.clone());
    let rules = Rules::load(&cwd, &home)?.allow(Layer::Session, "mcp__words__count_words")?;
    let rules: SharedRules = Arc::new(Mutex::new(rules));
    let (asked, questions) = mpsc::unbounded_channel();
    let mut session = agent(&cwd, &rules, asked)?.open().await?;
    let mut user = User::new(questions)?;

    let mut screen = Screen::new();
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
            Wish::List => sessions(&home, &cwd)?.iter().for_each(|session| screen.line(session)),
            Wish::Say(prompt) => {
                session.send(prompt).await?;
                let after = turn(&mut session, &mut screen, &mut budget, &rules, &mut user).await?;
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
