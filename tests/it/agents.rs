//! The examples that are agents, run in a terminal that this test plays, with the real CLI and a scripted model.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use mcp_agent::{Agent, ElicitationAnswer, McpServer, Message};
use mcp_agent_test::{Cli, Model, Sandbox, Turn, prompt};
use serde_json::json;

use crate::binary::{PATIENCE, example};

/// A program, what it has said, and a hand at the keyboard.
struct Terminal {
    child: Child,
    output: Receiver<String>,
    shown: String,
}

impl Terminal {
    fn run(command: &mut Command) -> Terminal {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the example starts");
        let mut stdout = child.stdout.take().expect("piped");
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(read @ 1..) = stdout.read(&mut chunk) {
                if sender.send(String::from_utf8_lossy(&chunk[..read]).into_owned()).is_err() {
                    break;
                }
            }
        });
        Terminal { child, output, shown: String::new() }
    }

    /// Reads until this is on the screen.
    fn wait_for(&mut self, text: &str) {
        while !self.shown.contains(text) {
            let more = self.output.recv_timeout(PATIENCE);
            self.shown += &more.unwrap_or_else(|_| panic!("no {text:?} in {:?}", self.shown));
        }
    }

    fn type_line(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().expect("piped"), "{line}").expect("the example reads");
    }

    /// Reads to the end; the exit code and all that was shown.
    fn end(mut self) -> (Option<i32>, String) {
        while let Ok(more) = self.output.recv_timeout(PATIENCE) {
            self.shown += &more;
        }
        (self.child.wait().expect("it was started").code(), self.shown)
    }
}

/// The real CLI, a model and a place for both; none where there is no CLI.
fn stage() -> Option<(Cli, Model, Sandbox)> {
    Some((Cli::or_skip()?, Model::start().expect("a port"), Sandbox::new().expect("a folder")))
}

/// An example in a sandbox, with the real CLI.
fn staged(name: &str, (cli, model, sandbox): &(Cli, Model, Sandbox)) -> Command {
    let mut command = Command::new(example(name));
    sandbox.apply(&mut command, model).env("CLAUDE_BIN", cli.path());
    command
}

#[test]
fn an_agent_shows_its_words_as_they_come_and_uses_its_own_tool_unasked() {
    let Some(stage) = stage() else { return };
    let (_, model, sandbox) = &stage;
    sandbox.file("notes.txt", "three small words").unwrap();
    let gate = model.gate("the rest");
    let counts = Turn::tool("mcp__words__count_words", json!({"path": "notes.txt"}));
    let words = prompt("How many?", [counts, Turn::text("There are three.").stall(&gate)]);
    let mut terminal = Terminal::run(staged("agent", &stage).arg(words));
    // The model is still in the middle of its answer.
    terminal.wait_for("There are three.");
    gate.open();
    assert_eq!(terminal.end(), (Some(0), "There are three.\n".to_owned()));
    assert_eq!(model.tool_results()[0].text, "3");
}

#[test]
fn an_agent_asks_on_the_terminal_before_it_uses_another_tool() {
    for (typed, is_allowed) in [("y", true), ("", false)] {
        let Some(stage) = stage() else { return };
        let (_, model, sandbox) = &stage;
        let touch = Turn::tool("Bash", json!({"command": "touch touched", "description": "Touch"}));
        let mut terminal = Terminal::run(staged("agent", &stage).arg(prompt("Touch it.", [touch, Turn::text("Done.")])));
        terminal.wait_for("allow it? [y/N]");
        terminal.type_line(typed);
        let (code, shown) = terminal.end();
        assert_eq!(code, Some(0));
        assert!(shown.contains("Bash") && shown.contains("touch touched") && shown.ends_with("Done.\n"), "{shown}");
        assert_eq!(sandbox.work().join("touched").exists(), is_allowed);
        let result = &model.tool_results()[0];
        assert!(is_allowed || (result.is_error && result.text.contains("the user said no")), "{result:?}");
    }
}

#[tokio::test]
async fn one_server_gives_the_same_answer_mounted_and_as_a_program_of_its_own() {
    let Some(stage) = stage() else { return };
    let (cli, model, sandbox) = &stage;
    let adds = || [Turn::tool("mcp__calculator__add", json!({"a": 2, "b": 3})), Turn::text("It is five.")];
    let seen = || model.tool_results().remove(0);

    let mounted = Terminal::run(staged("both", &stage).args(["ask", &prompt("2 + 3?", adds())])).end();
    assert_eq!(mounted, (Some(0), "It is five.\n".to_owned()));
    let by_mount = seen();

    let program = McpServer::stdio(example("both").to_string_lossy());
    let agent = Agent::new().mcp_server("calculator", program).allow_tools(["mcp__calculator__add"]);
    let result = sandbox.confine(agent, cli, model).query(prompt("2 + 3?", adds())).result().await.unwrap();
    assert_eq!(result.result.as_deref(), Some("It is five."));
    let by_stdio = seen();
    assert_eq!((by_mount.text.as_str(), by_mount.is_error), ("5", false));
    assert_eq!((by_stdio.text, by_stdio.is_error), (by_mount.text, by_mount.is_error));
}

#[tokio::test]
async fn the_cli_lists_prompts_and_resources_of_a_program_and_the_runner_answers_what_its_tool_asks() {
    let Some(stage) = stage() else { return };
    let (cli, model, sandbox) = &stage;
    let program = McpServer::stdio(example("everything").to_string_lossy());
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let (heard, elicit) = (asked.clone(), "mcp__everything__test_elicitation");
    let agent = Agent::new().mcp_server("everything", program).allow_tools([elicit, "ListMcpResourcesTool"]).elicitation(
        move |request| {
            heard.lock().unwrap().push(request.message.clone());
            let account = json!({"username": "ada", "email": "ada@example.com"});
            std::future::ready(ElicitationAnswer::Accept { content: account.as_object().cloned() })
        },
    );
    let turns = [
        Turn::tool("ListMcpResourcesTool", json!({"server": "everything"})),
        Turn::tool(elicit, json!({"message": "Who are you?"})),
        Turn::text("Done."),
    ];
    let mut query = sandbox.confine(agent, cli, model).query(prompt("Look around.", turns));
    let mut commands = Vec::new();
    while let Some(message) = query.next().await.unwrap() {
        if let Message::Init(init) = message {
            commands = init.slash_commands.clone();
        }
    }
    assert!(commands.iter().any(|command| command == "mcp__everything__test_simple_prompt"), "{commands:?}");
    let results = model.tool_results();
    assert!(results[0].text.contains("test://watched-resource"), "{results:?}");
    assert!(results[1].text.contains("action=accept") && results[1].text.contains("ada@example.com"), "{results:?}");
    assert_eq!(*asked.lock().unwrap(), ["Who are you?"]);
}

#[test]
fn without_a_cli_the_examples_say_how_to_get_one() {
    let nowhere = Sandbox::new().expect("a folder");
    for (name, arguments) in [("agent", vec!["hello"]), ("both", vec!["ask", "hello"])] {
        let mut command = Command::new(example(name));
        command.args(arguments).env_clear().env("CLAUDE_BIN", nowhere.home().join("claude")).current_dir(nowhere.work());
        let output = command.output().expect("the example starts");
        let said = String::from_utf8(output.stderr).expect("text");
        assert!(!output.status.success());
        assert!(said.contains("npm install -g @anthropic-ai/claude-code") && said.contains("CLAUDE_BIN"), "{said}");
    }
}
