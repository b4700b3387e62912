//! Names of transcripts in a store.

use std::fmt;

/// The name of a transcript in a store: a main transcript, or that of a sub-agent.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct SessionKey {
    /// The project: by default the CLI's name for the working directory, see [`project_folder`](super::project_folder).
    pub project: String,
    /// The id of the session.
    pub session: String,
    /// The path of a transcript of a sub-agent, such as `subagents/agent-a3924599`. `None` for the main transcript.
    pub subpath: Option<String>,
}

/// A subpath that could lead out of the directory of its session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidSubpath {
    /// The rejected subpath.
    pub subpath: String,
}

impl SessionKey {
    /// Creates the key of a main transcript.
    pub fn new(project: impl Into<String>, session: impl Into<String>) -> Self {
        Self { project: project.into(), session: session.into(), subpath: None }
    }

    /// Returns the key of another transcript of the same session.
    ///
    /// # Errors
    /// If the subpath is not a plain relative path. Subpaths come from stores, and become names of files.
    pub fn with_subpath(&self, subpath: &str) -> Result<Self, InvalidSubpath> {
        if !is_plain(subpath) {
            return Err(InvalidSubpath { subpath: subpath.to_owned() });
        }
        Ok(Self { subpath: Some(subpath.to_owned()), ..self.clone() })
    }

    /// Returns the key of a transcript file, by its path below the directory of projects: `<project>/<session>.jsonl` or
    /// `<project>/<session>/<subpath>.jsonl`.
    pub(crate) fn of_parts(parts: &[&str]) -> Option<Self> {
        let (project, rest) = parts.split_first()?;
        let (last, folders) = rest.split_last()?;
        let last = last.strip_suffix(".jsonl")?;
        match folders.split_first() {
            None => Some(Self::new(*project, last)),
            Some((session, folders)) => {
                let subpath: Vec<&str> = folders.iter().copied().chain([last]).collect();
                Self::new(*project, *session).with_subpath(&subpath.join("/")).ok()
            }
        }
    }
}

/// Returns whether every part of the path is the name of a file below, on every operating system.
fn is_plain(path: &str) -> bool {
    path.split('/').all(|part| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@'))
    })
}

impl fmt::Display for InvalidSubpath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid subpath {:?}: use names with letters, digits, - _ . @, separated by /", self.subpath)
    }
}

impl std::error::Error for InvalidSubpath {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subpath_cannot_leave_the_directory_of_its_session() {
        let key = SessionKey::new("p", "s");
        for subpath in ["", "..", "../x", "a/../b", "/etc/x", "a//b", "a\\b", "C:x", "a/.hidden", "a\0b"] {
            assert!(key.with_subpath(subpath).is_err(), "{subpath:?}");
        }
        let sub = key.with_subpath("subagents/agent-1").unwrap();
        assert_eq!(SessionKey::of_parts(&["p", "s", "subagents", "agent-1.jsonl"]), Some(sub));
        assert_eq!(SessionKey::of_parts(&["p", "s.jsonl"]), Some(key));
        assert_eq!(SessionKey::of_parts(&["p", "s", "..", "x.jsonl"]), None);
        assert_eq!(SessionKey::of_parts(&["p"]), None);
    }
}
