//! Tools that share state in two ways. The counter is a value whose methods are tools. The notes are a value that is
//! registered with the server and that tools borrow as a parameter.
//!
//! ```sh
//! cargo run --example state -- call counter_bump by=5
//! ```

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use mcp_core::{Builder, Server, tool, tools, toolset};

/// A counter whose tools are its methods.
#[derive(Default)]
struct Counter {
    value: AtomicI64,
}

#[toolset]
impl Counter {
    /// Add to the counter and return its new value.
    #[tool(name = "counter_bump")]
    async fn bump(
        &self,
        /// how much to add; negative numbers count down
        #[serde(default = "one")]
        by: i64,
    ) -> i64 {
        self.value.fetch_add(by, Ordering::Relaxed) + by
    }

    /// Return the value of the counter.
    #[tool(name = "counter_value", read_only)]
    fn value(&self) -> i64 {
        self.value.load(Ordering::Relaxed)
    }
}

fn one() -> i64 {
    1
}

/// Notes that tools borrow as an argument.
#[derive(Default)]
struct Notebook(Mutex<Vec<String>>);

/// Write a note and return its number.
#[tool]
fn note_add(text: String, notes: &Notebook) -> usize {
    let mut notes = notes.0.lock().expect("no tool panics while it writes");
    notes.push(text);
    notes.len()
}

/// Read a note by its number.
#[tool(read_only)]
fn note_read(
    /// 1 is the oldest
    number: usize,
    notes: &Notebook,
) -> Result<String, String> {
    let notes = notes.0.lock().expect("no tool panics while it reads");
    let note = number.checked_sub(1).and_then(|index| notes.get(index));
    note.cloned().ok_or_else(|| format!("there is no note {number}: give a number from 1 to {}", notes.len()))
}

/// Builds the server, for `main` and for tests.
pub fn server() -> Builder {
    Server::builder("state", env!("CARGO_PKG_VERSION"))
        .tools(Counter::default())
        .tools(tools![note_add, note_read])
        .state(Notebook::default())
}

fn main() -> ExitCode {
    mcp_stdio::run(server())
}
