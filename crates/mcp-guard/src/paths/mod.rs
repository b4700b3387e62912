//! Resolution of paths, with and without following symbolic links.

use std::path::{Component, Path, PathBuf, is_separator};

mod glob;
mod pattern;
mod platform;

pub(crate) use glob::is_glob;
pub(crate) use pattern::{BaseDirectories, PathPattern};
pub(crate) use platform::{Platform, comparable, plain_name};

/// Returns the possible targets of a path: the path with `..` removed lexically, and the path with symbolic links resolved.
///
/// The two differ if a part of the path is a symbolic link. Rules have to consider both.
pub(crate) fn meanings(path: &str, directory: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let expanded = match (path.strip_prefix('~'), home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with(is_separator) => {
            home.join(rest.trim_start_matches(is_separator))
        }
        _ => PathBuf::from(path),
    };
    let whole = directory.join(expanded);
    let mut meanings = vec![comparable(&lexical(&whole))];
    let mut add = |path: PathBuf| {
        if !meanings.contains(&path) {
            meanings.push(path);
        }
    };
    // In `/proc`, these links lead to another place for each process.
    if let Some(path) = through_processes(&whole, directory) {
        add(lexical(&path));
        add(real(&path));
    }
    add(real(&whole));
    meanings
}

/// Follows the links of a path like the process that opens it: `/proc/self/cwd` is the working directory for it, also where a
/// link leads to `/proc`. Returns `None` if the path does not lead through such a link.
fn through_processes(path: &Path, directory: &Path) -> Option<PathBuf> {
    let (mut path, mut is_changed) = (path.to_path_buf(), false);
    for _ in 0..40 {
        let next = if path.starts_with("/proc") {
            let next = through_proc(&lexical(&path), directory);
            is_changed |= next.is_some();
            next
        } else {
            without_first_link(&path)
        };
        match next {
            Some(next) => path = next,
            None => break,
        }
    }
    is_changed.then_some(path)
}

/// Replaces the first symbolic link of a path by its target.
fn without_first_link(path: &Path) -> Option<PathBuf> {
    let ancestors: Vec<&Path> = path.ancestors().collect();
    let (link, target) = ancestors.into_iter().rev().find_map(|at| Some((at, at.read_link().ok()?)))?;
    let target = lexical(&link.parent()?.join(target));
    // Joining nothing would add a slash, which follows the next link.
    Some(path.strip_prefix(link).ok()?.components().fold(target, |path, part| path.join(part)))
}

/// Replaces `/proc/self/cwd` by the working directory and `/proc/self/root` by the root, for any process.
fn through_proc(path: &Path, directory: &Path) -> Option<PathBuf> {
    let mut parts = path.strip_prefix("/proc").ok()?.components();
    let (mut process, mut link) = (parts.next()?, parts.next()?);
    while link.as_os_str() == "task" {
        (process, link) = (parts.next()?, parts.next()?);
    }
    let _ = process;
    let rest = parts.as_path();
    match link.as_os_str().to_str()? {
        "cwd" => Some(directory.join(rest)),
        "root" => Some(Path::new("/").join(rest)),
        _ => None,
    }
}

/// Removes `.` and `..` from a path without accessing the file system.
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

/// Resolves symbolic links in the part of the path that exists. The rest is resolved lexically.
pub(crate) fn real(path: &Path) -> PathBuf {
    comparable(&without_links(path))
}

fn without_links(path: &Path) -> PathBuf {
    let mut existing = path.to_path_buf();
    let mut rest = Vec::new();
    loop {
        if let Ok(found) = existing.canonicalize() {
            let whole = rest.iter().rev().fold(found, |path, part| path.join(part));
            return lexical(&whole);
        }
        // A dangling link: a write through it creates the file at its target.
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

/// Follows a chain of dangling links, at most `links` of them, so that a cycle ends.
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
    fn dot_segments_are_removed_and_never_lead_above_the_root() {
        assert_eq!(lexical(Path::new("/w/src/../secret/./x")), Path::new("/w/secret/x"));
        assert_eq!(lexical(Path::new("/../../etc")), Path::new("/etc"));
    }

    // Not on Windows: links need a right there that not every user has. tests/windows_names.rs opens files by each name of theirs.
    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_resolves_to_itself_and_to_its_target_even_if_dangling() {
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

    // Not on Windows: it has no /proc.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_working_directory_of_a_process_is_found_through_links_and_dot_segments() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::os::unix::fs::symlink("/proc/self/cwd/secret", root.join("link")).unwrap();
        std::os::unix::fs::symlink("link", root.join("second")).unwrap();
        for path in [
            "/proc/self/cwd/secret",
            "/proc/self/../self/cwd/secret",
            "/proc/self/root/proc/self/cwd/secret",
            "/dev/fd/../cwd/secret",
            "link",
            "second",
        ] {
            assert!(meanings(path, &root, None).contains(&root.join("secret")), "{path}");
        }
    }

    #[test]
    fn a_tilde_is_the_home_directory() {
        let meant = meanings("~/x", Path::new("/work"), Some(Path::new("/nowhere/me")));
        assert!(meant.contains(&PathBuf::from("/nowhere/me/x")), "{meant:?}");
    }
}
