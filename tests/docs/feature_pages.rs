//! The pages about features show code that compiles, and the responses that the server sends.

use std::collections::HashMap;

use mcp_core::IntoServer;
use mcp_core::protocol::Revision;
use mcp_schema_check::Checker;
use mcp_test::Client;
use serde_json::{Value, json};

use crate::example_servers::{asking, caching, completion, live, progress, tasks};
use crate::markdown::{assert_compiled, blocks, contains, parse, read};

#[tokio::test]
async fn the_page_about_tasks_shows_the_real_responses() {
    assert_eq!(check("tasks", "tasks", tasks::server).await, 7);
}

#[tokio::test]
async fn the_page_about_asking_shows_the_real_responses() {
    assert_eq!(check("asking", "asking", asking::server).await, 5);
}

#[tokio::test]
async fn the_page_about_completion_shows_the_real_responses() {
    assert_eq!(check("completion", "completion", completion::server).await, 3);
}

#[tokio::test]
async fn the_page_about_caching_shows_the_real_responses() {
    assert_eq!(check("caching", "caching", caching::server).await, 3);
}

#[tokio::test]
async fn the_page_about_live_servers_shows_the_real_responses() {
    assert_eq!(check("live-servers", "live", live::server).await, 4);
}

#[tokio::test]
async fn the_page_about_logging_and_progress_shows_the_real_responses() {
    assert_eq!(check("logging-and-progress", "progress", progress::server).await, 2);
}

/// Sends the requests of a page and compares the responses. Each revision has its own client. A JSON block with a
/// revision is a request, and the next block is its response. A block with `sent` is a notification. Returns the number
/// of requests.
async fn check<S: IntoServer>(page: &str, example: &str, server: fn() -> S) -> usize {
    let page = format!("docs/{page}.md");
    assert_compiled(&page, &format!("examples/{example}.rs"));
    let mut clients: HashMap<String, Client> = HashMap::new();
    let (mut known, mut last, mut count) = (HashMap::new(), String::new(), 0);
    let mut shown = blocks(&read(&page)).into_iter().filter(|block| block.language == "json");
    while let Some(block) = shown.next() {
        if block.note == "sent" {
            let sent = clients[&last].take_notifications();
            assert!(sent.iter().any(|sent| contains(sent, &parse(&block.text))), "{page}: {sent:?}");
            continue;
        }
        let client = clients.entry(block.note.clone()).or_insert_with(|| client(&block.note, server()));
        let request = parse(&filled(&block.text, &known));
        let expected = parse(&shown.next().expect("a request has a response").text);
        let method = request["method"].as_str().expect("a request has a method");
        let response = client.request(method, request["params"].clone()).await;
        let response = response.unwrap_or_else(|error| json!({"code": error.code.0, "message": error.message}));
        assert!(contains(&response, &expected), "{page}: the response to {request} is {response}");
        learn(&response, &mut known);
        (last, count) = (block.note, count + 1);
    }
    count
}

/// Creates a client with the revision that a block names. With `without` it has no capabilities.
fn client(note: &str, server: impl IntoServer) -> Client {
    let (revision, rest) = note.split_once(' ').unwrap_or((note, ""));
    let revision = Revision::parse(revision).expect("a request names its revision");
    let capabilities = match rest {
        "without" => json!({}),
        _ => json!({"elicitation": {"form": {}}, "extensions": {"io.modelcontextprotocol/tasks": {}}}),
    };
    Client::with_capabilities(server, revision, capabilities).inspect(|revision, method, reply| {
        if let Some(checker) = Checker::new(revision.as_str()) {
            checker.check_reply(method, reply).unwrap_or_else(|violations| panic!("{reply}\n{}", violations.join("\n")));
        }
    })
}

/// Stores the values that differ from run to run: the id of a task, the key of an input request, and the sealed state.
fn learn(response: &Value, known: &mut HashMap<&'static str, String>) {
    let task = response["taskId"].as_str().or_else(|| response["task"]["taskId"].as_str());
    let key = response["inputRequests"].as_object().and_then(|requests| requests.keys().next()).map(String::as_str);
    for (name, value) in [("<task>", task), ("<key>", key), ("<state>", response["requestState"].as_str())] {
        if let Some(value) = value {
            known.insert(name, value.to_owned());
        }
    }
}

fn filled(text: &str, known: &HashMap<&'static str, String>) -> String {
    known.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
}
