//! What was read, and as what.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// The files that were read, each with how it was then.
#[derive(Debug, Default)]
pub(crate) struct Seen(Mutex<HashMap<PathBuf, Stamp>>);

/// How a file is: enough to see that somebody else wrote to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

/// How a file stands to what was read of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Acquaintance {
    /// There is none, so there is nothing to read.
    New,
    /// It is as it was when it was read.
    Known,
    /// Somebody wrote to it since.
    Changed,
    /// It was not read.
    Unread,
}

impl Seen {
    /// Takes note of a file as it is now.
    pub(crate) fn note(&self, path: &Path) {
        if let Some((real, stamp)) = look(path) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(real, stamp);
        }
    }

    pub(crate) fn acquaintance(&self, path: &Path) -> Acquaintance {
        let Some((real, stamp)) = look(path) else { return Acquaintance::New };
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&real) {
            Some(known) if *known == stamp => Acquaintance::Known,
            Some(_) => Acquaintance::Changed,
            None => Acquaintance::Unread,
        }
    }
}

/// A file by where its links lead, so that it is the same by whatever name.
fn look(path: &Path) -> Option<(PathBuf, Stamp)> {
    let real = path.canonicalize().ok()?;
    let metadata = fs::metadata(&real).ok()?;
    Some((real, Stamp { length: metadata.len(), modified: metadata.modified().ok() }))
}
