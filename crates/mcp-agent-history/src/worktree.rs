//! Finds the worktrees of a Git repository by reading its files. Does not run Git.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the working directories of all worktrees of the repository that contains `folder`, without `folder` itself.
///
/// `folder` must be the top of a worktree, as the sessions of other worktrees belong to their tops. If it is not, or is not in
/// a repository, there are none.
pub(crate) fn others(folder: &Path) -> Vec<PathBuf> {
    let Some(repository) = repository(folder) else { return Vec::new() };
    let mut tops: Vec<PathBuf> = repository.parent().map(Path::to_owned).into_iter().collect();
    for entry in fs::read_dir(repository.join("worktrees")).into_iter().flatten().flatten() {
        // The file has the path of the file `.git` in the worktree.
        let link = fs::read_to_string(entry.path().join("gitdir")).unwrap_or_default();
        tops.extend(entry.path().join(link.trim()).parent().map(Path::to_owned));
    }
    let tops = tops.into_iter().filter_map(|top| top.canonicalize().ok());
    tops.filter(|top| top != folder).collect()
}

/// Returns the directory `.git` of the main worktree.
fn repository(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    if git.is_dir() {
        return git.canonicalize().ok();
    }
    let text = fs::read_to_string(&git).ok()?;
    let own = folder.join(text.strip_prefix("gitdir:")?.trim());
    let common = fs::read_to_string(own.join("commondir")).ok()?;
    own.join(common.trim()).canonicalize().ok()
}
