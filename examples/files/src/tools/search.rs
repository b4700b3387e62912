//! Searching directories, and showing them as a tree.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use mcp_core::{Context, ToolError, tool};
use serde_json::{Value, json};

use super::Text;
use super::list::{Entry, entries};
use crate::folders::{Allowed, Folders, on_disk};
use crate::place::Place;

/// How deep directories are visited. A hostile tree may have no end.
const MAX_DEPTH: usize = 200;

/// Show a directory and all below it as a tree in JSON. Works only within the allowed directories.
#[tool(title = "Directory Tree", read_only, open_world = false)]
pub(crate) async fn directory_tree(
    /// the path of the directory
    path: String,
    /// glob patterns and names of entries to leave out
    #[serde(rename = "excludePatterns")]
    #[default(Vec::new())]
    exclude_patterns: Vec<String>,
    folders: &Folders,
    cx: &Context,
) -> Result<Text, ToolError> {
    let allowed = folders.of(cx).await?;
    let cx = cx.clone();
    on_disk(move || {
        let place = Place::find(&allowed, &path)?;
        // A name without `*` is left out at every depth.
        let everywhere = |pattern: &String| match pattern.contains('*') {
            true => vec![pattern.clone()],
            false => vec![pattern.clone(), format!("**/{pattern}"), format!("**/{pattern}/**")],
        };
        let excluded = patterns(&exclude_patterns.iter().flat_map(everywhere).collect::<Vec<_>>())?;
        let tree = tree(&place, "", 0, &excluded, &cx)?;
        Ok(Text(format!("{tree:#}")))
    })
    .await
}

fn tree(place: &Place, below: &str, depth: usize, excluded: &GlobSet, cx: &Context) -> Result<Value, ToolError> {
    stop(depth, place, cx)?;
    let mut shown = Vec::new();
    for entry in entries(place)? {
        let relative = joined(below, &entry.name);
        if excluded.is_match(&relative) {
            continue;
        }
        shown.push(match entry.is_directory {
            true => {
                let children = tree(&inner(place, &entry)?, &relative, depth + 1, excluded, cx)?;
                json!({"name": entry.name, "type": "directory", "children": children})
            }
            false => json!({"name": entry.name, "type": "file"}),
        });
    }
    Ok(Value::Array(shown))
}

/// Find files and directories by a glob pattern, such as *.rs or **/*.rs. The pattern is matched against the path below the
/// directory. Returns full paths. Works only within the allowed directories.
#[tool(title = "Search Files", read_only, open_world = false)]
pub(crate) async fn search_files(
    /// the directory to search
    path: String,
    /// the glob pattern
    pattern: String,
    /// glob patterns of entries to leave out
    #[serde(rename = "excludePatterns")]
    #[default(Vec::new())]
    exclude_patterns: Vec<String>,
    folders: &Folders,
    cx: &Context,
) -> Result<Text, ToolError> {
    let allowed = folders.of(cx).await?;
    let cx = cx.clone();
    on_disk(move || {
        let place = Place::find(&allowed, &path)?;
        let search =
            Search { wanted: patterns(&[pattern])?, excluded: patterns(&exclude_patterns)?, allowed: &allowed, cx: &cx };
        let mut found = Vec::new();
        search.visit(&place, "", 0, &mut found)?;
        Ok(Text(if found.is_empty() { "No matches found".to_owned() } else { found.join("\n") }))
    })
    .await
}

struct Search<'a> {
    wanted: GlobSet,
    excluded: GlobSet,
    allowed: &'a Allowed,
    cx: &'a Context,
}

impl Search<'_> {
    fn visit(&self, place: &Place, below: &str, depth: usize, found: &mut Vec<String>) -> Result<(), ToolError> {
        stop(depth, place, self.cx)?;
        for entry in entries(place)? {
            let (relative, path) = (joined(below, &entry.name), place.path.join(&entry.name));
            let leads_out = entry.is_link && Place::find(self.allowed, &path.to_string_lossy()).is_err();
            if leads_out || self.excluded.is_match(&relative) {
                continue;
            }
            if self.wanted.is_match(&relative) {
                found.push(path.display().to_string());
            }
            // A directory that cannot be read is skipped.
            if entry.is_directory
                && let Ok(inner) = inner(place, &entry)
                && let Err(error) = self.visit(&inner, &relative, depth + 1, found)
                && self.cx.is_cancelled()
            {
                return Err(error);
            }
        }
        Ok(())
    }
}

/// Opens a directory in another one. It fails if the entry has become a link that leads out.
fn inner(place: &Place, entry: &Entry) -> Result<Place, ToolError> {
    let relative = place.relative.join(&entry.name);
    let dir = place.dir.open_dir(&relative).map_err(|error| place.failed("list", &error))?;
    Ok(Place { path: place.path.join(&entry.name), dir, relative: ".".into() })
}

fn stop(depth: usize, place: &Place, cx: &Context) -> Result<(), ToolError> {
    if cx.is_cancelled() {
        return Err("cancelled".into());
    }
    if depth > MAX_DEPTH {
        return Err(format!("{} is more than {MAX_DEPTH} directories deep", place.path.display()).into());
    }
    Ok(())
}

fn joined(below: &str, name: &str) -> String {
    if below.is_empty() { name.to_owned() } else { format!("{below}/{name}") }
}

/// `*` does not match `/`, and `**` does.
fn patterns(patterns: &[String]) -> Result<GlobSet, ToolError> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(GlobBuilder::new(pattern).literal_separator(true).build()?);
    }
    Ok(set.build()?)
}
