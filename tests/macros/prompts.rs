//! Tests of functions as prompts.

use std::fmt;

use mcp_core::completion::Typed;
use mcp_core::protocol::{PromptMessage, PromptResult};
use mcp_core::transport::RpcError;
use mcp_core::{Builder, Content, Context, Server, ToolError, json_type, prompt, prompts};
use serde_json::{Value, json};

use crate::asking::{complete, error, request};

/// How strict a review is.
#[json_type]
#[derive(Debug, Default)]
#[serde(rename_all = "lowercase")]
enum Tone {
    /// Praise first.
    Kind,
    /// Only faults.
    #[default]
    Strict,
}

struct House(&'static str);

/// Review a piece of code.
#[prompt(
    title = "Review code",
    icons = ["https://example.com/a.svg", mcp_core::protocol::Icon::new("https://example.com/b.svg")],
    meta("example/kind" = "review", cost = 3)
)]
fn review(
    /// the code to look at
    code: String,
    #[serde(rename = "in")]
    #[complete(languages)]
    language: Option<String>,
    /// how strict to be
    tone: Tone,
    #[default(5)] most: u32,
    #[default] tersely: bool,
    house: &House,
    cx: &Context,
) -> String {
    let house = house.0;
    assert!(!cx.is_cancelled());
    format!("{house}: {code} {language:?} {tone:?} {most} {tersely}")
}

fn languages(typed: Typed) -> impl Iterator<Item = &'static str> {
    ["rust", "ruby", "zig"].into_iter().filter(move |language| language.starts_with(&typed.value))
}

/// Plan a journey.
#[prompt]
async fn travel(
    #[complete(countries)] country: String,
    #[complete(cities)] city: String,
    #[complete(Hotel::names)] hotel: String,
) -> Vec<PromptMessage> {
    tokio::task::yield_now().await;
    vec![
        PromptMessage::user(format!("Bring me to {hotel} in {city}, {country}.")),
        PromptMessage::assistant(Content::image(b"x", "image/png")),
    ]
}

async fn countries(_: Typed) -> Vec<&'static str> {
    vec!["Chad", "Peru"]
}

async fn cities(typed: Typed, cx: &Context) -> Vec<String> {
    let house = cx.state::<House>().expect("the state is registered");
    tokio::task::yield_now().await;
    vec![format!("{} of {}", house.0, typed.arguments["country"])]
}

struct Hotel;

impl Hotel {
    fn names(typed: Typed, cx: &Context) -> [String; 1] {
        [format!("{}{}", typed.value, cx.state::<House>().expect("the state is registered").0)]
    }
}

fn server() -> Builder {
    Server::builder("test", "1").prompts(prompts![review, travel]).state(House("House"))
}

fn said(server: Builder, prompt: &str, arguments: Value) -> Value {
    let result = request(server, "prompts/get", json!({"name": prompt, "arguments": arguments})).unwrap();
    result["messages"][0]["content"]["text"].clone()
}

fn refused(server: Builder, prompt: &str, arguments: Value) -> (i64, String) {
    error(request(server, "prompts/get", json!({"name": prompt, "arguments": arguments})))
}

#[test]
fn the_list_has_the_arguments_of_the_signature() {
    let prompts = request(server(), "prompts/list", json!({})).unwrap()["prompts"].take();
    assert_eq!(
        prompts[0],
        json!({
            "name": "review", "title": "Review code", "description": "Review a piece of code.",
            "arguments": [
                {"name": "code", "description": "the code to look at", "required": true},
                {"name": "in", "required": false},
                {"name": "tone", "description": "how strict to be\n\nHow strict a review is.\n\n- `kind`: Praise first.\n- `strict`: Only faults.", "required": true},
                {"name": "most", "required": false},
                {"name": "tersely", "required": false},
            ],
            "icons": [{"src": "https://example.com/a.svg"}, {"src": "https://example.com/b.svg"}],
            "_meta": {"cost": 3, "example/kind": "review"},
        })
    );
    assert_eq!(prompts[1]["name"], "travel");
}

