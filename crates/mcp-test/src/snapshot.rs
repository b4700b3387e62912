//! Snapshots of a server's tool list in a file.

use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

use mcp_core::protocol::Revision;
use mcp_core::{IntoServer, Server};
use serde_json::Value;

use crate::difference::{Difference, differences};

/// The environment variable that makes tests write snapshots instead of comparing with them.
const VARIABLE: &str = "UPDATE_SNAPSHOTS";

/// Asserts that the tool list of a server equals a snapshot file.
///
/// Models depend on names, descriptions and schemas, so a reviewer should see each change of them. The snapshot is
/// `tests/snapshots/SERVER.tools.json` in the crate of the test, or the file in the second argument, relative to that crate.
/// `UPDATE_SNAPSHOTS=1 cargo test` writes the file. Run it the first time and after each intended change.
///
/// ```no_run
/// # use mcp_core::{Server, tool, tools};
/// # /// Add two numbers.
/// # #[tool]
/// # fn add(a: i64, b: i64) -> i64 {
/// #     a + b
/// # }
/// mcp_test::assert_tools_snapshot!(Server::builder("calc", "1.0.0").tools(tools![add]));
/// ```
///
/// # Panics
/// If a tool was added, removed or changed. The message lists the changes.
#[macro_export]
macro_rules! assert_tools_snapshot {
    ($server:expr $(,)?) => {
        $crate::__assert_tools_snapshot($server, ::core::env!("CARGO_MANIFEST_DIR"), ::core::option::Option::None)
    };
    ($server:expr, $path:expr $(,)?) => {
        $crate::__assert_tools_snapshot($server, ::core::env!("CARGO_MANIFEST_DIR"), ::core::option::Option::Some($path))
    };
}

#[doc(hidden)]
#[track_caller]
pub fn __assert_tools_snapshot(server: impl IntoServer, folder: &str, path: Option<&str>) {
    let server = server.into_server().unwrap_or_else(|error| panic!("the server cannot be built:\n{error}"));
    let default = || format!("tests/snapshots/{}.tools.json", server.info().name);
    let path = Path::new(folder).join(path.map_or_else(default, str::to_owned));
    let update = env::var_os(VARIABLE).is_some_and(|value| !value.is_empty() && value != "0");
    let outcome = if update { write(&server, &path) } else { check_tools(server, &path) };
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

/// Compares the tool list of a server with a snapshot. [`assert_tools_snapshot!`](crate::assert_tools_snapshot) does the
/// same and panics if they differ.
///
/// # Errors
/// If they differ, or if the snapshot cannot be read.
///
/// # Panics
/// If the server cannot be built.
pub fn check_tools(server: impl IntoServer, path: &Path) -> Result<(), SnapshotError> {
    let server = server.into_server().unwrap_or_else(|error| panic!("the server cannot be built:\n{error}"));
    let unreadable = |error: io::Error| SnapshotError { path: path.to_owned(), fault: Fault::Unreadable(error) };
    let text = fs::read_to_string(path).map_err(unreadable)?;
    let kept: Value = serde_json::from_str(&text).map_err(|error| unreadable(error.into()))?;
    let changes = ToolChange::all(&list(&kept), &list(&tools_of(&server)));
    if changes.is_empty() { Ok(()) } else { Err(SnapshotError { path: path.to_owned(), fault: Fault::Changed(changes) }) }
}

fn write(server: &Server, path: &Path) -> Result<(), SnapshotError> {
    let write = || {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, format!("{:#}\n", tools_of(server)))
    };
    write().map_err(|error| SnapshotError { path: path.to_owned(), fault: Fault::Unwritable(error) })
}

fn tools_of(server: &Server) -> Value {
    server.tools_list_result(Revision::NEWEST_HANDSHAKE)
}

fn list(value: &Value) -> Vec<Value> {
    value["tools"].as_array().cloned().unwrap_or_default()
}

/// A change of the tool list.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ToolChange {
    /// A tool was added.
    Added(String),
    /// A tool was removed.
    Removed(String),
    /// The definition of a tool changed.
    Changed(String, Vec<Difference>),
    /// The same tools are in another order.
    Reordered,
}

impl ToolChange {
    fn all(was: &[Value], is: &[Value]) -> Vec<ToolChange> {
        let name = |tool: &Value| tool["name"].as_str().unwrap_or_default().to_owned();
        let find = |tools: &[Value], wanted: &Value| tools.iter().find(|tool| tool["name"] == wanted["name"]).cloned();
        let mut changes = Vec::new();
        changes.extend(is.iter().filter(|tool| find(was, tool).is_none()).map(|tool| ToolChange::Added(name(tool))));
        for old in was {
            match find(is, old) {
                None => changes.push(ToolChange::Removed(name(old))),
                Some(new) if new != *old => changes.push(ToolChange::Changed(name(old), differences(old, &new))),
                Some(_) => {}
            }
        }
        if changes.is_empty() && was != is {
            changes.push(ToolChange::Reordered);
        }
        changes
    }
}

/// The error of a snapshot that differs or cannot be read or written.
#[derive(Debug)]
pub struct SnapshotError {
    path: PathBuf,
    fault: Fault,
}

#[derive(Debug)]
enum Fault {
    Unreadable(io::Error),
    Unwritable(io::Error),
    Changed(Vec<ToolChange>),
}

impl SnapshotError {
    /// Returns the changes. Empty if the snapshot could not be read or written.
    pub fn changes(&self) -> &[ToolChange] {
        if let Fault::Changed(changes) = &self.fault { changes } else { &[] }
    }
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.fault {
            Fault::Unreadable(error) => writeln!(f, "cannot read the snapshot {path}: {error}")?,
            Fault::Unwritable(error) => return write!(f, "cannot write the snapshot {path}: {error}"),
            Fault::Changed(changes) => {
                writeln!(f, "the tools differ from the snapshot {path}:")?;
                changes.iter().try_for_each(|change| writeln!(f, "{change}"))?;
            }
        }
        write!(f, "if this is intended, update the snapshot with {VARIABLE}=1 cargo test")
    }
}

impl std::error::Error for SnapshotError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.fault {
            Fault::Unreadable(error) | Fault::Unwritable(error) => Some(error),
            Fault::Changed(_) => None,
        }
    }
}

impl fmt::Display for ToolChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolChange::Added(name) => write!(f, "  added   `{name}`"),
            ToolChange::Removed(name) => write!(f, "  removed `{name}`"),
            ToolChange::Reordered => f.write_str("  the tools are in another order"),
            ToolChange::Changed(name, differences) => {
                write!(f, "  changed `{name}`")?;
                differences.iter().try_for_each(|one| write!(f, "\n    {one}"))
            }
        }
    }
}
