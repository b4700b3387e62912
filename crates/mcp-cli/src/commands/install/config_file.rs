//! A file that is changed as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What a file holds; nothing if it is not there.
pub(super) fn read(path: &Path) -> io::Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        outcome => outcome,
    }
}

/// Puts a text in the place of what a file holds, and leaves its permissions as they are.
///
/// Whoever reads it meanwhile sees the old or the new text, and a crash leaves one of them.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    // A link stays a link, to a file that is changed.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    let draft = draft_of(&path);
    let outcome = fill(&draft, &path, text).and_then(|()| fs::rename(&draft, &path));
    if outcome.is_err() {
        // What went wrong is said already.
        let _ = fs::remove_file(&draft);
    }
    outcome
}

fn draft_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    path.with_file_name(name)
}

fn fill(draft: &Path, path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create_new(draft)?;
    if let Ok(old) = fs::metadata(path) {
        file.set_permissions(old.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_file_keeps_its_permissions_and_a_link_stays_a_link() {
        let folder = std::env::temp_dir().join(format!("mcp-install-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (real, link) = (folder.join("real.json"), folder.join("link.json"));
        fs::write(&real, "{}").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&real, &link).unwrap();
        write(&link, "{\"a\": 1}").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "{\"a\": 1}");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
        write(&folder.join("new/deep.json"), "x").unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "no draft is left");
        fs::remove_dir_all(folder).unwrap();
    }
}
