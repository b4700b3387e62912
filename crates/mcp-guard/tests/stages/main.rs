//! A server of tools for files, with all stages around it.

mod audit;
mod files;
mod hooks;
mod order;
mod permission;
mod spans;
mod timeouts;
mod transports;

use std::fs;
use std::path::{Path, PathBuf};

use mcp_core::{Builder, Server, ToolError, tool, tools};
use mcp_guard::{Files, Guard};
use mcp_test::Client;
use serde_json::Value;
use tempfile::TempDir;

struct Root(PathBuf);

/// Read a file.
#[tool]
fn read(path: String, root: &Root) -> Result<String, ToolError> {
    Ok(fs::read_to_string(root.0.join(path))?)
}

/// Write a file.
#[tool]
fn write(path: String, content: String, root: &Root) -> Result<String, ToolError> {
    fs::write(root.0.join(path), content)?;
    Ok("written".into())
}

/// Replace a text in a file.
#[tool]
fn edit(
    path: String,
    old: String,
    new: String,
    #[default(false)] replace_all: bool,
    root: &Root,
) -> Result<String, ToolError> {
    let _ = replace_all;
    let path = root.0.join(path);
    fs::write(&path, fs::read_to_string(&path)?.replace(&old, &new))?;
    Ok("edited".into())
}

fn server(root: &Path, pipeline: Guard) -> Builder {
    Server::builder("files", "1.0.0").tools(tools![read, write, edit]).state(Root(root.to_owned())).hook(pipeline)
}

fn file_tools(root: &Path) -> Files {
    Files::new(root).reads("read", "path").writes("write", "path").edits("edit", "path", "old", "replace_all")
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "one two one").unwrap();
    folder
}

async fn call(client: &Client, tool: &str, arguments: Value) -> (String, bool) {
    let result = client.call(tool, arguments).await;
    (result.to_text(), result.is_error)
}
