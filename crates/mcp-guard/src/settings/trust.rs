//! Whether the settings files of a project may allow something.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The settings file that belongs to the user and not to the repository.
const LOCAL: &str = ".claude/settings.local.json";

/// Returns whether the user has answered yes when the CLI asked whether the project is trusted. The CLI keeps the answer in
/// `~/.claude.json`. A file that cannot be read means no.
pub(crate) fn is_trusted(project: &Path, home: &Path) -> bool {
    let Ok(text) = fs::read_to_string(home.join(".claude.json")) else { return false };
    let Ok(known) = serde_json::from_str::<Value>(&text) else { return false };
    let accepted = |path: &Path| {
        let project = path.to_str().and_then(|path| known.get("projects")?.get(path));
        project.and_then(|project| project.get("hasTrustDialogAccepted")) == Some(&Value::Bool(true))
    };
    accepted(project) || project.canonicalize().is_ok_and(|real| accepted(&real))
}

/// Returns whether the git repository is known not to contain the local settings file, so that it cannot come from the
/// repository.
pub(crate) fn is_untracked(project: &Path, git_root: Option<&Path>) -> bool {
    let Some(root) = git_root else { return false };
    let Ok(relative) = project.join(LOCAL).strip_prefix(root).map(Path::to_path_buf) else { return false };
    let Some(relative) = relative.to_str() else { return false };
    let index: PathBuf = root.join(".git/index");
    // In a linked worktree `.git` is a file, and its index is elsewhere.
    if !root.join(".git").is_dir() {
        return false;
    }
    match fs::read(index) {
        // Nothing was ever added.
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        // In version 4 of the format, paths are compressed.
        Ok(bytes) => {
            let is_plain = bytes.starts_with(b"DIRC\0\0\0\x02") || bytes.starts_with(b"DIRC\0\0\0\x03");
            is_plain && !bytes.windows(relative.len()).any(|window| window.eq_ignore_ascii_case(relative.as_bytes()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_accepted_project_is_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path();
        assert!(!is_trusted(Path::new("/w"), home));
        fs::write(home.join(".claude.json"), "not json").unwrap();
        assert!(!is_trusted(Path::new("/w"), home));
        let known = r#"{"projects": {"/w": {"hasTrustDialogAccepted": true}, "/x": {"hasTrustDialogAccepted": false}}}"#;
        fs::write(home.join(".claude.json"), known).unwrap();
        assert!(is_trusted(Path::new("/w"), home));
        assert!(!is_trusted(Path::new("/x"), home) && !is_trusted(Path::new("/w/inner"), home));
    }

    #[test]
    fn a_local_file_is_untracked_only_if_the_index_proves_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert!(!is_untracked(root, None), "without git nothing is known");
        fs::create_dir(root.join(".git")).unwrap();
        assert!(is_untracked(root, Some(root)));
        let index = |content: &[u8]| fs::write(root.join(".git/index"), content).unwrap();
        index(b"DIRC\0\0\0\x02...src/main.rs");
        assert!(is_untracked(root, Some(root)));
        index(b"DIRC\0\0\0\x02....claude/settings.local.json");
        assert!(!is_untracked(root, Some(root)));
        index(b"DIRC\0\0\0\x04...src/main.rs");
        assert!(!is_untracked(root, Some(root)));
    }
}
