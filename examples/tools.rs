//! Every form that a tool can have: parameters, attributes, results, toolsets and hooks. This is the code of
//! `docs/tools.md`, which shows the schema and the result of each tool; a test compares them.
//!
//! ```sh
//! cargo run --example tools -- tools
//! ```

use mcp_core::tool;

/// Add two numbers.
///
/// The rest of the doc comment is shown to the model too, *markdown* and all.
#[tool]
async fn add(
    /// left addend
    a: i64,
    /// right addend
    b: i64,
) -> i64 {
    a + b
}

/// Search the notes.
#[tool]
fn search(
    word: String,
    /// only notes of this author
    author: Option<String>,
    /// the maximum number of notes
    #[default(10)]
    limit: u32,
    #[default("en")] language: String,
    #[default] whole_words: bool,
) -> String {
    format!("{word} {author:?} {limit} {language} {whole_words}")
}

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Count the items of all arguments.
#[tool]
fn collect(
    numbers: Vec<f64>,
    tags: BTreeSet<String>,
    ages: BTreeMap<String, u8>,
    pair: (String, i32),
    anything: Value,
) -> usize {
    numbers.len() + tags.len() + ages.len() + pair.0.len() + anything.to_string().len()
}

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place on a map.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Place {
    /// to the east
    x: f64,
    /// to the north
    y: f64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Order {
    /// nearest first
    Near,
    /// farthest first
    Far,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Area {
    Circle { radius: f64 },
    Box { width: f64, height: f64 },
}

/// Find places around a place.
#[tool]
fn around(
    /// the centre of the search
    place: Place,
    area: Area,
    #[default(Order::Near)] order: Order,
) -> String {
    let size = match area {
        Area::Circle { radius } => radius * radius * std::f64::consts::PI,
        Area::Box { width, height } => width * height,
    };
    let near = matches!(order, Order::Near);
    format!("{size:.1} around {},{}, nearest first: {near}", place.x, place.y)
}

fn in_upper_case<'de, D: serde::Deserializer<'de>>(input: D) -> Result<String, D::Error> {
    Ok(String::deserialize(input)?.to_uppercase())
}

fn all_day() -> u32 {
    24
}

/// Book a room.
#[tool]
fn book(
    #[serde(rename = "type", alias = "kind")] room_type: String,
    #[serde(deserialize_with = "in_upper_case")] code: String,
    #[serde(default = "all_day")] hours: u32,
    #[schemars(range(min = 1, max = 12), example = 4)] guests: u8,
    #[schemars(length(max = 3), inner(length(min = 1)))] names: Vec<String>,
    #[schemars(regex(pattern = r"^\d{4}$"), description = "four digits")] pin: String,
) -> String {
    format!("{room_type} {code} {hours} {guests} {} {pin}", names.join("+"))
}

#[derive(Deserialize, JsonSchema)]
struct Page {
    #[serde(default)]
    offset: u32,
    #[schemars(range(max = 100))]
    size: u32,
}

/// List the rooms.
#[tool(read_only)]
fn rooms(floor: i8, #[serde(flatten)] page: Page) -> String {
    format!("floor {floor}, from {}, {} rooms", page.offset, page.size)
}

use mcp_core::Context;

struct Library {
    books: Vec<&'static str>,
}

/// Read all books.
#[tool]
async fn read_all(library: &Library, cx: &Context) -> String {
    for (read, book) in library.books.iter().enumerate() {
        cx.progress(read, library.books.len(), *book);
    }
    library.books.join(", ")
}

/// Not shown, because there is a `description`.
#[tool(
    name = "rooms.delete",
    title = "Delete a room",
    description = "Delete a room and all that is in it.",
    destructive,
    idempotent,
    open_world = false,
    timeout = "30s",
    max_output = 500_000,
    always_load,
    max_result_size = 200_000,
    icon = "https://example.com/bin.svg",
    meta("example.com/cost" = 3),
    task = optional
)]
async fn delete_room(number: u32) {
    let _ = number;
}

/// Find the first vowel.
#[tool]
fn first_vowel(word: String) -> Option<char> {
    word.chars().find(|letter| "aeiou".contains(*letter))
}

use mcp_core::Content;
use mcp_core::protocol::{ResourceContents, Role};

/// Show every kind of content.
#[tool]
fn show() -> Vec<Content> {
    vec![
        Content::text("for people only").audience([Role::User]).priority(0.5),
        Content::image(b"GIF89a", "image/gif"),
        Content::audio(b"RIFF", "audio/wav"),
        Content::link("file:///notes.txt", "notes"),
        Content::resource(ResourceContents::text("file:///a.txt", "inside").mime_type("text/plain")),
    ]
}

use mcp_core::Json;

/// Locate a city.
#[tool]
fn locate(city: String) -> Json<Place> {
    Json(Place { x: city.len() as f64, y: 0.5 })
}

/// Split a text into words.
#[tool]
fn words(text: String) -> Json<Vec<String>> {
    Json(text.split_whitespace().map(str::to_owned).collect())
}

use mcp_core::ToolError;

/// Add up numbers.
#[tool]
fn sum(numbers: Vec<String>) -> Result<i64, ToolError> {
    let mut sum = 0_i64;
    for number in &numbers {
        sum = sum.checked_add(number.parse()?).ok_or("the sum is too large")?;
    }
    Ok(sum)
}

use mcp_core::ToolResult;

/// Roll a die.
#[tool]
fn roll() -> ToolResult {
    ToolResult::text("You rolled a four.").meta("example.com/fair", true)
}

use std::sync::atomic::{AtomicU32, Ordering};

use mcp_core::toolset;

#[derive(Default)]
struct Counter {
    count: AtomicU32,
}

#[toolset]
impl Counter {
    /// Count up.
    #[tool]
    async fn bump(&self, #[default(1)] by: u32) -> u32 {
        self.count.fetch_add(by, Ordering::Relaxed) + by
    }
}

use mcp_core::{ToolSpec, tool_fn};
use serde_json::json;

fn greeter(word: &'static str) -> std::sync::Arc<dyn mcp_core::dynamic::Tool> {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    let spec = ToolSpec::new(format!("say_{word}"), format!("Say {word}.")).input_schema(schema);
    tool_fn(spec, move |arguments: Value, _: Context| async move { format!("{word}, {}", arguments["name"]) })
}

use mcp_core::hook::{HookCall, Next};

async fn guarded(call: HookCall, next: Next) -> ToolResult {
    if call.name().starts_with("rooms.delete") {
        return ToolResult::error("deleting is switched off today");
    }
    next.run(call).await
}

use mcp_core::{Builder, Toolset, server, tools};

pub fn server() -> Builder {
    server!()
        .tools(tools![add, search, collect, around, book, rooms, read_all, delete_room])
        .tools(tools![first_vowel, show, locate, words, sum, roll])
        .tools(Counter::default().prefixed("left_"))
        .tools(Counter::default().prefixed("right_"))
        .tools([greeter("hello"), greeter("goodbye")])
        .state(Library { books: vec!["Emma", "Ulysses"] })
        .hook(guarded)
}

fn main() -> std::process::ExitCode {
    mcp_stdio::run(server())
}