#[test]
fn arguments_are_parsed_into_the_parameter_types() {
    let least = json!({"code": "7", "tone": "kind"});
    assert_eq!(said(server(), "review", least), "House: 7 None Kind 5 false");
    let most = json!({"code": "x", "in": "rust", "tone": "strict", "most": "2", "tersely": "true"});
    assert_eq!(said(server(), "review", most), "House: x Some(\"rust\") Strict 2 true");
    let result = json!({"country": "Peru", "city": "Lima", "hotel": "Ritz"});
    assert_eq!(said(server(), "travel", result), "Bring me to Ritz in Lima, Peru.");
}

#[test]
fn errors_name_the_invalid_arguments() {
    for (arguments, named) in [
        (json!({"code": "x"}), "`tone`"),
        (json!({"code": "x", "tone": "rude"}), "`tone`"),
        (json!({"code": "x", "tone": "kind", "most": "many"}), "`most`"),
        (json!({"code": "x", "tone": "kind", "language": "rust"}), "`language`"),
    ] {
        let (code, message) = refused(server(), "review", arguments);
        assert_eq!(code, -32602);
        assert!(message.contains(named), "{message}");
    }
}

#[test]
fn functions_complete_arguments_and_enums_are_completed_automatically() {
    let reference = |name: &str| json!({"type": "ref/prompt", "name": name});
    let known = json!({"country": "Peru"});
    assert_eq!(complete(server(), reference("review"), "in", "ru", &known), ["rust", "ruby"]);
    assert_eq!(complete(server(), reference("review"), "tone", "S", &known), ["strict"]);
    assert_eq!(complete(server(), reference("review"), "code", "x", &known), [""; 0]);
    assert_eq!(complete(server(), reference("travel"), "country", "", &known), ["Chad", "Peru"]);
    assert_eq!(complete(server(), reference("travel"), "city", "", &known), ["House of Peru"]);
    assert_eq!(complete(server(), reference("travel"), "hotel", "Ritz", &known), ["RitzHouse"]);
}

/// An error with a source.
#[derive(Debug)]
struct Outer(std::num::ParseIntError);

impl fmt::Display for Outer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such page")
    }
}

impl std::error::Error for Outer {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// A type that implements only `Display`.
struct Shown;

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("shown")
    }
}

/// Fail with a source.
#[prompt]
fn sourced(page: String) -> Result<String, Outer> {
    page.parse::<u8>().map(|page| page.to_string()).map_err(Outer)
}

/// Fail with any error.
#[prompt]
async fn any(page: String) -> Result<PromptMessage, ToolError> {
    if page == "refused" {
        Err(RpcError::invalid_params("not this page"))?;
    }
    Ok(PromptMessage::assistant(page.parse::<u8>().map_err(Outer)?.to_string()))
}

/// Fail with a boxed error.
#[prompt]
fn boxed(page: String) -> Result<PromptResult, Box<dyn std::error::Error>> {
    Ok(PromptResult::new([PromptMessage::user(page.parse::<u8>().map_err(Outer)?.to_string())]).description("a page"))
}

/// Fail with a type that implements only `Display`.
#[prompt]
fn shown() -> Result<&'static str, Shown> {
    Err(Shown)
}

/// Fail with a protocol error.
#[prompt]
fn protocol() -> Result<String, RpcError> {
    Err(RpcError::invalid_params("not today"))
}

/// Fail with an anyhow error.
#[prompt]
fn any_how() -> anyhow::Result<String> {
    Err(anyhow::anyhow!("inner").context("outer"))
}

