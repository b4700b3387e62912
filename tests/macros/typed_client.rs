//! Tests of `add::on(&client).call(..)`: a function with `#[tool]` is also its client.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use mcp_core::caller::{Caller, ToolCallError};
use mcp_core::protocol::Revision;
use mcp_core::{Content, Context, Json, Server, ToolResult, Toolset, json_type, prompt, tool, tools, toolset};
use mcp_test::Client;
use serde_json::{Value, json};

/// Server state.
struct Shelf {
    label: String,
}

/// A point.
#[json_type]
#[derive(PartialEq, Debug)]
struct Point {
    x: i32,
    y: i32,
}

/// Add two numbers.
#[tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Join texts.
#[tool(name = "join-words")]
fn join(first: String, second: Option<String>, #[default(3)] times: u32, cx: &Context, shelf: &Shelf) -> String {
    cx.progress(0, 1, "joining");
    format!("{} {first} {second:?} {times}", shelf.label)
}

/// Move a point.
#[tool]
fn shift(point: Point, #[serde(rename = "by")] distance: Point) -> Json<Point> {
    Json(Point { x: point.x + distance.x, y: point.y + distance.y })
}

/// Divide.
#[tool]
fn divide(a: i64, b: i64) -> Result<i64, String> {
    a.checked_div(b).ok_or_else(|| "cannot divide by zero".to_owned())
}

/// Find an entry.
#[tool]
fn find(key: String) -> Option<Json<Vec<u8>>> {
    (key == "known").then(|| Json(vec![1, 2]))
}

/// Return any JSON.
#[tool]
fn same(value: Value) -> Json<Value> {
    Json(value)
}

/// Draw.
#[tool]
fn draw(path: PathBuf) -> Vec<Content> {
    vec![Content::text(path.display().to_string()), Content::text("!")]
}

/// Do nothing.
#[tool]
fn nothing() {}

/// The label, whose lifetime is that of the state.
#[tool]
fn label(shelf: &Shelf) -> &str {
    &shelf.label
}

/// The label again.
#[tool]
async fn cow(shelf: &Shelf) -> Cow<'_, str> {
    shelf.label.as_str().into()
}

/// Sum up the values.
#[tool]
fn sum(
    #[serde(flatten)] values: HashMap<String, i64>,
    #[serde(deserialize_with = "doubled")] bonus: i64,
    #[cfg(test)] twice: bool,
    #[cfg(not(test))] thrice: bool,
) -> i64 {
    values.values().sum::<i64>() * if twice { 2 } else { 1 } + bonus
}

fn doubled<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    serde::Deserialize::deserialize(deserializer).map(|number: i64| number * 2)
}

fn server() -> mcp_core::Builder {
    Server::builder("typed", "1.0.0")
        .tools(tools![add, join, shift, divide, find, same, draw, nothing, label, cow, sum])
        .state(Shelf { label: "top".to_owned() })
}

#[tokio::test]
async fn a_call_takes_the_arguments_and_returns_the_value_of_the_function() {
    for revision in Revision::ALL {
        let client = Client::with_revision(server(), revision);
        assert_eq!(add::on(&client).call(2, 3).await.unwrap(), 5);
        assert_eq!(shift::on(&client).call(Point { x: 1, y: 2 }, Point { x: 3, y: 4 }).await.unwrap(), Point { x: 4, y: 6 });
        assert_eq!(divide::on(&client).call(7, 2).await.unwrap(), 3);
        assert_eq!(find::on(&client).call("known").await.unwrap(), Some(vec![1, 2]));
        assert_eq!(find::on(&client).call("unknown").await.unwrap(), None);
        nothing::on(&client).call().await.unwrap();
        assert_eq!(label::on(&client).call().await.unwrap(), "top");
        assert_eq!(cow::on(&client).call().await.unwrap(), "top");
    }
}

#[tokio::test]
async fn any_json_value_comes_back_unchanged_in_every_revision() {
    for revision in Revision::ALL {
        let client = Client::with_revision(server(), revision);
        for value in [json!(5), json!([1, null]), json!("text"), json!({"result": 5}), json!({})] {
            assert_eq!(same::on(&client).call(value.clone()).await.unwrap(), value, "{revision}");
        }
    }
}

