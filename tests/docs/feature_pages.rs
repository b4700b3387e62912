//! The pages about features show code that compiles, and conversations that the server really has.

use std::collections::HashMap;

use mcp_core::IntoServer;
use mcp_core::protocol::Revision;
use mcp_schema_check::Checker;
use mcp_test::Client;
use serde_json::{Value, json};

use crate::example_servers::{asking, caching, completion, live, progress, tasks};
use crate::markdown::{assert_compiled, blocks, contains, parse, read};

#[tokio::test]
async fn the_page_about_tasks_is_what_happens() {
    assert_eq!(had("tasks", "tasks", tasks::server).await, 7);
}

#[tokio::test]
async fn the_page_about_asking_is_what_happens() {
    assert_eq!(had("asking", "asking", asking::server).await, 5);
}

#[tokio::test]
async fn the_page_about_completion_is_what_happens() {
    assert_eq!(had("completion", "completion", completion::server).await, 3);
}

#[tokio::test]
async fn the_page_about_caching_is_what_happens() {
    assert_eq!(had("caching", "caching", caching::server).await, 3);
}

#[tokio::test]
async fn the_page_about_live_servers_is_what_happens() {
    assert_eq!(had("live-servers", "live", live::server).await, 4);
}

#[tokio::test]
async fn the_page_about_logging_and_progress_is_what_happens() {
    assert_eq!(had("logging-and-progress", "progress", progress::server).await, 2);
}

/// Has the conversations of a page, each revision with a client of its own: a block that names a revision is a request, the
/// next one its answer; one that was `sent` came unasked. Says how many requests there were.
async fn had<S: IntoServer>(page: &str, example: &str, server: fn() -> S) -> usize {
    let page = format!("docs/{page}.md");
    assert_compiled(&page, &format!("examples/{example}.rs"));
    let mut clients: HashMap<String, Client> = HashMap::new();
    let (mut known, mut last, mut asked) = (HashMap::new(), String::new(), 0);
    let mut shown = blocks(&read(&page)).into_iter().filter(|block| block.language == "json");
    while let Some(block) = shown.next() {
        if block.note == "sent" {
            let sent = clients[&last].take_notifications();
            assert!(sent.iter().any(|sent| contains(sent, &parse(&block.text))), "{page}: {sent:?}");
            continue;
        }
        let client = clients.entry(block.note.clone()).or_insert_with(|| client(&block.note, server()));
        let question = parse(&filled(&block.text, &known));
        let answer = parse(&shown.next().expect("a question has an answer").text);
        let method = question["method"].as_str().expect("a question names a method");
        let said = client.request(method, question["params"].clone()).await;
        let said = said.unwrap_or_else(|error| json!({"code": error.code.0, "message": error.message}));
        assert!(contains(&said, &answer), "{page}: {question} is answered with {said}");
        learn(&said, &mut known);
        (last, asked) = (block.note, asked + 1);
    }
    asked
}

/// A client of the revision that a block names; `without` anything that it can do.
fn client(note: &str, server: impl IntoServer) -> Client {
    let (revision, rest) = note.split_once(' ').unwrap_or((note, ""));
    let revision = Revision::parse(revision).expect("a question names a revision");
    let can = match rest {
        "without" => json!({}),
        _ => json!({"elicitation": {"form": {}}, "extensions": {"io.modelcontextprotocol/tasks": {}}}),
    };
    Client::with_capabilities(server, revision, can).inspect(|revision, method, reply| {
        if let Some(checker) = Checker::new(revision.as_str()) {
            checker.check_reply(method, reply).unwrap_or_else(|violations| panic!("{reply}\n{}", violations.join("\n")));
        }
    })
}

/// What is another each time, as it was told last.
fn learn(said: &Value, known: &mut HashMap<&'static str, String>) {
    let task = said["taskId"].as_str().or_else(|| said["task"]["taskId"].as_str());
    let key = said["inputRequests"].as_object().and_then(|asked| asked.keys().next()).map(String::as_str);
    for (name, value) in [("<task>", task), ("<key>", key), ("<state>", said["requestState"].as_str())] {
        if let Some(value) = value {
            known.insert(name, value.to_owned());
        }
    }
}

fn filled(text: &str, known: &HashMap<&'static str, String>) -> String {
    known.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
}
