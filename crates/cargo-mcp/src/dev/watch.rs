//! Changes of source.

use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::event::{EventKind, ModifyKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::Happening;
use crate::Failure;

/// Tells of changes in these folders for as long as what it gives back is kept.
pub(super) fn watch(folders: &[PathBuf], sender: Sender<Happening>) -> Result<RecommendedWatcher, Failure> {
    let failed = |error: notify::Error| Failure::new(format!("changes cannot be watched: {error}"));
    let roots = folders.to_vec();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let Ok(event) = event else {
            return;
        };
        let is_change = match event.kind {
            EventKind::Create(_) | EventKind::Remove(_) => true,
            // When somebody reads a file its access time is touched too.
            EventKind::Modify(kind) => !matches!(kind, ModifyKind::Metadata(_)),
            _ => false,
        };
        if is_change && event.paths.iter().any(|path| is_source(path, &roots)) {
            let _ = sender.send(Happening::Changed);
        }
    })
    .map_err(failed)?;
    for folder in folders {
        // Not the folder as a whole: `target` in it changes with every build.
        for part in ["src", "Cargo.toml", "build.rs"].map(|part| folder.join(part)).iter().filter(|part| part.exists()) {
            let mode = if part.is_dir() { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            watcher.watch(part, mode).map_err(failed)?;
        }
        // An editor that replaces a file puts another in its place, which only its folder notices.
        watcher.watch(folder, RecursiveMode::NonRecursive).map_err(failed)?;
    }
    Ok(watcher)
}

/// Rust, manifests and whatever else stands beside them in `src`, but not what editors leave about.
fn is_source(path: &Path, folders: &[PathBuf]) -> bool {
    let Some(inner) =
        folders.iter().filter_map(|folder| path.strip_prefix(folder).ok()).min_by_key(|inner| inner.as_os_str().len())
    else {
        return false;
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_left_about = name.starts_with('.') || name.ends_with('~') || name.ends_with(".swp") || name.ends_with(".tmp");
    let in_source = inner.components().next() == Some(Component::Normal("src".as_ref()));
    !is_left_about && (in_source || matches!(&*name, "Cargo.toml" | "build.rs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_source_counts() {
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
