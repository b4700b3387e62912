//! The file that a server is started from.
//!
//! Windows locks the file of a running program, so cargo could not replace it while the server runs. There a copy is started.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::sys;

/// The program to start, and the copy to delete when it has ended.
#[derive(Debug)]
pub(super) struct RunningCopy {
    program: PathBuf,
    is_copy: bool,
}

impl RunningCopy {
    /// Copies the program if the system locks running programs. `number` differs between servers of this process.
    pub(super) fn of(program: &Path, number: u64) -> io::Result<RunningCopy> {
        if sys::LOCKS_RUNNING_PROGRAMS {
            return RunningCopy::copy(program, number);
        }
        Ok(RunningCopy { program: program.to_owned(), is_copy: false })
    }

    fn copy(program: &Path, number: u64) -> io::Result<RunningCopy> {
        let mut name = program.file_stem().unwrap_or_default().to_owned();
        name.push(format!("-dev-{}-{number}", std::process::id()));
        let mut copy = program.with_file_name(name);
        if let Some(extension) = program.extension() {
            copy.add_extension(extension);
        }
        fs::copy(program, &copy)?;
        Ok(RunningCopy { program: copy, is_copy: true })
    }

    pub(super) fn program(&self) -> &Path {
        &self.program
    }
}

impl Drop for RunningCopy {
    fn drop(&mut self) {
        if self.is_copy {
            // It fails if the program still runs. Then the copy stays in the target folder.
            let _ = fs::remove_file(&self.program);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_a_name_of_its_own_and_is_deleted() {
        let folder = std::env::temp_dir().join(format!("cargo-mcp-copy-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let program = folder.join("server.exe");
        fs::write(&program, "program").unwrap();
        let copy = RunningCopy::copy(&program, 7).unwrap();
        let path = copy.program().to_owned();
        assert_eq!(path, folder.join(format!("server-dev-{}-7.exe", std::process::id())));
        assert_eq!(fs::read_to_string(&path).unwrap(), "program");
        drop(copy);
        assert!(!path.exists() && program.exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
