//! Whether the settings files of a project may allow something.

use std::fs;
use std::path::Path;

use serde_json::Value;

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
}
