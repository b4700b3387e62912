//! A file or a folder that a client named.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use mcp_core::ToolError;

use crate::folders::{Allowed, expanded, normal};
use crate::sys;

/// A path inside an allowed folder.
#[derive(Debug)]
pub(crate) struct Place {
    /// The absolute path without links, for messages and results.
    pub(crate) path: PathBuf,
    /// The allowed folder.
    pub(crate) dir: Dir,
    /// The path in `dir`.
    pub(crate) relative: PathBuf,
}

impl Place {
    /// Finds the place of a path. It need not exist.
    ///
    /// The check here gives good messages and follows links inside of the folders. What makes it safe is that the place is opened
    /// relative to `dir`, where the operating system rejects every way out.
    pub(crate) fn find(allowed: &Allowed, requested: &str) -> Result<Place, ToolError> {
        if allowed.0.is_empty() {
            return Err("no folder is allowed: start the server with folders, or use a client that has roots".into());
        }
        let path = expanded(requested);
        if sys::DRIVES_ARE_NAMES && is_windows_path(requested) {
            return Err(format!("Access denied - Windows-style path received on a POSIX host: {requested}").into());
        }
        let path = if path.is_absolute() { normal(&path) } else { inside(allowed, &path) };
        if requested.contains('\0') || !allowed.names(&path) {
            return Err(denied("path outside allowed directories", &path, allowed));
        }
        let real = match std::fs::canonicalize(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => new_path(allowed, &path)?,
            outcome => outcome.map_err(|error| failed("open", &path, &error))?,
        };
        Place::of(allowed, real)
    }

    /// Returns the place of a path without links.
    fn of(allowed: &Allowed, path: PathBuf) -> Result<Place, ToolError> {
        let Some(folder) = allowed.folder(&path) else {
            return Err(denied("symlink target outside allowed directories", &path, allowed));
        };
        let relative = match path.strip_prefix(&folder.path) {
            Ok(relative) if !relative.as_os_str().is_empty() => relative.to_owned(),
            _ => PathBuf::from("."),
        };
        let dir = folder.dir.try_clone().map_err(|error| failed("open", &path, &error))?;
        Ok(Place { path, dir, relative })
    }

    /// Opens the folder that the place is in. Returns the name in it too.
    pub(crate) fn parent(&self) -> io::Result<(Dir, PathBuf)> {
        let name = self.relative.file_name().ok_or(ErrorKind::PermissionDenied)?;
        let parent = self.relative.parent().filter(|parent| !parent.as_os_str().is_empty());
        Ok((self.dir.open_dir(parent.unwrap_or(Path::new(".")))?, PathBuf::from(name)))
    }

    /// Adds the path to an error.
    pub(crate) fn failed(&self, what: &str, error: &io::Error) -> ToolError {
        failed(what, &self.path, error)
    }
}

pub(crate) fn failed(what: &str, path: &Path, error: &io::Error) -> ToolError {
    ToolError::new(format!("cannot {what} {}: {error}", path.display()))
}

fn denied(reason: &str, path: &Path, allowed: &Allowed) -> ToolError {
    ToolError::new(format!("Access denied - {reason}: {} not in {}", path.display(), allowed.paths().join(", ")))
}

/// `C:` or `C:\x`: on other systems that would be a strange file name.
fn is_windows_path(path: &str) -> bool {
    let mut characters = path.chars();
    characters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && characters.next() == Some(':')
        && matches!(characters.next(), None | Some('/' | '\\'))
}

/// A relative path is one in the first folder that has it by its name.
fn inside(allowed: &Allowed, path: &Path) -> PathBuf {
    let mut candidates = allowed.0.iter().map(|folder| normal(&folder.path.join(path)));
    let first = candidates.next().unwrap_or_default();
    if allowed.names(&first) { first } else { candidates.find(|path| allowed.names(path)).unwrap_or(first) }
}

/// Returns the path of what does not exist yet. Links in the part that exists are followed.
fn new_path(allowed: &Allowed, path: &Path) -> Result<PathBuf, ToolError> {
    let missing = || {
        let parent = path.parent().unwrap_or(path);
        ToolError::new(format!("Parent directory does not exist: {}", parent.display()))
    };
    let existing = path.ancestors().find(|ancestor| std::fs::symlink_metadata(ancestor).is_ok()).ok_or_else(missing)?;
    // A link that leads nowhere exists and has no real path.
    let real = std::fs::canonicalize(existing).map_err(|_| missing())?;
    if allowed.folder(&real).is_none() {
        return Err(denied("symlink target outside allowed directories", &real, allowed));
    }
    Ok(real.join(path.strip_prefix(existing).unwrap_or(path)))
}

// Not on Windows: links need a right there that not every user has, and a name can be taken between its check and the renaming.
#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// `root` is allowed, `outside` is not.
    fn folders() -> (tempfile::TempDir, Allowed) {
        let home = tempfile::tempdir().unwrap();
        for folder in ["root/inner", "outside"] {
            fs::create_dir_all(home.path().join(folder)).unwrap();
        }
        fs::write(home.path().join("root/inner/file"), "inside").unwrap();
        fs::write(home.path().join("outside/file"), "secret").unwrap();
        let root = home.path().join("root").display().to_string();
        let (folders, warnings) = crate::Folders::open(&[root]);
        assert_eq!(warnings, Vec::<String>::new());
        (home, folders.into_allowed())
    }

    #[test]
    fn a_folder_that_becomes_a_link_after_the_check_does_not_lead_out() {
        for target in ["../outside", "absolute"] {
            let (home, allowed) = folders();
            let root = home.path().join("root");
            let read = Place::find(&allowed, "inner/file").unwrap();
            let new = Place::find(&allowed, "inner/new").unwrap();
            assert_eq!(read.dir.read_to_string(&read.relative).unwrap(), "inside");

            fs::rename(root.join("inner"), root.join("moved")).unwrap();
            let target = if target == "absolute" { home.path().join("outside") } else { PathBuf::from(target) };
            symlink(&target, root.join("inner")).unwrap();
            assert_eq!(fs::read_to_string(root.join("inner/file")).unwrap(), "secret", "the link works");
            assert!(read.dir.read_to_string(&read.relative).is_err(), "{target:?}");
            assert!(new.dir.write(&new.relative, "x").is_err() && new.parent().is_err(), "{target:?}");
            assert!(new.dir.create_dir_all(&new.relative).is_err() && new.dir.read_dir("inner").is_err(), "{target:?}");
            assert_eq!(fs::read_dir(home.path().join("outside")).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_destination_that_appears_after_the_check_is_not_overwritten() {
        let (home, allowed) = folders();
        let (from, to) = (Place::find(&allowed, "inner/file").unwrap(), Place::find(&allowed, "new").unwrap());
        let ((from, old), (to, new)) = (from.parent().unwrap(), to.parent().unwrap());
        fs::write(home.path().join("root/new"), "another program wrote this").unwrap();
        let error = sys::rename_to_free_name(&from, &old, &to, &new).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(home.path().join("root/new")).unwrap(), "another program wrote this");
    }
}
