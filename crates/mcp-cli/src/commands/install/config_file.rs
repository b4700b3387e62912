//! Reads a configuration file, and replaces it atomically.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Returns the contents of a file. Empty if it does not exist.
pub(super) fn read(path: &Path) -> io::Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        outcome => outcome,
    }
}

/// Replaces the contents of a file and keeps its permissions.
///
/// The text is written to a temporary file that is then renamed: concurrent readers see the old or the new text, and a crash
/// leaves one of them.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    // A symbolic link is kept: its target is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    let temporary = temporary_path(&path);
    let outcome = write_temporary(&temporary, &path, text).and_then(|()| fs::rename(&temporary, &path));
    if outcome.is_err() {
        // The first error is reported.
        let _ = fs::remove_file(&temporary);
    }
    outcome
}

fn temporary_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    path.with_file_name(name)
}

fn write_temporary(temporary: &Path, path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create_new(temporary)?;
    if let Ok(old) = fs::metadata(path) {
        file.set_permissions(old.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_created_and_replaced_and_no_temporary_file_is_left() {
        let folder = std::env::temp_dir().join(format!("mcp-config-file-{}", std::process::id()));
        let file = folder.join("new").join("deep.json");
        for text in ["{}", "{\"a\": 1}"] {
            write(&file, text).unwrap();
            assert_eq!(read(&file).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.join("new")).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }
}

// Not on Windows: files have no modes there, and links need a right that not every user has.
#[cfg(all(test, unix))]
mod unix_tests {
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
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "no temporary file is left");
        fs::remove_dir_all(folder).unwrap();
    }
}
