//! Path patterns of rules, resolved to absolute paths.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

/// A path pattern of a rule, resolved to absolute paths.
pub(crate) struct PathPattern {
    exact: GlobMatcher,
    any_case: GlobMatcher,
    // The deepest known directory that contains every matching path.
    base: PathBuf,
}

/// The directories that path patterns are relative to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Anchor<'a> {
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
    /// [`Anchor::root`], `./x` and `x/y` are relative to the working directory, and `x` matches at any depth below it. A
    /// pattern that matches a directory also matches everything in it.
    pub(crate) fn new(pattern: &str, anchor: Anchor<'_>) -> Option<Self> {
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
        Some(Self { exact: build(false)?, any_case: build(true)?, base: above })
    }

    pub(crate) fn is_match(&self, path: &Path, any_case: bool) -> bool {
        if any_case { self.any_case.is_match(path) } else { self.exact.is_match(path) }
    }

    /// Returns whether the directory may contain a matching path.
    pub(crate) fn reaches_into(&self, directory: &Path) -> bool {
        self.base.starts_with(directory) || directory.starts_with(&self.base)
    }
}
