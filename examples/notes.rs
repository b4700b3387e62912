//! A notebook with tools, resources and a prompt. Tools write and delete notes, each note is a resource, and the prompt
//! asks the model to edit a note.
//!
//! ```sh
//! cargo run --example notes -- call write title=eggs text='Boil for 6 minutes.'
//! ```

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mcp_core::completion::Typed;
use mcp_core::protocol::{PromptMessage, ResourceContents};
use mcp_core::{Builder, Content, Context, Json, Server, json_type, prompt, prompts, resource, resources, tool, tools};

/// The notes by title. All functions share it.
struct Notebook(Mutex<BTreeMap<String, String>>);

impl Notebook {
    fn open(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Write a note, or replace it.
#[tool(idempotent)]
fn write(
    /// the title, one word; it is part of the note's URI
    #[schemars(regex(pattern = "^[a-z0-9-]+$"))]
    title: String,
    /// markdown
    text: String,
    notes: &Notebook,
) -> Content {
    notes.open().insert(title.clone(), text);
    Content::link(format!("notes://{title}"), title)
}

/// Delete a note.
#[tool(destructive)]
fn tear_out(title: String, notes: &Notebook) -> Result<String, String> {
    notes.open().remove(&title).ok_or_else(|| format!("there is no note `{title}`"))
}

/// The titles of all notes.
#[resource("notes://", title = "Index", audience = [user, assistant], priority = 1.0)]
fn index(notes: &Notebook) -> Json<Vec<String>> {
    Json(notes.open().keys().cloned().collect())
}

/// A note.
#[resource("notes://{title}", mime_type = "text/markdown")]
fn note(#[complete(titles)] title: String, notes: &Notebook) -> Option<String> {
    notes.open().get(&title).cloned()
}

#[json_type]
#[serde(rename_all = "lowercase")]
enum Work {
    Shorten,
    Translate,
}

/// Work on a note.
#[prompt(title = "Work on a note")]
fn work_on(
    #[complete(titles)] title: String,
    /// what to do with it
    work: Work,
    #[default("English")] language: String,
    notes: &Notebook,
) -> Result<Vec<PromptMessage>, String> {
    let text = notes.open().get(&title).cloned().ok_or_else(|| format!("there is no note `{title}`"))?;
    let task = match work {
        Work::Shorten => format!("Shorten this note to one sentence in {language}."),
        Work::Translate => format!("Translate this note to {language}."),
    };
    let note = ResourceContents::text(format!("notes://{title}"), text).mime_type("text/markdown");
    Ok(vec![PromptMessage::user(task), PromptMessage::user(Content::resource(note))])
}

fn titles(typed: Typed, cx: &Context) -> Vec<String> {
    let notes = cx.state::<Notebook>().expect("`server` registers the state");
    notes.open().keys().filter(|title| title.starts_with(&typed.value)).cloned().collect()
}

/// Builds the server, for `main` and for tests.
pub fn server() -> Builder {
    let notes = [("eggs", "Boil for *6* minutes."), ("egg-cups", "Buy two."), ("tea", "Green, 80 °C.")]
        .map(|(title, text)| (title.to_owned(), text.to_owned()));
    Server::builder("notes", env!("CARGO_PKG_VERSION"))
        .tools(tools![write, tear_out])
        .resources(resources![index, note])
        .prompts(prompts![work_on])
        .state(Notebook(Mutex::new(notes.into())))
}

fn main() -> ExitCode {
    mcp_stdio::run(server())
}
