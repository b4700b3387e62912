//! The folders that clients may use: those of the command line, or the roots of the client.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use mcp_core::{Context, ToolError};
use url::Url;

/// The folders of the command line. A client with roots replaces them.
#[derive(Debug, Default)]
pub struct Folders(Arc<Allowed>);

/// The folders that a call may use.
#[derive(Debug, Default)]
pub(crate) struct Allowed(pub(crate) Vec<Folder>);

/// An open folder.
#[derive(Debug)]
pub(crate) struct Folder {
    /// The path as it was given, if a part of it is a link.
    pub(crate) given: Option<PathBuf>,
    /// The path without links.
    pub(crate) path: PathBuf,
    pub(crate) dir: Dir,
}

impl Folders {
    /// Opens folders. Returns a warning for each that cannot be opened.
    pub fn open(paths: &[String]) -> (Folders, Vec<String>) {
        let (mut folders, mut warnings) = (Vec::new(), Vec::new());
        for path in paths {
            match Folder::open(path) {
                Ok(folder) => folders.push(folder),
                Err(error) => warnings.push(format!("{path} is skipped: {error}")),
            }
        }
        (Folders(Arc::new(Allowed(folders))), warnings)
    }

    /// Whether there is no folder.
    pub fn is_empty(&self) -> bool {
        self.0.0.is_empty()
    }

    #[cfg(test)]
    pub(crate) fn into_allowed(self) -> Allowed {
        Arc::into_inner(self.0).unwrap()
    }

    /// Returns the folders for a call: the client's roots if it has usable ones, else those of the command line.
    pub(crate) async fn of(&self, cx: &Context) -> Result<Arc<Allowed>, ToolError> {
        if !cx.client_capabilities().can_tell_roots() {
            return Ok(Arc::clone(&self.0));
        }
        let roots = cx.roots().await?;
        let folders =
            on_disk(move || Ok(roots.iter().filter_map(|root| Folder::of_root(&root.uri)).collect::<Vec<_>>())).await?;
        Ok(if folders.is_empty() { Arc::clone(&self.0) } else { Arc::new(Allowed(folders)) })
    }
}

impl Folder {
    fn open(path: &str) -> std::io::Result<Folder> {
        let given = normal(&std::path::absolute(expanded(path))?);
        let path = std::fs::canonicalize(&given)?;
        let dir = Dir::open_ambient_dir(&path, ambient_authority())?;
        Ok(Folder { given: Some(given).filter(|given| *given != path), path, dir })
    }

    /// Opens a root: a `file://` URI or a path. `None` if it is not a folder that can be opened.
    fn of_root(uri: &str) -> Option<Folder> {
        let path = match uri.starts_with("file://") {
            true => Url::parse(uri).ok()?.to_file_path().ok()?.to_string_lossy().into_owned(),
            false => uri.to_owned(),
        };
        // A root is shown without links.
        Folder::open(&path).ok().map(|folder| Folder { given: None, ..folder })
    }
}

impl Allowed {
    /// Returns the folder that a path is in.
    pub(crate) fn folder(&self, path: &Path) -> Option<&Folder> {
        self.0.iter().find(|folder| path.starts_with(&folder.path))
    }

    /// Whether a path is in a folder by its name. Links in it may lead elsewhere.
    pub(crate) fn names(&self, path: &Path) -> bool {
        self.folder(path).is_some()
            || self.0.iter().any(|folder| folder.given.as_ref().is_some_and(|given| path.starts_with(given)))
    }

    /// Returns the paths of all folders, for the client.
    pub(crate) fn paths(&self) -> Vec<String> {
        let both = |folder: &Folder| {
            folder.given.iter().chain([&folder.path]).map(|path| path.display().to_string()).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(both).collect()
    }
}

/// Replaces `~` by the home folder.
pub(crate) fn expanded(path: &str) -> PathBuf {
    let rest = path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
    match (rest, std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches('/')),
        _ => PathBuf::from(path),
    }
}

/// Removes `.` and `..` from an absolute path, by its text alone.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(normal.pop()),
            part => normal.push(part),
        }
    }
    normal
}

/// Runs work that waits for the disk, without delaying other calls.
pub(crate) async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ToolError> + Send + 'static,
) -> Result<T, ToolError> {
    tokio::task::spawn_blocking(work).await?
}
