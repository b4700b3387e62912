//! A server that can be served over standard input and output, and over HTTP: `cargo run -p mcp-serve --example calc -- serve --http 8080`

use std::process::ExitCode;

use mcp_core::{json_type, server, tool, tools};

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

/// A seat such as `12A`.
#[json_type]
#[serde(try_from = "String")]
struct Seat(String);

impl TryFrom<String> for Seat {
    type Error = String;

    fn try_from(text: String) -> Result<Seat, String> {
        let is_seat = text.strip_suffix(char::is_alphabetic).is_some_and(|row| row.parse::<u8>().is_ok());
        if is_seat { Ok(Seat(text)) } else { Err(format!("`{text}` is not a row and a letter")) }
    }
}

/// Who travels.
#[json_type]
struct Passenger {
    name: String,
    seat: Seat,
}

/// Plan a journey.
#[tool(read_only)]
async fn plan(
    /// the first day
    #[schemars(extend("format" = "date"))]
    from: String,
    /// the last day
    #[schemars(extend("format" = "date"))]
    until: String,
    /// everybody who travels
    passengers: Vec<Passenger>,
) -> String {
    let seats: Vec<String> = passengers.iter().map(|one| format!("{} in {}", one.name, one.seat.0)).collect();
    format!("{from} to {until}: {}", seats.join(", "))
}

fn main() -> ExitCode {
    mcp_serve::run(server!().tools(tools![add, plan]))
}
