//! The code of `docs/errors.md`.

use mcp_core::{Builder, Json, ToolError, schemars, serde, server, tool, tools};

/// Count the words in a file.
#[tool(read_only)]
fn count_words(
    /// the path of the file
    path: String,
) -> Result<usize, ToolError> {
    Ok(std::fs::read_to_string(path)?.split_whitespace().count())
}

/// Why a room cannot be booked.
#[derive(Debug)]
enum NoRoom {
    Full { free_from: String },
    Unknown,
}

impl std::fmt::Display for NoRoom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoRoom::Full { free_from } => write!(f, "that room is taken until {free_from}: try then, or another room"),
            NoRoom::Unknown => f.write_str("that room does not exist: call `list_rooms` for all rooms"),
        }
    }
}

impl std::error::Error for NoRoom {}

/// Book a room.
#[tool]
async fn book(
    /// the number of the room
    room: u32,
) -> Result<String, NoRoom> {
    match room {
        1 => Ok("room 1 is yours".into()),
        2 => Err(NoRoom::Full { free_from: "noon".into() }),
        _ => Err(NoRoom::Unknown),
    }
}

pub fn server() -> Builder {
    server!().tools(tools![count_words, book])
}
