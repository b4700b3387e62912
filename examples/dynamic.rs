//! Tools that are created at run time, without a macro. Each row of a table of units becomes a tool that converts one
//! unit into another.
//!
//! ```sh
//! cargo run --example dynamic -- call miles_to_kilometres amount=26.2
//! ```

use std::process::ExitCode;

use mcp_core::{Builder, Context, Server, ToolSpec, tool_fn};
use serde_json::{Value, json};

/// In a real program this comes from a file, a database or another service.
const UNITS: [(&str, &str, f64); 3] =
    [("miles", "kilometres", 1.609_344), ("pounds", "kilograms", 0.453_592_37), ("inches", "centimetres", 2.54)];

/// Builds the server, for `main` and for tests.
pub fn server() -> Builder {
    let tools = UNITS.map(|(from, to, factor)| {
        let spec = ToolSpec::new(format!("{from}_to_{to}"), format!("Convert {from} to {to}."))
            .input_schema(json!({
                "type": "object",
                "properties": {"amount": {"type": "number", "minimum": 0, "description": format!("how many {from}")}},
                "required": ["amount"],
                "additionalProperties": false,
            }))
            .read_only(true);
        tool_fn(spec, move |arguments: Value, _: Context| async move {
            let amount = arguments["amount"].as_f64().ok_or("`amount` must be a number")?;
            Ok::<_, &str>(format!("{} {to}", amount * factor))
        })
    });
    Server::builder("dynamic", env!("CARGO_PKG_VERSION")).tools(tools)
}

fn main() -> ExitCode {
    mcp_stdio::run(server())
}