#[test]
fn errors_are_sent_with_all_their_sources() {
    let server = || Server::builder("test", "1").prompts(prompts![sourced, any, boxed, shown, protocol, any_how]);
    let whole = "no such page: invalid digit found in string";
    let page = json!({"page": "x"});
    assert_eq!(refused(server(), "sourced", page.clone()), (-32603, whole.to_owned()));
    assert_eq!(refused(server(), "any", page.clone()), (-32603, whole.to_owned()));
    assert_eq!(refused(server(), "boxed", page), (-32603, whole.to_owned()));
    assert_eq!(refused(server(), "shown", json!({})), (-32603, "shown".to_owned()));
    assert_eq!(refused(server(), "any_how", json!({})), (-32603, "outer: inner".to_owned()));
    // A protocol error keeps its code, even as the source of another error.
    assert_eq!(refused(server(), "protocol", json!({})), (-32602, "not today".to_owned()));
    assert_eq!(refused(server(), "any", json!({"page": "refused"})), (-32602, "not this page".to_owned()));

    for name in ["sourced", "any", "boxed"] {
        assert_eq!(said(server(), name, json!({"page": "7"})), "7");
    }
    let result = request(server(), "prompts/get", json!({"name": "boxed", "arguments": {"page": "7"}})).unwrap();
    assert_eq!(result["description"], "a page");
}

#[test]
fn the_functions_can_still_be_called_directly() {
    assert_eq!(sourced("7".to_owned()).unwrap(), "7");
    assert_eq!(languages(Typed::default()).count(), 3);
}

/// A point on a map.
#[json_type]
struct Point {
    x: i32,
    y: i32,
}

/// Go somewhere.
#[prompt]
fn go(to: Point, via: Option<Vec<Point>>, speed: Option<f64>, tone: Option<Tone>) -> String {
    let via = via.map_or(0, |points| points.len());
    format!("{} {} {via} {speed:?} {tone:?}", to.x, to.y)
}

#[test]
fn arguments_of_other_types_are_parsed_as_json() {
    let server = || Server::builder("test", "1").prompts(prompts![go]);
    assert_eq!(said(server(), "go", json!({"to": "{\"x\": 1, \"y\": 2}"})), "1 2 0 None None");
    let all = json!({"to": "{\"x\": 1, \"y\": 2}", "via": "[{\"x\": 3, \"y\": 4}]", "speed": "1.5", "tone": "kind"});
    assert_eq!(said(server(), "go", all), "1 2 1 Some(1.5) Some(Kind)");
    let (code, message) = refused(server(), "go", json!({"to": "{\"x\": 1}"}));
    assert_eq!(code, -32602);
    assert!(message.contains("`to.y`"), "{message}");
    assert_eq!(complete(server(), json!({"type": "ref/prompt", "name": "go"}), "tone", "k", &json!({})), ["kind"]);
}

#[test]
fn a_borrowed_parameter_without_state_is_a_build_error() {
    let faults = Server::builder("test", "1").prompts(prompts![review]).build().unwrap_err().to_string();
    assert!(faults.starts_with("prompt `review`: it borrows a `macros::prompts::House`"), "{faults}");
}

/// Additional arguments of a prompt.
#[json_type]
struct Size {
    /// the number of pages
    pages: Option<u8>,
}

/// Tell a story.
#[prompt]
fn story(about: String, #[serde(flatten)] size: Size) -> String {
    format!("{about} {:?}", size.pages)
}

#[test]
fn the_fields_of_a_flattened_argument_are_arguments_of_the_prompt() {
    let server = || Server::builder("test", "1").prompts(prompts![story]);
    assert_eq!(said(server(), "story", json!({"about": "eggs", "pages": "3"})), "eggs Some(3)");
    let listed = request(server(), "prompts/list", json!({})).unwrap()["prompts"][0]["arguments"].take();
    let pages = json!({"name": "pages", "description": "the number of pages", "required": false});
    assert_eq!(listed, json!([{"name": "about", "required": true}, pages]));
    assert!(refused(server(), "story", json!({"about": "eggs", "words": "3"})).1.contains("`words`"));
}