#[tokio::test]
async fn texts_can_be_borrowed_and_optional_arguments_left_out() {
    let client = Client::new(server());
    let joined = join::on(&client).call("a", None, None).await.unwrap();
    assert_eq!(joined, "top a None 3");
    let joined = join::on(&client).call(String::from("a"), Some("b".to_owned()), Some(1)).await.unwrap();
    assert_eq!(joined, "top a Some(\"b\") 1");
}

#[tokio::test]
async fn content_is_returned_as_the_whole_result() {
    let client = Client::new(server());
    let result: ToolResult = draw::on(&client).call("a/b").await.unwrap();
    assert_eq!(result.to_text(), "a/b!");
    assert_eq!(result.content.len(), 2);
}

#[tokio::test]
async fn arguments_with_serde_attributes_are_sent_as_their_json() {
    let client = Client::new(server());
    let values = HashMap::from([("a".to_owned(), 1), ("b".to_owned(), 2)]);
    assert_eq!(sum::on(&client).call(values, json!(10), json!(true)).await.unwrap(), 26);
}

#[tokio::test]
async fn a_failed_tool_is_an_error_with_its_message() {
    let client = Client::new(server());
    let error = divide::on(&client).call(1, 0).await.unwrap_err();
    assert!(matches!(&error, ToolCallError::Tool(result) if result.to_text() == "cannot divide by zero"));
    assert_eq!(error.to_string(), "the tool failed: cannot divide by zero");
}

#[tokio::test]
async fn a_tool_that_the_server_does_not_have_is_a_protocol_error() {
    let client = Client::new(Server::builder("empty", "1.0.0").tools(tools![nothing]));
    let error = add::on(&client).call(1, 0).await.unwrap_err();
    assert!(matches!(&error, ToolCallError::Rpc(error) if error.message.contains("add")), "{error}");
}

#[tokio::test]
async fn a_result_of_another_type_is_an_error_that_shows_it() {
    /// Say something else.
    #[tool(name = "add")]
    fn other(a: i64, b: i64) -> String {
        format!("{a} and {b}")
    }
    let client = Client::new(Server::builder("other", "1.0.0").tools(tools![other]));
    let error = add::on(&client).call(1, 2).await.unwrap_err();
    assert_eq!(error.to_string(), "the result of `add` cannot be read: invalid digit found in string: `1 and 2`");
}

#[tokio::test]
async fn a_prefix_is_added_for_a_server_with_prefixed_tools() {
    let client = Client::new(Server::builder("prefixed", "1.0.0").tools(tools![add].prefixed("int_")));
    assert_eq!(add::on(&client.prefixed("int_")).call(2, 3).await.unwrap(), 5);
}

#[tokio::test]
async fn a_call_can_be_kept_and_moved_to_another_task() {
    let client: &'static Client = Box::leak(Box::new(Client::new(server())));
    let call = add::on(client).call(2, 3);
    assert_eq!(tokio::spawn(call).await.unwrap().unwrap(), 5);
}

/// A set with methods.
#[derive(Default)]
struct Counter(AtomicU32);

#[toolset(client = CounterClient)]
impl Counter {
    const START: u32 = 0;

    /// Count up.
    #[tool]
    async fn bump(&self, #[default(Self::START + 1)] by: u32, _cx: &Context) -> u32 {
        self.0.fetch_add(by, Ordering::Relaxed) + by
    }

    /// Name the counter.
    #[tool(name = "counter-name")]
    fn name(title: String) -> Result<String, String> {
        if title.is_empty() { Err("no title".to_owned()) } else { Ok(format!("{title} counter")) }
    }

    /// Add nothing.
    #[tool]
    #[cfg(any())]
    fn absent(&self, missing: Missing) {}

    /// A prompt is not part of the client.
    #[prompt]
    fn greeting() -> &'static str {
        "hello"
    }
}

#[tokio::test]
async fn the_methods_of_a_toolset_are_called_through_its_client() {
    let client = Client::new(Server::builder("set", "1.0.0").tools(Counter::default()));
    let counter = CounterClient::on(&client);
    assert_eq!(counter.bump(Some(2)).await.unwrap(), 2);
    assert_eq!(counter.bump(None).await.unwrap(), 3);
    assert_eq!(counter.name("Big").await.unwrap(), "Big counter");
    assert_eq!(counter.name("").await.unwrap_err().to_string(), "the tool failed: no title");
}
