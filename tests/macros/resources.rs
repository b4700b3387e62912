//! Tests of functions as resources.

use mcp_core::completion::Typed;
use mcp_core::protocol::ResourceContents;
use mcp_core::transport::RpcError;
use mcp_core::{Builder, Context, Json, Server, json_type, resource, resources};
use serde_json::{Value, json};

use crate::asking::{complete, error, request};

struct Shelf(Vec<&'static str>);

/// The message of the day.
#[resource(
    "motd://today",
    name = "message of the day",
    title = "Today",
    mime_type = "text/plain",
    size = 4,
    audience = [user, assistant],
    priority = 0.5,
    icon = "https://example.com/motd.svg",
    meta(cost = 1)
)]
fn motd() -> &'static str {
    "eggs"
}

/// A book.
#[resource("books://{shelf}/{number}", mime_type = "text/markdown", audience = user)]
async fn book(
    /// the name of the shelf
    shelf: Kind,
    #[serde(rename = "number")]
    #[complete(numbers)]
    index: usize,
    books: &Shelf,
) -> Option<String> {
    tokio::task::yield_now().await;
    books.0.get(index).map(|title| format!("{shelf:?}: {title}"))
}

#[json_type]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Novels,
    Poems,
}

fn numbers(_: Typed, cx: &Context) -> Vec<String> {
    let shelf = cx.state::<Shelf>().expect("the state is registered");
    (0..shelf.0.len()).map(|index| index.to_string()).collect()
}

/// Find books.
#[resource("books://find{?word,most}")]
fn find(word: String, #[default(1)] most: usize, books: &Shelf) -> Json<Vec<&'static str>> {
    Json(books.0.iter().filter(|title| title.contains(&word)).take(most).copied().collect())
}

/// Any file.
#[resource("file:///{+path}")]
fn file(path: String, cx: &Context) -> Result<Vec<u8>, std::io::Error> {
    assert!(!cx.is_cancelled());
    if path == "a/b c" { Ok(vec![0, 255]) } else { Err(std::io::Error::other("the disk is broken")) }
}

/// Several parts.
#[resource("parts://all")]
fn parts() -> Vec<ResourceContents> {
    vec![ResourceContents::text("parts://1", "one"), ResourceContents::text("parts://2", "two")]
}

fn server() -> Builder {
    Server::builder("test", "1")
        .resources(resources![motd, book, find, file, parts])
        .state(Shelf(vec!["Emma", "Middlemarch"]))
}

fn read(uri: &str) -> Result<Value, RpcError> {
    request(server(), "resources/read", json!({"uri": uri})).map(|mut result| result["contents"].take())
}

#[test]
fn the_lists_have_the_values_of_the_attributes() {
    let resources = request(server(), "resources/list", json!({})).unwrap()["resources"].take();
    let motd = json!({
        "uri": "motd://today", "name": "message of the day", "title": "Today", "description": "The message of the day.",
        "mimeType": "text/plain", "size": 4, "annotations": {"audience": ["user", "assistant"], "priority": 0.5},
        "icons": [{"src": "https://example.com/motd.svg"}], "_meta": {"cost": 1},
    });
    let parts = json!({"uri": "parts://all", "name": "parts", "description": "Several parts."});
    assert_eq!(resources, json!([motd, parts]));

    let templates = request(server(), "resources/templates/list", json!({})).unwrap()["resourceTemplates"].take();
    let book = json!({
        "uriTemplate": "books://{shelf}/{number}", "name": "book", "description": "A book.", "mimeType": "text/markdown",
        "annotations": {"audience": ["user"]},
    });
    assert_eq!(templates[0], book);
    assert_eq!(templates[1]["uriTemplate"], "books://find{?word,most}");
    assert_eq!(templates[2]["uriTemplate"], "file:///{+path}");
}

#[test]
fn variables_are_passed_as_parameters() {
    let text = |uri: &str, kind: &str, text: &str| json!([{"uri": uri, "mimeType": kind, "text": text}]);
    assert_eq!(read("motd://today").unwrap(), text("motd://today", "text/plain", "eggs"));
    assert_eq!(read("books://poems/1").unwrap(), text("books://poems/1", "text/markdown", "Poems: Middlemarch"));
    assert_eq!(read("books://find?word=m").unwrap()[0]["text"], "[\"Emma\"]");
    assert_eq!(read("books://find?most=2&word=m").unwrap()[0]["text"], "[\"Emma\",\"Middlemarch\"]");
    assert_eq!(read("books://find?word=m").unwrap()[0]["mimeType"], "application/json");
    assert_eq!(read("file:///a/b%20c").unwrap(), json!([{"uri": "file:///a/b%20c", "blob": "AP8="}]));
    assert_eq!(read("parts://all").unwrap()[1], json!({"uri": "parts://2", "text": "two"}));
}

#[test]
fn missing_resources_and_invalid_variables_are_errors() {
    assert_eq!(error(read("books://poems/7")).0, -32002);
    assert_eq!(error(read("books://poems")).0, -32002);
    let (code, message) = error(read("books://cookery/1"));
    assert_eq!(code, -32602);
    assert!(message.contains("`shelf`") && message.contains("novels"), "{message}");
    let (code, message) = error(read("books://poems/first"));
    assert_eq!(code, -32602);
    assert!(message.contains("`number`"), "{message}");
    assert!(error(read("books://find")).1.contains("`word`"));
    assert_eq!(error(read("file:///x")), (-32603, "the disk is broken".to_owned()));
}

#[test]
fn variables_can_be_completed() {
    let reference = || json!({"type": "ref/resource", "uri": "books://{shelf}/{number}"});
    assert_eq!(complete(server(), reference(), "shelf", "n", &json!({})), ["novels"]);
    assert_eq!(complete(server(), reference(), "number", "", &json!({})), ["0", "1"]);
}

#[test]
fn the_functions_can_still_be_called_directly() {
    assert_eq!(motd(), "eggs");
    assert_eq!(find("m".to_owned(), 9, &Shelf(vec!["Emma"])).0, ["Emma"]);
}

#[test]
fn a_parameter_name_can_be_a_keyword() {
    /// By its type.
    #[resource("type://{type}")]
    fn by_type(r#type: String) -> String {
        r#type
    }
    let server = Server::builder("test", "1").resources(resources![by_type]);
    let result = request(server, "resources/read", json!({"uri": "type://x"})).unwrap();
    assert_eq!(result["contents"][0]["text"], "x");
}

#[test]
fn a_borrowed_parameter_without_state_is_a_build_error() {
    let faults = Server::builder("test", "1").resources(resources![book]).build().unwrap_err().to_string();
    assert!(faults.starts_with("resource `books://{shelf}/{number}`: it borrows a `macros::resources::Shelf`"), "{faults}");
}
