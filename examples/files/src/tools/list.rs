//! Listing directories, and facts about files.

use std::cmp::Reverse;
use std::time::SystemTime;

use mcp_core::{Context, ToolError, json_type, tool};

use super::Text;
use crate::folders::{Folders, on_disk};
use crate::place::Place;
use crate::sys;

/// An entry of a directory.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    /// Links are not followed.
    pub(super) is_directory: bool,
    pub(super) is_link: bool,
}

/// List the files and directories in a directory, marked with [FILE] and [DIR]. Works only within the allowed directories.
#[tool(title = "List Directory", read_only, open_world = false)]
pub(crate) async fn list_directory(
    /// the path of the directory
    path: String,
    folders: &Folders,
    cx: &Context,
) -> Result<Text, ToolError> {
    let allowed = folders.of(cx).await?;
    on_disk(move || {
        let place = Place::find(&allowed, &path)?;
        let lines = entries(&place)?.into_iter().map(|entry| format!("{} {}", mark(&entry), entry.name));
        Ok(Text(lines.collect::<Vec<_>>().join("\n")))
    })
    .await
}

/// The order of a list.
#[json_type]
#[derive(Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SortBy {
    Name,
    Size,
}

/// List the files and directories in a directory with their sizes. Works only within the allowed directories.
#[tool(title = "List Directory with Sizes", read_only, open_world = false)]
pub(crate) async fn list_directory_with_sizes(
    /// the path of the directory
    path: String,
    /// the order of the entries
    #[serde(rename = "sortBy")]
    #[default(SortBy::Name)]
    sort_by: SortBy,
    folders: &Folders,
    cx: &Context,
) -> Result<Text, ToolError> {
    let allowed = folders.of(cx).await?;
    on_disk(move || {
        let place = Place::find(&allowed, &path)?;
        // A link out of the allowed directories has no size.
        let size = |entry: &Entry| place.dir.metadata(place.relative.join(&entry.name)).map_or(0, |metadata| metadata.len());
        let mut sized: Vec<(u64, Entry)> = entries(&place)?.into_iter().map(|entry| (size(&entry), entry)).collect();
        match sort_by {
            SortBy::Size => sized.sort_by_key(|(size, _)| Reverse(*size)),
            SortBy::Name => sized.sort_by_cached_key(|(_, entry)| (entry.name.to_lowercase(), entry.name.clone())),
        }
        Ok(Text(with_sizes(&sized)))
    })
    .await
}

fn with_sizes(entries: &[(u64, Entry)]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (size, entry) in entries {
        let size = if entry.is_directory { String::new() } else { format!("{:>10}", readable(*size)) };
        lines.push(format!("{} {:30} {size}", mark(entry), entry.name));
    }
    let files = || entries.iter().filter(|(_, entry)| !entry.is_directory);
    lines.push(String::new());
    lines.push(format!("Total: {} files, {} directories", files().count(), entries.len() - files().count()));
    lines.push(format!("Combined size: {}", readable(files().map(|(size, _)| size).sum())));
    lines.join("\n")
}

/// Tell the size, times, type and permissions of a file or directory. Works only within the allowed directories.
#[tool(title = "Get File Info", read_only, open_world = false)]
pub(crate) async fn get_file_info(
    /// the path of the file or directory
    path: String,
    folders: &Folders,
    cx: &Context,
) -> Result<Text, ToolError> {
    let allowed = folders.of(cx).await?;
    on_disk(move || {
        let place = Place::find(&allowed, &path)?;
        let metadata = place.dir.metadata(&place.relative).map_err(|error| place.failed("read", &error))?;
        // Some file systems do not know when a file was created.
        let time = |time: std::io::Result<cap_std::time::SystemTime>| {
            let time = time.map_or(SystemTime::UNIX_EPOCH, cap_std::time::SystemTime::into_std);
            humantime::format_rfc3339_millis(time).to_string()
        };
        let facts = [
            ("size", metadata.len().to_string()),
            ("created", time(metadata.created())),
            ("modified", time(metadata.modified())),
            ("accessed", time(metadata.accessed())),
            ("isDirectory", metadata.is_dir().to_string()),
            ("isFile", metadata.is_file().to_string()),
            ("permissions", sys::permissions(&metadata)),
        ];
        Ok(Text(facts.map(|(name, value)| format!("{name}: {value}")).join("\n")))
    })
    .await
}

/// List the directories that this server may use. Everything below them may be used too.
#[tool(title = "List Allowed Directories", read_only, open_world = false)]
pub(crate) async fn list_allowed_directories(folders: &Folders, cx: &Context) -> Result<Text, ToolError> {
    Ok(Text(format!("Allowed directories:\n{}", folders.of(cx).await?.paths().join("\n"))))
}

/// Returns the entries of a directory, sorted by name.
pub(super) fn entries(place: &Place) -> Result<Vec<Entry>, ToolError> {
    let failed = |error: std::io::Error| place.failed("list", &error);
    let mut entries = Vec::new();
    for entry in place.dir.read_dir(&place.relative).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let kind = entry.file_type().map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        entries.push(Entry { name, is_directory: kind.is_dir(), is_link: kind.is_symlink() });
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

fn mark(entry: &Entry) -> &'static str {
    if entry.is_directory { "[DIR]" } else { "[FILE]" }
}

/// Returns a size with its unit.
#[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
fn readable(bytes: u64) -> String {
    let (mut size, mut unit) = (bytes as f64, 0);
    const UNITS: [&str; 5] = ["B", "KB", "MB", "GB", "TB"];
    while size >= 1024.0 && unit < UNITS.len() - 1 {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{size:.2} {}", UNITS[unit]) }
}
