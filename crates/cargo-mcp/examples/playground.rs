//! A server with one of everything, to try `cargo mcp list`, `call`, `inspect` and the rest. The tests of this crate use it.
//!
//! ```sh
//! cargo run --package cargo-mcp -- list target/debug/examples/playground
//! cargo run --package cargo-mcp --example playground -- --http 8080    # over HTTP, at http://127.0.0.1:8080/mcp
//! ```

use std::process::ExitCode;
use std::time::Duration;

use mcp_core::ask::Sampling;
use mcp_core::completion::Typed;
use mcp_core::protocol::{PromptMessage, ResourceContents};
use mcp_core::{
    AskError, Builder, Content, Context, Elicited, Json, LogLevel, Server, ToolError, ToolResult, json_type, prompt,
    prompts, resource, resources, tool, tools,
};
use mcp_seal::{Key, Sealer};

/// A PNG image of one red pixel.
const RED_DOT: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0,
    0, 0, 0x90, 0x77, 0x53, 0xde, 0, 0, 0, 0x0c, b'I', b'D', b'A', b'T', 0x08, 0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0, 0, 0x03,
    0x01, 0x01, 0, 0x18, 0xdd, 0x8d, 0xb0, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

/// A WAV file without samples.
const SILENCE: &[u8] = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0";

/// Text that a client must not execute: HTML with a script, and control characters of terminals.
const HOSTILE: &str =
    "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script> \u{1b}]0;hacked\u{7}\u{1b}[2Jdone";

/// Add two numbers.
#[tool(read_only)]
async fn add(
    /// left addend
    a: i64,
    /// right addend
    b: i64,
) -> i64 {
    a + b
}

#[json_type]
#[serde(rename_all = "lowercase")]
enum Class {
    First,
    Second,
}

#[json_type]
struct Passenger {
    /// first and last name
    name: String,
    /// in years
    age: Option<u8>,
}

#[json_type]
#[serde(tag = "pay", rename_all = "lowercase")]
enum Payment {
    Card {
        /// the last four digits
        digits: String,
    },
    Invoice {
        company: String,
        /// days until it is due
        days: u16,
    },
}

#[json_type]
struct Ticket {
    route: String,
    date: String,
    class: Class,
    passengers: Vec<Passenger>,
    window: bool,
    price: f64,
    payment: Option<Payment>,
}

/// Book a train journey. Returns the ticket as structured output.
#[tool(destructive, title = "Book a journey")]
async fn book(
    /// the station to start from
    from: String,
    /// the station to go to
    to: String,
    /// the day of the journey
    #[schemars(extend("format" = "date"))]
    date: String,
    /// the class of the seats
    class: Class,
    /// everybody who travels
    passengers: Vec<Passenger>,
    /// sit at the window
    #[default(true)]
    window: bool,
    /// price of one seat
    #[schemars(range(min = 1.0, max = 500.0))]
    #[default(19.5)]
    price: f64,
    /// how to pay
    payment: Option<Payment>,
) -> Json<Ticket> {
    Json(Ticket { route: format!("{from} - {to}"), date, class, passengers, window, price, payment })
}

/// Count slowly, with progress.
#[tool(read_only, timeout = "10m")]
async fn count(
    /// how far to count
    to: u32,
    /// the time for each number in milliseconds
    #[default(300)]
    pause: u32,
    cx: &Context,
) -> String {
    cx.log(LogLevel::Info, format!("counting to {to}"));
    for number in 0..to {
        cx.progress(number, to, format!("number {number}"));
        cx.sleep(Duration::from_millis(pause.into())).await;
    }
    format!("counted to {to}")
}

/// Writes a line to standard error when a call ends, also if it is cancelled.
struct Farewell;

impl Drop for Farewell {
    #[expect(clippy::print_stderr, reason = "standard error is for logs")]
    fn drop(&mut self) {
        eprintln!("waiting is over");
    }
}

/// Wait until the call is cancelled.
#[tool(read_only, timeout = "10m")]
async fn wait(cx: &Context) -> String {
    let _farewell = Farewell;
    cx.progress(1, 2, "waiting");
    cx.cancelled().await;
    "cancelled".to_owned()
}

/// Return every kind of content.
#[tool(read_only)]
async fn gallery() -> Vec<Content> {
    vec![
        Content::text("Five kinds of content."),
        Content::image(RED_DOT, "image/png"),
        Content::audio(SILENCE, "audio/wav"),
        Content::link("notes://today", "the notes of today"),
        Content::resource(ResourceContents::text("notes://inside", "An embedded note.").mime_type("text/plain")),
    ]
}

/// Return only a picture.
#[tool(read_only)]
async fn picture() -> Content {
    Content::image(RED_DOT, "image/png")
}

/// Fail.
#[tool(read_only)]
async fn fail(reason: String) -> Result<(), ToolError> {
    Err(ToolError::new(reason))
}

