//! Path patterns of rules, resolved to absolute paths.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use super::glob;

/// A path pattern of a rule, resolved to absolute paths.
pub(crate) struct PathPattern {
    exact: GlobMatcher,
    any_case: GlobMatcher,
    // The deepest known directory that contains every matching path.
    base: PathBuf,
    /// The components of the pattern in lower case, to compare it with globs.
    components: Vec<String>,
}

/// The directories that path patterns are relative to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BaseDirectories<'a> {
    /// The working directory, for `src/**`, `./src/**`, and `.env` at any depth.
    pub(crate) directory: &'a Path,
    /// The directory that the settings of the rule apply to, for `/src/**`.
    pub(crate) root: &'a Path,
    /// The user's home directory, for `~/x`.
    pub(crate) home: Option<&'a Path>,
}

impl PathPattern {
    /// Compiles a pattern. Returns `None` if it cannot be compiled, or if it needs a home directory that is not known.
    ///
    /// The syntax is similar to `.gitignore`: `//x` is absolute, `~/x` is in the home directory, `/x` is relative to
    /// [`BaseDirectories::root`], `./x` and `x/y` are relative to the working directory, and `x` matches at any depth below it. A
    /// pattern that matches a directory also matches everything in it.
    pub(crate) fn new(pattern: &str, anchor: BaseDirectories<'_>) -> Option<Self> {
        let (base, rest, anywhere) = if let Some(rest) = pattern.strip_prefix("//") {
            (Path::new("/"), rest, false)
        } else if let Some(rest) = pattern.strip_prefix("~/") {
            (anchor.home?, rest, false)
        } else if let Some(rest) = pattern.strip_prefix('/') {
            (anchor.root, rest, false)
        } else if let Some(rest) = pattern.strip_prefix("./") {
            (anchor.directory, rest, false)
        } else {
            (anchor.directory, pattern, !pattern.trim_end_matches('/').contains('/'))
        };
        let rest = rest.trim_end_matches('/');
        // Paths are compared without `..`, so `..` is resolved in the literal start of the pattern too.
        let literal: PathBuf = rest.split('/').take_while(|part| !part.contains(['*', '?', '[', '{'])).collect();
        let wild: Vec<&str> = rest.split('/').skip(literal.components().count()).collect();
        let start = super::lexical(&base.join(&literal));
        let above = if anywhere { base.to_path_buf() } else { start.clone() };
        let mut glob = globset::escape(start.to_str()?);
        if anywhere {
            let base = globset::escape(base.to_str()?);
            glob = format!("{}/**/{rest}", base.trim_end_matches('/'));
        } else if !wild.is_empty() {
            glob = format!("{}/{}", glob.trim_end_matches('/'), wild.join("/"));
        }
        let build = |any_case| {
            // A rule that denies everything in a directory also denies searching the directory itself.
            let glob = if any_case { glob.strip_suffix("/**").unwrap_or(&glob) } else { &glob };
            let glob = format!("{glob}{{,/**}}");
            let glob =
                GlobBuilder::new(&glob).literal_separator(true).empty_alternates(true).case_insensitive(any_case).build();
            glob.ok().map(|glob| glob.compile_matcher())
        };
        let mut components: Vec<String> = start_components(if anywhere { base } else { &start })?;
        if anywhere {
            components.push("**".to_owned());
        }
        let rest = if anywhere { rest.to_owned() } else { wild.join("/") };
        components.extend(rest.split('/').filter(|part| !part.is_empty()).map(str::to_lowercase));
        // What matches a directory also matches everything in it.
        while components.len() > 1 && components.last().is_some_and(|last| last == "**") {
            components.pop();
        }
        Some(Self { exact: build(false)?, any_case: build(true)?, base: above, components })
    }

    pub(crate) fn is_match(&self, path: &Path, any_case: bool) -> bool {
        if any_case { self.any_case.is_match(path) } else { self.exact.is_match(path) }
    }

    /// Returns whether a glob of a shell command may expand to a matching path, or to a directory that may contain one.
    ///
    /// The glob is compared with the pattern, for files that do not exist yet, and expanded, for links.
    pub(crate) fn meets_glob(&self, word: &str, anchor: BaseDirectories<'_>) -> bool {
        let (base, rest) = match (word.strip_prefix("~/"), word.strip_prefix('/')) {
            (Some(rest), _) => match anchor.home {
                Some(home) => (home, rest),
                None => return true,
            },
            (_, Some(rest)) => (Path::new("/"), rest),
            _ => (anchor.directory, word),
        };
        let Some(glob) = glob_components(base, rest) else { return true };
        // Links in `/proc` lead to another place for each process.
        if glob::may_meet(&glob, &self.components) || glob::may_meet(&glob, &["proc".to_owned()]) {
            return true;
        }
        let Some(found) = glob::expand(base, rest) else { return true };
        found.iter().any(|path| {
            let real = super::real(path);
            self.is_match(&real, true) || (real.is_dir() && self.reaches_into(&real))
        })
    }

    /// Returns whether the directory may contain a matching path.
    pub(crate) fn reaches_into(&self, directory: &Path) -> bool {
        self.base.starts_with(directory) || directory.starts_with(&self.base)
    }
}

/// Returns the components of an absolute path in lower case.
fn start_components(path: &Path) -> Option<Vec<String>> {
    let text = path.to_str()?.to_lowercase();
    Some(text.split(std::path::is_separator).filter(|part| !part.is_empty()).map(str::to_owned).collect())
}

/// Returns the components of a glob as an absolute path in lower case. Returns `None` if they are not known, as after `..`.
fn glob_components(base: &Path, glob: &str) -> Option<Vec<String>> {
    let mut components = start_components(base)?;
    for part in glob.split('/') {
        match part {
            "" | "." => {}
            ".." => return None,
            part => components.push(part.to_lowercase()),
        }
    }
    Some(components)
}
