//! Writing, editing and moving files.

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use cap_std::fs::{Dir, OpenOptions};
use mcp_core::{Context, ToolError, json_type, tool};

use super::{Text, diff, edit, read};
use crate::folders::{Folders, on_disk};
use crate::place::Place;
use crate::sys;

/// Create a file, or replace the content of one. Works only within the allowed directories.
#[tool(title = "Write File", idempotent, destructive, open_world = false)]
pub(crate) async fn write_file(
    /// the path of the file
    path: String,
    /// the whole new text
    content: String,
    folders: &Folders,
    cx: &Context,
) -> Result<Text, ToolError> {
    let allowed = folders.of(cx).await?;
    on_disk(move || {
        let place = Place::find(&allowed, &path)?;
        write(&place, &content).map_err(|error| place.failed("write", &error))?;
        Ok(Text(format!("Successfully wrote to {path}")))
    })
    .await
}

/// One replacement.
#[json_type]
#[derive(Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Edit {
    /// the text to replace; it must match exactly, except for indentation
    pub(crate) old_text: String,
    /// the new text
    pub(crate) new_text: String,
}

/// Replace parts of a text file and return the differences. Works only within the allowed directories.
#[tool(title = "Edit File", destructive, open_world = false)]
pub(crate) async fn edit_file(
    /// the path of the file
    path: String,
    /// the replacements, done one after the other
    edits: Vec<Edit>,
    /// show the differences and leave the file as it is
    #[serde(rename = "dryRun")]
    #[default(false)]
    dry_run: bool,
    folders: &Folders,
    cx: &Context,
) -> Result<Text, ToolError> {
    let allowed = folders.of(cx).await?;
    on_disk(move || {
        let place = Place::find(&allowed, &path)?;
        let before = read::text(&place).map_err(|error| place.failed("read", &error))?.replace("\r\n", "\n");
        let after = edit::apply(&before, &edits)?;
        if !dry_run {
            replace(&place, &after).map_err(|error| place.failed("write", &error))?;
        }
        Ok(Text(diff::fenced(&place.path.display().to_string(), &before, &after)))
    })
    .await
}

/// Create a directory and those above it. It is not an error if the directory exists already. Works only within the allowed directories.
#[tool(title = "Create Directory", idempotent, destructive = false, open_world = false)]
pub(crate) async fn create_directory(
    /// the path of the directory
    path: String,
    folders: &Folders,
    cx: &Context,
) -> Result<Text, ToolError> {
    let allowed = folders.of(cx).await?;
    on_disk(move || {
        let place = Place::find(&allowed, &path)?;
        place.dir.create_dir_all(&place.relative).map_err(|error| place.failed("create", &error))?;
        Ok(Text(format!("Successfully created directory {path}")))
    })
    .await
}

/// Move or rename a file or a directory. It fails if the destination exists. Works only within the allowed directories.
#[tool(title = "Move File", destructive, open_world = false)]
pub(crate) async fn move_file(
    /// the path of what is moved
    source: String,
    /// its new path
    destination: String,
    folders: &Folders,
    cx: &Context,
) -> Result<Text, ToolError> {
    let allowed = folders.of(cx).await?;
    on_disk(move || {
        let (from, to) = (Place::find(&allowed, &source)?, Place::find(&allowed, &destination)?);
        let moved = from.parent().and_then(|(from, old)| {
            let (to, new) = to.parent()?;
            sys::rename_to_free_name(&from, &old, &to, &new)
        });
        match moved {
            Ok(()) => Ok(Text(format!("Successfully moved {source} to {destination}"))),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Err(format!("Destination already exists: {}", to.path.display()).into())
            }
            Err(error) => Err(from.failed("move", &error)),
        }
    })
    .await
}

/// Creates a file, or replaces one that exists.
fn write(place: &Place, text: &str) -> io::Result<()> {
    match place.dir.open_with(&place.relative, OpenOptions::new().write(true).create_new(true)) {
        Ok(mut file) => file.write_all(text.as_bytes()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => replace(place, text),
        Err(error) => Err(error),
    }
}

/// Replaces a file by a new one of the same name and permissions. Readers see the old or the new text.
fn replace(place: &Place, text: &str) -> io::Result<()> {
    let (folder, name) = place.parent()?;
    let permissions = folder.metadata(&name)?.permissions();
    let temporary = temporary_name(&name);
    let written = folder.open_with(&temporary, OpenOptions::new().write(true).create_new(true)).and_then(|mut file| {
        file.set_permissions(permissions)?;
        file.write_all(text.as_bytes())
    });
    let outcome = written.and_then(|()| folder.rename(&temporary, &folder, &name));
    if outcome.is_err() {
        remove(&folder, &temporary);
    }
    outcome
}

/// The first error is reported, not this one.
fn remove(folder: &Dir, name: &PathBuf) {
    let _ = folder.remove_file(name);
}

/// A name that no other call uses. If another program uses it, creating the file fails.
fn temporary_name(name: &std::path::Path) -> PathBuf {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let mut temporary = name.as_os_str().to_owned();
    temporary.push(format!(".{}-{number}.tmp", std::process::id()));
    temporary.into()
}
