//! A path pattern of a rule, made absolute.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

/// A path pattern where it applies.
pub(crate) struct Fence {
    exact: GlobMatcher,
    any_case: GlobMatcher,
    // The directory above everything that it covers.
    base: PathBuf,
}

/// Where patterns are anchored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground<'a> {
    /// The working directory: `src/**`, `./src/**`, and `.env` at any depth.
    pub(crate) directory: &'a Path,
    /// Where the settings of the rule belong: `/src/**`.
    pub(crate) root: &'a Path,
    /// The user's home: `~/x`.
    pub(crate) home: Option<&'a Path>,
}

impl Fence {
    /// As `.gitignore` has it: `//x` is absolute, `~/x` in the home, `/x` at the root of the settings, `./x` and `x/y` in
    /// the working directory, `x` anywhere below it; a directory is everything in it.
    pub(crate) fn new(pattern: &str, ground: Ground<'_>) -> Option<Self> {
        let (base, rest, anywhere) = if let Some(rest) = pattern.strip_prefix("//") {
            (Path::new("/"), rest, false)
        } else if let Some(rest) = pattern.strip_prefix("~/") {
            (ground.home?, rest, false)
        } else if let Some(rest) = pattern.strip_prefix('/') {
            (ground.root, rest, false)
        } else if let Some(rest) = pattern.strip_prefix("./") {
            (ground.directory, rest, false)
        } else {
            (ground.directory, pattern, !pattern.trim_end_matches('/').contains('/'))
        };
        let rest = rest.trim_end_matches('/');
        // `..` in a pattern would never match a path that has none.
        let literal: PathBuf = rest.split('/').take_while(|part| !part.contains(['*', '?', '[', '{'])).collect();
        let wild: Vec<&str> = rest.split('/').skip(literal.components().count()).collect();
        let start = crate::path::lexical(&base.join(&literal));
        let above = if anywhere { base.to_path_buf() } else { start.clone() };
        let mut glob = globset::escape(start.to_str()?);
        if anywhere {
            let base = globset::escape(base.to_str()?);
            glob = format!("{}/**/{rest}", base.trim_end_matches('/'));
        } else if !wild.is_empty() {
            glob = format!("{}/{}", glob.trim_end_matches('/'), wild.join("/"));
        }
        let build = |any_case| {
            // Who denies everything in a directory denies to search it too.
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

    /// Whether some of what it covers may lie in the directory.
    pub(crate) fn reaches_into(&self, directory: &Path) -> bool {
        self.base.starts_with(directory) || directory.starts_with(&self.base)
    }
}
