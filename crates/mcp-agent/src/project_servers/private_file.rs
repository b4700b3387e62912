//! A file that only its user can read and write.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use crate::sys::{check_private_file, check_private_folder, private_file as new_file, private_folder};

/// Reads a file, or returns `None` if there is none.
///
/// # Errors
/// If it cannot be read, or if another user could have written it.
pub(super) fn read(path: &Path) -> io::Result<Option<String>> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
        Ok(metadata) if !metadata.is_file() => return Err(refused(path, "is not a regular file")),
        Ok(_) => {}
    }
    check_folder(path)?;
    let mut file = File::open(path)?;
    // Of the open file, so that it cannot be replaced in between.
    check_private_file(&file.metadata()?).map_err(|reason| refused(path, reason))?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok(Some(text))
}

/// Replaces a file. Other processes read either the complete old content or the complete new one.
///
/// # Errors
/// If it cannot be written, or if another user can write its folder.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().ok_or_else(|| refused(path, "has no folder"))?;
    private_folder().create(folder)?;
    check_folder(path)?;
    let beside = path.with_added_extension(format!("{}.new", crate::uuid::random()));
    let written = new_file()
        .open(&beside)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Checks the folder of a file: whoever can write it can replace the file.
fn check_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().ok_or_else(|| refused(path, "has no folder"))?;
    check_private_folder(&fs::metadata(folder)?).map_err(|reason| refused(folder, reason))
}

fn refused(path: &Path, reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, format!("{} {reason}", path.display()))
}
