//! Watches the source files.

use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::event::{EventKind, ModifyKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::Event as DevEvent;
use crate::Failure;

/// Sends an event for each change of source in these folders, until the returned watcher is dropped.
pub(super) fn watch(folders: &[PathBuf], sender: Sender<DevEvent>) -> Result<RecommendedWatcher, Failure> {
    let failed = |error: notify::Error| Failure::new(format!("cannot watch for changes: {error}"));
    let roots = folders.to_vec();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let Ok(event) = event else {
            return;
        };
        let is_change = match event.kind {
            EventKind::Create(_) | EventKind::Remove(_) => true,
            // Reading a file changes its access time.
            EventKind::Modify(kind) => !matches!(kind, ModifyKind::Metadata(_)),
            _ => false,
        };
        if is_change && event.paths.iter().any(|path| is_source(path, &roots)) {
            let _ = sender.send(DevEvent::Changed);
        }
    })
    .map_err(failed)?;
    for folder in folders {
        // Not the whole folder: `target` changes with every build.
        for part in ["src", "Cargo.toml", "build.rs"].map(|part| folder.join(part)).iter().filter(|part| part.exists()) {
            let mode = if part.is_dir() { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            watcher.watch(part, mode).map_err(failed)?;
        }
        // An editor may replace a file by renaming another one, which is an event of the folder only.
        watcher.watch(folder, RecursiveMode::NonRecursive).map_err(failed)?;
    }
    Ok(watcher)
}

/// Returns whether a path is a manifest, a build script or any file in `src`, except temporary files of editors.
fn is_source(path: &Path, folders: &[PathBuf]) -> bool {
    let Some(inner) =
        folders.iter().filter_map(|folder| path.strip_prefix(folder).ok()).min_by_key(|inner| inner.as_os_str().len())
    else {
        return false;
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_temporary = name.starts_with('.') || name.ends_with('~') || name.ends_with(".swp") || name.ends_with(".tmp");
    let in_source = inner.components().next() == Some(Component::Normal("src".as_ref()));
    !is_temporary && (in_source || matches!(&*name, "Cargo.toml" | "build.rs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_source_files_are_watched() {
        let folders = ["/p".into(), "/p/inner".into()];
        for (path, counts) in [
            ("/p/src/main.rs", true),
            ("/p/src/words.txt", true),
            ("/p/Cargo.toml", true),
            ("/p/inner/src/lib.rs", true),
            ("/p/target/debug/build.log", false),
            ("/p/src/.main.rs.swp", false),
            ("/p/Cargo.lock", false),
            ("/elsewhere/src/main.rs", false),
        ] {
            assert_eq!(is_source(Path::new(path), &folders), counts, "{path}");
        }
    }
}
