//! Environments that are installed once for each content of their lock file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

/// Runs an installation into a folder, unless it was done before.
pub(super) fn once(folder: &Path, lock: &str, install: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let stamp = folder.join("installed");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(folder.to_owned());
    }
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    install(folder)?;
    // Written last: an incomplete installation has no stamp and is made again.
    fs::write(&stamp, lock)?;
    Ok(folder.to_owned())
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::once;

    #[test]
    fn an_environment_is_made_once_for_each_lock_file_and_again_after_a_failure() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("tool");
        let mut made = 0;
        assert!(once(&folder, "first", |_| bail!("offline")).is_err());
        for lock in ["first", "first", "second"] {
            once(&folder, lock, |_| {
                made += 1;
                Ok(())
            })
            .unwrap();
        }
        assert_eq!(made, 2);
    }
}
