//! Writes values that are too long for a command line to temporary files, which are removed with the child.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use crate::invocation::Arg;
use crate::sys::private_file;

/// A temporary file that is removed on drop.
#[derive(Debug)]
pub(super) struct Spilled(PathBuf);

impl Spilled {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Spilled {
    fn drop(&mut self) {
        // If this fails, the system removes the file with its other temporary files.
        let _ = fs::remove_file(&self.0);
    }
}

/// Returns the argument for the command line. Writes the value of [`Arg::Spill`] to a file first.
pub(super) fn argument(arg: &Arg, files: &mut Vec<Spilled>) -> io::Result<OsString> {
    let Arg::Spill { flag, value } = arg else {
        return Ok(arg.inline());
    };
    let path = std::env::temp_dir().join(unique_name());
    // Only the owner may read the file: settings and server configurations may hold secrets.
    let mut file = private_file().open(&path)?;
    files.push(Spilled(path.clone()));
    file.write_all(value.as_bytes())?;
    let mut argument = OsString::from(flag);
    argument.push("=");
    argument.push(path);
    Ok(argument)
}

fn unique_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let nanos = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |elapsed| elapsed.as_nanos());
    format!("mcp-agent-{}-{}-{nanos}.json", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_value_is_in_a_file_until_it_is_dropped() {
        let mut files = Vec::new();
        let arg = Arg::Spill { flag: "--settings", value: "{\"a\":1}".to_owned() };
        let argument = argument(&arg, &mut files).expect("written").into_string().expect("text");
        let path = PathBuf::from(argument.strip_prefix("--settings=").expect("joined"));
        assert_eq!(fs::read_to_string(&path).expect("there"), "{\"a\":1}");
        drop(files);
        assert!(!path.exists());
    }
}
