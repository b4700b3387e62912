//! What depends on the operating system.

use std::io;
use std::path::Path;

use cap_std::fs::{Dir, Metadata};

/// Whether a path such as `C:\x` is the name of a file, not a path on a drive.
pub(crate) const DRIVES_ARE_NAMES: bool = cfg!(not(windows));

/// Renames a file or a folder, unless the new name is taken. No other program can take it in between.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(crate) fn rename_to_free_name(from: &Dir, old: &Path, to: &Dir, new: &Path) -> io::Result<()> {
    Ok(rustix::fs::renameat_with(from, old, to, new, rustix::fs::RenameFlags::NOREPLACE)?)
}

/// Renames a file or a folder, unless the new name is taken. Another program can take it between the check and the renaming.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) fn rename_to_free_name(from: &Dir, old: &Path, to: &Dir, new: &Path) -> io::Result<()> {
    if to.symlink_metadata(new).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    from.rename(old, to, new)
}

/// Returns the last three digits of the permissions.
#[cfg(unix)]
pub(crate) fn permissions(metadata: &Metadata) -> String {
    use cap_std::fs::MetadataExt;
    format!("{:03o}", metadata.mode() & 0o777)
}

/// Returns the permissions as Node.js shows them.
#[cfg(not(unix))]
pub(crate) fn permissions(metadata: &Metadata) -> String {
    if metadata.permissions().readonly() { "444" } else { "666" }.to_owned()
}