#[json_type]
struct Order {
    /// the size of the cup
    size: Size,
    /// the name on the cup
    name: String,
    #[schemars(extend("default" = 1))]
    shots: Option<u8>,
    milk: Option<bool>,
    #[schemars(extend("format" = "email"))]
    receipt: Option<String>,
}

#[json_type]
#[serde(rename_all = "lowercase")]
enum Size {
    Small,
    Large,
}

/// Ask the user for an order.
#[tool(requires = [elicitation])]
async fn coffee(cx: &Context) -> Result<String, AskError> {
    Ok(match cx.elicit::<Order>("What would you like to drink?").await? {
        Elicited::Accepted(order) => {
            let size = if matches!(order.size, Size::Small) { "small" } else { "large" };
            let (shots, milk) = (order.shots.unwrap_or(0), order.milk.unwrap_or(false));
            format!("a {size} coffee for {}, shots: {shots}, milk: {milk}, receipt: {:?}", order.name, order.receipt)
        }
        Elicited::Declined => "declined".to_owned(),
        _ => "cancelled".to_owned(),
    })
}

/// Ask the user to open a page.
#[tool]
async fn sign_in(cx: &Context) -> Result<String, AskError> {
    Ok(match cx.elicit_url("Sign in to continue.", "https://login.example.com/start?flow=1").await? {
        Elicited::Accepted(()) => "opened".to_owned(),
        Elicited::Declined => "declined".to_owned(),
        _ => "cancelled".to_owned(),
    })
}

/// Ask the client's model.
#[tool]
async fn think(question: String, cx: &Context) -> Result<String, AskError> {
    let answer = cx.sample(Sampling::new([PromptMessage::user(question)], 100)).await?;
    Ok(format!("the model says: {}", answer.to_text()))
}

/// Return text that attacks the client.
#[tool(read_only)]
async fn attack(cx: &Context) -> ToolResult {
    cx.log(LogLevel::Warning, HOSTILE);
    cx.progress(1, 2, HOSTILE);
    let page = ResourceContents::text("notes://page", HOSTILE).mime_type("text/html");
    ToolResult::content([
        Content::text(HOSTILE),
        Content::image(HOSTILE, "image/svg+xml"),
        Content::image(HOSTILE, "text/html"),
        Content::link("javascript:window.hacked=1", HOSTILE),
        Content::resource(page),
    ])
}

/// Send very many log messages, and return a very long text.
#[tool(read_only)]
async fn flood(messages: u32, bytes: u32, cx: &Context) -> String {
    for number in 0..messages {
        cx.log(LogLevel::Info, format!("message {number}"));
    }
    "x".repeat(bytes as usize)
}

/// Greet somebody.
#[prompt(title = "Greeting")]
fn greet(
    /// who to greet
    #[complete(names)]
    name: String,
    /// how to greet
    style: Option<String>,
) -> Vec<PromptMessage> {
    let style = style.unwrap_or_else(|| "friendly".to_owned());
    vec![PromptMessage::user(format!("Greet {name}, please. Be {style}.")), PromptMessage::assistant("With pleasure.")]
}

fn names(typed: Typed) -> Vec<&'static str> {
    ["Ada", "Alan", "Grace"].into_iter().filter(|name| name.starts_with(&typed.value)).collect()
}

/// The notes of today.
#[resource("notes://today", mime_type = "text/plain")]
async fn today() -> &'static str {
    "Feed the cat."
}

/// The logo.
#[resource("notes://logo", mime_type = "image/png")]
async fn logo() -> ResourceContents {
    ResourceContents::bytes("notes://logo", RED_DOT).mime_type("image/png")
}

/// The notes of a day.
#[resource("notes://days/{day}")]
fn notes(#[complete(days)] day: String) -> String {
    format!("The notes of {day}.")
}

fn days(typed: Typed) -> Vec<&'static str> {
    ["monday", "tuesday", "sunday"].into_iter().filter(|day| day.starts_with(&typed.value)).collect()
}

fn server() -> Builder {
    Server::builder("playground", env!("CARGO_PKG_VERSION"))
        .instructions("One of everything that a server can offer.")
        .tools(tools![add, book, count, wait, gallery, picture, fail, coffee, sign_in, think, attack, flood])
        .prompts(prompts![greet])
        .resources(resources![today, logo, notes])
        .seal(Sealer::new(Key::random().expect("the system has random numbers")))
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next().and_then(|port| port.parse().ok())) {
        (Some("--http"), Some(port)) => over_http(port),
        _ => mcp_stdio::run(server()),
    }
}

#[tokio::main]
async fn over_http(port: u16) -> ExitCode {
    match serve(port).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(port: u16) -> Result<(), mcp_http::Error> {
    use std::io::Write;
    let listener = mcp_http::Http::new().listen(server(), ("127.0.0.1", port)).await?;
    let _ = writeln!(std::io::stdout(), "http://{}/mcp", listener.address());
    listener.serve().await
}
