//! The code of `docs/from-rmcp.md`: the server after the migration.

use std::sync::Mutex;

use mcp_core::{Builder, Json, json_type, server, tool, toolset};

#[json_type]
#[derive(Clone)]
pub struct Note {
    title: String,
    text: String,
}

#[derive(Default)]
pub struct Notes {
    notes: Mutex<Vec<Note>>,
}

#[toolset]
impl Notes {
    /// Write down a note.
    #[tool]
    fn write(
        &self,
        /// what it is about
        title: String,
        /// what to remember
        text: String,
    ) -> usize {
        let mut notes = self.notes.lock().expect("no tool panics while it holds the notes");
        notes.push(Note { title, text });
        notes.len()
    }

    /// Read a note.
    #[tool(read_only)]
    fn read(
        &self,
        /// what it is about
        title: String,
    ) -> Result<Json<Note>, String> {
        let notes = self.notes.lock().expect("no tool panics while it holds the notes");
        let note = notes.iter().find(|note| note.title == title).cloned();
        note.map(Json).ok_or_else(|| format!("there is no note about {title}"))
    }
}

pub fn server() -> Builder {
    server!().instructions("Notes that last as long as the session.").tools(Notes::default())
}

fn main() -> std::process::ExitCode {
    mcp_stdio::run(server())
}
