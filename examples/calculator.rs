//! A server with three tools. `add` returns a number, `divide` can fail with an error for the model, and `statistics`
//! returns structured output.
//!
//! ```sh
//! cargo run --example calculator -- call divide a=1 b=0
//! claude mcp add calculator -- target/debug/examples/calculator
//! ```

use std::process::ExitCode;

use mcp_core::{Builder, Json, Server, json_type, tool, tools};

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

/// The error of `divide`.
#[derive(Debug)]
struct DivisionByZero;

impl std::fmt::Display for DivisionByZero {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("division by zero: give a `b` other than 0")
    }
}

impl std::error::Error for DivisionByZero {}

/// Divide one number by another.
#[tool(read_only)]
fn divide(
    /// dividend
    a: f64,
    /// divisor, not 0
    b: f64,
) -> Result<f64, DivisionByZero> {
    if b == 0.0 { Err(DivisionByZero) } else { Ok(a / b) }
}

/// Summary statistics of a list of numbers.
#[json_type]
struct Statistics {
    /// how many numbers there are
    count: usize,
    mean: f64,
    min: f64,
    max: f64,
}

/// Summarise a list of numbers.
#[tool(read_only)]
fn statistics(
    /// at least one number
    numbers: Vec<f64>,
) -> Result<Json<Statistics>, &'static str> {
    if numbers.is_empty() {
        return Err("the list is empty: give at least one number");
    }
    Ok(Json(Statistics {
        count: numbers.len(),
        mean: numbers.iter().sum::<f64>() / numbers.len() as f64,
        min: numbers.iter().copied().fold(f64::INFINITY, f64::min),
        max: numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    }))
}

/// Builds the server, for `main` and for tests.
pub fn server() -> Builder {
    Server::builder("calculator", env!("CARGO_PKG_VERSION"))
        .instructions("Exact arithmetic. Prefer these tools to calculating in your head.")
        .tools(tools![add, divide, statistics])
}

fn main() -> ExitCode {
    mcp_stdio::run(server())
}
