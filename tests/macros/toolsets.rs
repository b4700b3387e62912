//! Tests of impl blocks as toolsets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mcp_core::completion::Typed;
use mcp_core::{Context, Server, Toolset, prompt, resource, tool, toolset};
use serde_json::json;

use crate::asking::{call, call_built, complete, error, request, text};

struct Counter {
    count: AtomicU32,
}

#[toolset]
impl Counter {
    fn new() -> Counter {
        Counter { count: AtomicU32::new(0) }
    }

    /// Count up.
    #[tool]
    async fn bump(
        &self,
        /// by how much
        by: u32,
    ) -> u32 {
        self.count.fetch_add(by, Ordering::Relaxed) + by
    }

    /// Read the count.
    #[tool(read_only)]
    fn read(&self, cx: &Context) -> String {
        format!("{} says {}", cx.name(), self.count.load(Ordering::Relaxed))
    }

    /// Greet somebody.
    #[tool]
    async fn greet(&self, #[default("you")] name: String) -> String {
        format!("hello {name}")
    }

    /// Double a number.
    #[mcp_core::tool]
    fn double(number: u32) -> u32 {
        number * 2
    }
}

#[test]
fn the_tools_of_a_set_share_their_value() {
    let server = Server::builder("test", "1").tools(Counter::new()).build().unwrap();
    assert_eq!(text(&call_built(&server, "bump", json!({"by": 2}))).0, "2");
    assert_eq!(text(&call_built(&server, "bump", json!({"by": 3}))).0, "5");
    assert_eq!(text(&call_built(&server, "read", json!({}))).0, "read says 5");
    assert_eq!(text(&call_built(&server, "greet", json!({}))).0, "hello you");
    assert_eq!(text(&call_built(&server, "double", json!({"number": 4}))).0, "8");
}

#[test]
fn a_toolset_can_be_an_arc_that_is_shared_with_other_code() {
    let counter = Arc::new(Counter::new());
    let server = Server::builder("test", "1").tools(counter.clone()).build().unwrap();
    call_built(&server, "bump", json!({"by": 2}));
    assert_eq!(counter.count.load(Ordering::Relaxed), 2);
}

/// A toolset with a lifetime parameter. The borrowed value must be `'static`.
struct Motto<'a>(&'a str);

#[toolset]
impl<'a> Motto<'a> {
    /// Say the motto.
    #[tool]
    fn say(&self) -> &'a str {
        self.0
    }

    /// Say the motto asynchronously.
    #[tool]
    async fn say_later(&self) -> &str {
        std::future::ready(self.0).await
    }
}

#[toolset]
#[cfg(any())]
impl Nowhere {
    /// Do nothing.
    #[tool]
    fn nothing(&self) {}
}

struct Labelled<'a, T>(&'a str, T);

#[toolset]
impl<T: std::fmt::Display> Labelled<'_, T> {
    /// Print the value.
    #[tool]
    async fn show(&self) -> String {
        format!("{}: {}", self.0, self.1)
    }
}

#[test]
fn a_toolset_can_have_a_lifetime_parameter() {
    let server = Server::builder("test", "1").tools(Motto("onwards")).tools(Labelled("number", 7)).build().unwrap();
    assert_eq!(text(&call_built(&server, "show", json!({}))).0, "number: 7");
    assert_eq!(text(&call_built(&server, "say", json!({}))).0, "onwards");
    assert_eq!(text(&call_built(&server, "say_later", json!({}))).0, "onwards");
}

#[test]
fn the_methods_can_still_be_called_directly() {
    assert_eq!(crate::asking::finish(Counter::new().bump(3)), 3);
    assert_eq!(Counter::double(2), 4);
}

#[test]
fn toolsets_can_be_merged_and_prefixed() {
    let server =
        Server::builder("test", "1").tools(Counter::new()).tools(Counter::new().prefixed("other_")).build().unwrap();
    let names: Vec<_> = server.tools().map(|tool| tool.name()).collect();
    assert_eq!(names, ["bump", "read", "greet", "double", "other_bump", "other_read", "other_greet", "other_double"]);
    assert_eq!(text(&call_built(&server, "bump", json!({"by": 2}))).0, "2");
    assert_eq!(text(&call_built(&server, "other_bump", json!({"by": 1}))).0, "1");
}

/// A generic toolset with a tool, a prompt and a resource.
struct Notebook<T>(Vec<T>);

#[toolset]
impl<T: ToString + Send + Sync + 'static> Notebook<T> {
    /// Count the notes.
    #[tool]
    fn count(&self) -> usize {
        self.0.len()
    }

    /// Ask about a note.
    #[prompt]
    async fn ask(&self, #[complete(Self::words)] word: String, #[default(0)] number: usize) -> Asked {
        Ok(format!("{word} {}?", self.0.get(number).ok_or("there is no such note")?.to_string()))
    }

    /// Greet.
    #[prompt(name = "count")]
    fn greet() -> &'static str {
        "Greet me."
    }

    fn words(typed: Typed) -> [String; 2] {
        ["what", "why"].map(|word| format!("{}{word}", typed.value))
    }

    /// A note.
    #[resource("notes://{number}")]
    fn note(&self, number: usize, cx: &Context) -> Option<String> {
        Some(format!("{} {}", cx.name(), self.0.get(number)?.to_string()))
    }
}

type Asked = Result<String, &'static str>;

#[test]
fn a_toolset_can_have_tools_prompts_and_resources() {
    let notes = Arc::new(Notebook(vec!['a', 'b']));
    let server = || Server::builder("test", "1").tools(notes.clone()).prompts(notes.clone()).resources(notes.clone());
    assert_eq!(text(&call(server(), "count", json!({}))).0, "2");
    let said = |name: &str, arguments| {
        let result = request(server(), "prompts/get", json!({"name": name, "arguments": arguments}));
        result.map(|result| result["messages"][0]["content"]["text"].clone())
    };
    assert_eq!(said("ask", json!({"word": "why", "number": "1"})).unwrap(), "why b?");
    assert_eq!(said("count", json!({})).unwrap(), "Greet me.");
    assert_eq!(error(said("ask", json!({"word": "why", "number": "2"}))), (-32603, "there is no such note".to_owned()));
    let reference = json!({"type": "ref/prompt", "name": "ask"});
    assert_eq!(complete(server(), reference, "word", "so ", &json!({})), ["so what", "so why"]);
    let read = |uri: &str| request(server(), "resources/read", json!({"uri": uri}));
    assert_eq!(read("notes://1").unwrap()["contents"][0]["text"], "note b");
    assert_eq!(error(read("notes://2")).0, -32002);
}

/// A set without tools.
struct Creed;

#[toolset]
impl Creed {
    /// The motto.
    #[mcp_core::resource("motto://ours")]
    fn motto() -> String {
        "Onwards.".to_owned()
    }
}

#[test]
fn a_toolset_can_have_only_resources() {
    let server = Server::builder("test", "1").resources(Creed).build().unwrap();
    let result = request(server, "resources/read", json!({"uri": "motto://ours"})).unwrap();
    assert_eq!(result["contents"][0]["text"], "Onwards.");
}
