//! Path patterns of rules, resolved to absolute paths.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::{Platform, comparable, glob, lexical, platform, real};

/// A path pattern of a rule, resolved to absolute paths.
pub(crate) struct PathPattern {
    /// For allow rules: the pattern as written, in the working directory as written and with its links resolved.
    exact: GlobSet,
    /// For deny and ask rules: also with the links in the pattern resolved, and in any case.
    any_case: GlobSet,
    places: Vec<Place>,
}

/// A place of the files that match a pattern.
struct Place {
    /// The deepest known directory that contains every matching path.
    base: PathBuf,
    /// The components of the pattern in lower case, to compare it with globs.
    components: Vec<String>,
}

/// The directories that path patterns are relative to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BaseDirectories<'a> {
    /// The working directory. Patterns such as `src/**` and `./src/**` are relative to it, and `.env` matches at any depth below it.
    pub(crate) directory: &'a Path,
    /// The directory that the settings of the rule apply to, for `/src/**`.
    pub(crate) root: &'a Path,
    /// The user's home directory, for `~/x`.
    pub(crate) home: Option<&'a Path>,
    /// The directory that the tool use works in, for the relative paths in it.
    pub(crate) current: &'a Path,
}

impl PathPattern {
    /// Compiles a pattern. Returns `None` if it cannot be compiled, or if it needs a home directory that is not known.
    ///
    /// The syntax is similar to `.gitignore`: `//x` is absolute, `~/x` is in the home directory, `/x` is relative to
    /// [`BaseDirectories::root`], `./x` and `x/y` are relative to the working directory, and `x` matches at any depth below it. A
    /// pattern that matches a directory also matches everything in it.
    pub(crate) fn new(pattern: &str, anchor: BaseDirectories<'_>) -> Option<Self> {
        let pattern = platform::rule_pattern(pattern, Platform::CURRENT);
        let (base, rest, is_anywhere) = split(&pattern, anchor)?;
        // Paths are compared without `..`, so `..` is resolved in the literal start of the pattern too.
        let literal: PathBuf = match is_anywhere {
            true => PathBuf::new(),
            false => rest.split('/').take_while(|part| !part.contains(['*', '?', '[', '{'])).collect(),
        };
        let mut wild: Vec<&str> = rest.split('/').skip(literal.components().count()).collect();
        if is_anywhere {
            wild.insert(0, "**");
        }
        let mut starts = vec![comparable(&lexical(&base.join(&literal)))];
        let add = |start: PathBuf, starts: &mut Vec<PathBuf>| {
            if !starts.contains(&start) {
                starts.push(start);
            }
        };
        add(comparable(&lexical(&real(&base).join(&literal))), &mut starts);
        let exact = matcher(&starts, &wild, false)?;
        add(real(&base.join(&literal)), &mut starts);
        let any_case = matcher(&starts, &wild, true)?;
        let places = starts.into_iter().map(|start| Place::new(start, &wild)).collect::<Option<_>>()?;
        Some(Self { exact, any_case, places })
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
            _ => (anchor.current, word),
        };
        let Some(glob) = glob_components(base, rest) else { return true };
        // Links in `/proc` lead to another place for each process.
        if self.places.iter().any(|place| glob::may_meet(&glob, &place.components))
            || glob::may_meet(&glob, &["proc".to_owned()])
        {
            return true;
        }
        let Some(found) = glob::expand(base, rest) else { return true };
        found.iter().any(|path| {
            let real = real(path);
            self.is_match(&real, true) || (real.is_dir() && self.reaches_into(&real))
        })
    }

    /// Returns whether the directory may contain a matching path.
    pub(crate) fn reaches_into(&self, directory: &Path) -> bool {
        self.places.iter().any(|place| place.base.starts_with(directory) || directory.starts_with(&place.base))
    }
}

/// Splits a pattern into the directory that it is relative to, and the rest. The last value is true if the rest matches at any
/// depth.
fn split<'p>(pattern: &'p str, anchor: BaseDirectories<'_>) -> Option<(PathBuf, &'p str, bool)> {
    let (base, rest) = if let Some(rest) = pattern.strip_prefix("//") {
        let (base, rest) = platform::absolute_pattern(rest, Platform::CURRENT)?;
        return Some((base, rest.trim_end_matches('/'), false));
    } else if let Some(rest) = pattern.strip_prefix("~/") {
        (anchor.home?, rest)
    } else if let Some(rest) = pattern.strip_prefix('/') {
        (anchor.root, rest)
    } else if let Some(rest) = pattern.strip_prefix("./") {
        (anchor.directory, rest)
    } else {
        let rest = pattern.trim_end_matches('/');
        return Some((anchor.directory.to_path_buf(), rest, !rest.contains('/')));
    };
    Some((base.to_path_buf(), rest.trim_end_matches('/'), false))
}

/// Compiles the wild part of a pattern below each of these paths.
fn matcher(starts: &[PathBuf], wild: &[&str], any_case: bool) -> Option<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for start in starts {
        let start = globset::escape(start.to_str()?);
        let glob = [&[start.trim_end_matches('/')], wild].concat().join("/");
        // A rule that denies everything in a directory also denies searching the directory itself.
        let glob = if any_case { glob.strip_suffix("/**").unwrap_or(&glob) } else { &glob };
        let glob = format!("{glob}{{,/**}}");
        let is_any_case = any_case || Platform::CURRENT == Platform::Windows;
        let mut builder = GlobBuilder::new(&glob);
        set.add(builder.literal_separator(true).empty_alternates(true).case_insensitive(is_any_case).build().ok()?);
    }
    set.build().ok()
}

impl Place {
    fn new(base: PathBuf, wild: &[&str]) -> Option<Self> {
        let mut components = start_components(&base)?;
        components.extend(wild.iter().filter(|part| !part.is_empty()).map(|part| part.to_lowercase()));
        // What matches a directory also matches everything in it.
        while components.len() > 1 && components.last().is_some_and(|last| last == "**") {
            components.pop();
        }
        Some(Self { base, components })
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
