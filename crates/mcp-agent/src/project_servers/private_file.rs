//! A file that only its user can read and write.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

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
    check(path, &file.metadata()?)?;
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
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    check_folder(path)?;
    let beside = path.with_added_extension(format!("{}.new", crate::uuid::random()));
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options
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
    let metadata = fs::metadata(folder)?;
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::mode(&metadata) & 0o022 != 0 {
        return Err(refused(folder, "can be written by other users"));
    }
    check_owner(folder, &metadata)
}

fn check(path: &Path, metadata: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::mode(metadata) & 0o077 != 0 {
        return Err(refused(path, "can be read or written by other users"));
    }
    check_owner(path, metadata)
}

#[cfg(unix)]
fn check_owner(path: &Path, metadata: &fs::Metadata) -> io::Result<()> {
    let owner = std::os::unix::fs::MetadataExt::uid(metadata);
    if owner == rustix::process::geteuid().as_raw() {
        return Ok(());
    }
    Err(refused(path, "belongs to another user"))
}

/// The folder of a user's settings is protected by its access control list.
#[cfg(not(unix))]
fn check_owner(_: &Path, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

fn refused(path: &Path, reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, format!("{} {reason}", path.display()))
}
