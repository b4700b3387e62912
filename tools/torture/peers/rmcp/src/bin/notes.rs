//! The code of `docs/from-rmcp.md`: the server before.

use std::sync::{Arc, Mutex};

use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{ServerCapabilities, ServerConfig};
use rmcp::schemars::JsonSchema;
use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router, transport::stdio};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, JsonSchema)]
pub struct Note {
    title: String,
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Write {
    /// what it is about
    title: String,
    /// what to remember
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Read {
    /// what it is about
    title: String,
}

#[derive(Clone, Default)]
pub struct Notes {
    notes: Arc<Mutex<Vec<Note>>>,
}

#[tool_router]
impl Notes {
    /// Write down a note.
    #[tool]
    fn write(&self, Parameters(Write { title, text }): Parameters<Write>) -> String {
        let mut notes = self.notes.lock().expect("no tool panics while it holds the notes");
        notes.push(Note { title, text });
        notes.len().to_string()
    }

    /// Read a note.
    #[tool(annotations(read_only_hint = true))]
    fn read(&self, Parameters(Read { title }): Parameters<Read>) -> Result<Json<Note>, String> {
        let notes = self.notes.lock().expect("no tool panics while it holds the notes");
        let note = notes.iter().find(|note| note.title == title).cloned();
        note.map(Json).ok_or_else(|| format!("there is no note about {title}"))
    }
}

#[tool_handler]
impl ServerHandler for Notes {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_instructions("Notes that last as long as the session.")
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Notes::default().serve(stdio()).await?.waiting().await?;
    Ok(())
}
