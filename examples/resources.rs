//! Resources: fixed URIs, URI templates with variables, and binary contents. This is the code of `docs/resources.md`; a
//! test compares the two.
//!
//! ```sh
//! cargo run --example resources -- docs
//! ```

use std::process::ExitCode;

use mcp_core::completion::Typed;
use mcp_core::protocol::ResourceContents;
use mcp_core::{Builder, Json, Server, resource, resources};

/// The message of the day.
#[resource("motd://today", title = "Today", mime_type = "text/plain", audience = user, priority = 0.3)]
async fn motd() -> &'static str {
    "Eat more eggs."
}

struct Shelf(Vec<&'static str>);

/// The book at a position on the shelf.
#[resource("books://{place}")]
fn book(#[complete(places)] place: usize, shelf: &Shelf) -> Option<String> {
    shelf.0.get(place).map(|title| title.to_string())
}

fn places(typed: Typed) -> Vec<String> {
    (0..3).map(|place| place.to_string()).filter(|place| place.starts_with(&typed.value)).collect()
}

/// The books whose title contains a word.
#[resource("books://find{?word,most}")]
fn find(word: String, #[default(10)] most: usize, shelf: &Shelf) -> Json<Vec<&'static str>> {
    Json(shelf.0.iter().filter(|title| title.contains(&word)).take(most).copied().collect())
}

/// A picture and a description of it.
#[resource("pictures:///{+path}")]
fn picture(path: String) -> Result<Vec<ResourceContents>, std::io::Error> {
    if path.contains("..") {
        return Err(std::io::Error::other("the path leads outside of the folder"));
    }
    let uri = format!("pictures:///{path}");
    let shown = ResourceContents::text(format!("{uri}.txt"), "An egg.");
    Ok(vec![ResourceContents::bytes(uri, b"\x89PNG").mime_type("image/png"), shown])
}

pub fn server() -> Builder {
    let shelf = Shelf(vec!["Emma", "Middlemarch", "Kim"]);
    Server::builder("resources", env!("CARGO_PKG_VERSION")).resources(resources![motd, book, find, picture]).state(shelf)
}

fn main() -> ExitCode {
    mcp_stdio::run(server())
}
