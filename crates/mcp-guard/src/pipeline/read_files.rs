//! Which files each caller has read, and with which content.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

/// How many callers are remembered. The one that was idle for longest is forgotten first; it has to read its files again.
const CALLERS: usize = 1024;

/// How many files are remembered for one caller.
const FILES: usize = 10_000;

/// The SHA-256 of the content of a file.
type ContentHash = [u8; 32];

/// The files that each caller has read, with their content at that time.
#[derive(Debug, Default)]
pub(crate) struct ReadFiles(Mutex<Callers>);

#[derive(Debug, Default)]
struct Callers {
    files: HashMap<String, Known>,
    clock: u64,
}

#[derive(Debug, Default)]
struct Known {
    files: HashMap<PathBuf, ContentHash>,
    used: u64,
}

/// How a file compares to what a caller has read of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadState {
    /// The file does not exist, so there is nothing to read.
    Absent,
    /// The file has the content that the caller has read.
    Unchanged,
    /// The file has other content now.
    Changed,
    /// The caller has not read the file.
    Unread,
    /// The file cannot be read, or is not a regular file.
    Unreadable,
}

impl ReadFiles {
    /// Remembers that the caller knows the file with this content.
    pub(crate) fn remember(&self, caller: &str, real: PathBuf, hash: ContentHash) {
        let mut callers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        callers.clock += 1;
        let clock = callers.clock;
        if !callers.files.contains_key(caller) && callers.files.len() >= CALLERS {
            let idle = callers.files.iter().min_by_key(|(_, known)| known.used).map(|(key, _)| key.clone());
            idle.and_then(|key| callers.files.remove(&key));
        }
        let known = callers.files.entry(caller.to_owned()).or_default();
        known.used = clock;
        if known.files.len() >= FILES && !known.files.contains_key(&real) {
            known.files.clear();
        }
        known.files.insert(real, hash);
    }

    /// Compares a file with what the caller has read of it. Reads the file.
    pub(crate) fn compare(&self, caller: Option<&str>, path: &Path) -> ReadState {
        let (real, now) = match content_of(path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return ReadState::Absent,
            Err(_) => return ReadState::Unreadable,
        };
        let callers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match caller.and_then(|caller| callers.files.get(caller)?.files.get(&real)) {
            Some(known) if *known == now => ReadState::Unchanged,
            Some(_) => ReadState::Changed,
            None => ReadState::Unread,
        }
    }
}

/// Returns the target of a path, by which a file is the same under each of its names, and the hash of its content.
pub(crate) fn content_of(path: &Path) -> io::Result<(PathBuf, ContentHash)> {
    let real = path.canonicalize()?;
    // A pipe or a device may block for ever or never end.
    if !real.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let (mut file, mut hash, mut buffer) = (File::open(&real)?, Sha256::new(), vec![0; 64 * 1024]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((real, hash.finalize().into())),
            read => hash.update(&buffer[..read]),
        }
    }
}
