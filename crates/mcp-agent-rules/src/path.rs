//! Paths, by name and by where they lead.

use std::path::{Component, Path, PathBuf};

/// Everything that a path may mean: its name with `..` taken out, and where its links lead.
///
/// The two differ when a part of it is a link, and then only the system knows which one counts.
pub(crate) fn meanings(path: &str, directory: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let expanded = match (path.strip_prefix('~'), home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
        _ => PathBuf::from(path),
    };
    let whole = directory.join(expanded);
    let mut meanings = vec![lexical(&whole)];
    let real = real(&whole);
    if !meanings.contains(&real) {
        meanings.push(real);
    }
    meanings
}

/// The path without `.` and `..`, by its text alone.
pub(crate) fn lexical(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut path, component| {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                path.pop();
            }
            other => path.push(other),
        }
        path
    })
}

/// Where the path leads: links are followed as far as there is something, the rest is taken by its text.
pub(crate) fn real(path: &Path) -> PathBuf {
    let mut existing = path.to_path_buf();
    let mut rest = Vec::new();
    loop {
        if let Ok(found) = existing.canonicalize() {
            let whole = rest.iter().rev().fold(found, |path, part| path.join(part));
            return lexical(&whole);
        }
        // A link to nothing yet: what is written through it lands where it points.
        if let Ok(target) = existing.read_link() {
            let parent = existing.parent().map(Path::to_path_buf).unwrap_or_default();
            let whole = rest.iter().rev().fold(parent.join(target), |path: PathBuf, part| path.join(part));
            return if rest.len() < 64 && whole != path { bounded(&whole, 40) } else { lexical(&whole) };
        }
        let Some(last) = existing.components().next_back() else {
            return lexical(path);
        };
        rest.push(PathBuf::from(last.as_os_str()));
        if !existing.pop() {
            return lexical(path);
        }
    }
}

/// Follows links that lead to nothing, but not in circles.
fn bounded(path: &Path, links: u8) -> PathBuf {
    match (links, path.read_link()) {
        (1.., Ok(target)) if path.canonicalize().is_err() => {
            bounded(&path.parent().map(Path::to_path_buf).unwrap_or_default().join(target), links - 1)
        }
        (0, _) => lexical(path),
        _ => match path.parent().and_then(|parent| parent.canonicalize().ok()).zip(path.file_name()) {
            Some((parent, name)) => parent.join(name),
            None => lexical(path),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_taken_out_and_never_lead_above_the_root() {
        assert_eq!(lexical(Path::new("/w/src/../secret/./x")), Path::new("/w/secret/x"));
        assert_eq!(lexical(Path::new("/../../etc")), Path::new("/etc"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_means_itself_and_its_target_also_where_there_is_nothing_yet() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("secret")).unwrap();
        symlink(root.join("secret"), root.join("link")).unwrap();
        symlink(root.join("secret/later"), root.join("dangling")).unwrap();
        symlink(root.join("circle"), root.join("circle")).unwrap();
        assert_eq!(meanings("link/new", &root, None), [root.join("link/new"), root.join("secret/new")]);
        assert_eq!(meanings("dangling", &root, None), [root.join("dangling"), root.join("secret/later")]);
        assert_eq!(meanings("link/../x", &root, None), [root.join("x")]);
        assert_eq!(meanings("plain", &root, None), [root.join("plain")]);
        assert!(!meanings("circle", &root, None).is_empty());
    }

    #[test]
    fn a_tilde_is_the_home() {
        let meant = meanings("~/x", Path::new("/w"), Some(Path::new("/nowhere/me")));
        assert_eq!(meant, [Path::new("/nowhere/me/x")]);
    }
}
