//! A server that searches one folder: it finds files by name and lines by text. It shows shared state, limits with
//! defaults, and cancellation of a long search.
//!
//! ```sh
//! cargo run --example search -- call find name=.rs
//! ```

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mcp_core::{Builder, Context, Json, Server, ToolError, json_type, tool, tools};

/// The folder to search. All tools share it.
pub struct Root(pub PathBuf);

/// Find files whose name contains a text.
#[tool(read_only)]
fn find(
    /// part of the file's name, such as `.rs`
    name: String,
    /// the maximum number of files to return
    #[default(100)]
    #[schemars(range(min = 1, max = 10_000))]
    limit: usize,
    root: &Root,
    cx: &Context,
) -> Result<Vec<String>, ToolError> {
    let mut found = Vec::new();
    walk(&root.0, cx, &mut |path| {
        if path.file_name().is_some_and(|file| file.to_string_lossy().contains(&name)) {
            found.push(relative(path, root));
        }
        found.len() < limit
    })?;
    Ok(found)
}

/// A line that contains the text.
#[json_type]
struct Hit {
    file: String,
    /// 1 is the first line
    line: usize,
    text: String,
}

/// Find lines that contain a text, in all text files.
#[tool(read_only)]
fn grep(
    /// the text to find, case-sensitive
    #[schemars(length(min = 1))]
    text: String,
    /// search only files whose name ends with this
    extension: Option<String>,
    #[default(50)] limit: usize,
    root: &Root,
    cx: &Context,
) -> Result<Json<Vec<Hit>>, ToolError> {
    let mut hits = Vec::new();
    walk(&root.0, cx, &mut |path| {
        if extension.as_ref().is_none_or(|end| path.to_string_lossy().ends_with(end.as_str())) {
            hits.extend(
                lines(path).filter(|(_, line)| line.contains(&text)).take(limit - hits.len()).map(|(index, line)| Hit {
                    file: relative(path, root),
                    line: index + 1,
                    text: line.trim().to_owned(),
                }),
            );
        }
        hits.len() < limit
    })?;
    Ok(Json(hits))
}

/// Calls `visit` with every file until `visit` stops the search or the call is cancelled.
fn walk(folder: &Path, cx: &Context, visit: &mut dyn FnMut(&Path) -> bool) -> Result<bool, std::io::Error> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::path);
    for entry in entries {
        // Symbolic links are not followed: they may point outside of the folder.
        let kind = entry.file_type()?;
        let go_on = match () {
            () if cx.is_cancelled() => false,
            () if kind.is_dir() => walk(&entry.path(), cx, visit)?,
            () if kind.is_file() => visit(&entry.path()),
            () => true,
        };
        if !go_on {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the numbered lines of a text file, or nothing if the file is not UTF-8 text.
fn lines(path: &Path) -> impl Iterator<Item = (usize, String)> {
    let lines = fs::File::open(path).into_iter().flat_map(|file| BufReader::new(file).lines());
    lines.map_while(Result::ok).enumerate()
}

fn relative(path: &Path, root: &Root) -> String {
    path.strip_prefix(&root.0).unwrap_or(path).display().to_string()
}

/// Builds the server, for `main` and for tests.
pub fn server(root: PathBuf) -> Builder {
    Server::builder("search", env!("CARGO_PKG_VERSION")).tools(tools![find, grep]).state(Root(root))
}

fn main() -> ExitCode {
    mcp_stdio::run(server(PathBuf::from(".")))
}
