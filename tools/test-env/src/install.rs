use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::{missing::Missing, program::run, target::target};

/// The time limit of one installation step. It includes downloads on a slow connection.
const LIMIT: Duration = Duration::from_secs(900);

/// Runs `install` in an empty folder `target/test-env/NAME`, once for each content of `lock`, and returns the folder.
///
/// `lock` is the text that pins what is installed, usually a lock file. If several test processes need the folder at the same
/// time, one of them installs and the others wait.
///
/// # Errors
///
/// What `install` returns. The next call tries again.
///
/// # Panics
///
/// If the target folder cannot be written.
pub fn install_once(name: &str, lock: &str, install: impl FnOnce(&Path) -> Result<(), Missing>) -> Result<PathBuf, Missing> {
    install_in(&target().join("test-env"), name, lock, install)
}

/// Runs one step of an installation of `what`.
///
/// # Errors
///
/// If the program is not on this machine, or fails. The error has one line of its output and the path of the rest.
///
/// # Panics
///
/// If the target folder cannot be written.
pub fn run_step(what: &str, command: Command) -> Result<(), Missing> {
    let program = command.get_program().to_string_lossy().into_owned();
    let finished = run(command, LIMIT).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Missing::new(what, format!("`{program}` is not installed")),
        _ => Missing::new(what, format!("`{program}`: {error}")),
    })?;
    if finished.status.success() {
        return Ok(());
    }
    let output = format!("{}{}", finished.stdout, finished.stderr);
    let log = target().join("test-env/failed-step.log");
    fs::write(&log, &output).expect("the target folder is writable");
    let reason = first_error(&output);
    Err(Missing::new(what, format!("`{program}` failed with {}: {reason} (see {})", finished.status, log.display())))
}

/// The line that says why a program failed. It is the same in each run, so that the summary lists the reason once.
fn first_error(output: &str) -> &str {
    let is_error = |line: &&str| !line.starts_with("WARNING") && line.to_ascii_lowercase().contains("error");
    output.lines().find(is_error).or_else(|| output.lines().last()).unwrap_or("no output")
}

fn install_in(
    parent: &Path,
    name: &str,
    lock: &str,
    install: impl FnOnce(&Path) -> Result<(), Missing>,
) -> Result<PathBuf, Missing> {
    let folder = parent.join(name);
    fs::create_dir_all(parent).expect("the target folder is writable");
    let guard = File::create(parent.join(format!("{name}.lock"))).expect("the target folder is writable");
    guard.lock().expect("files can be locked");

    let stamp = folder.join("installed");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(folder);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the target folder is writable");
    }
    fs::create_dir_all(&folder).expect("the target folder is writable");
    install(&folder)?;
    // Written last: an incomplete installation has no stamp and is made again.
    fs::write(&stamp, lock).expect("the target folder is writable");
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        sync::atomic::{AtomicUsize, Ordering},
        thread,
    };

    use super::{Missing, first_error, install_in};

    #[test]
    fn the_reason_of_a_failed_step_is_its_first_error() {
        let pip = "WARNING: Retrying after NewConnectionError\nERROR: no matching distribution\nERROR: more\n";
        assert_eq!(first_error(pip), "ERROR: no matching distribution");
        assert_eq!(first_error("npm warn old\nnpm error code ENOTFOUND\nnpm error more"), "npm error code ENOTFOUND");
        assert_eq!(first_error("one\ntwo\n"), "two");
    }

    #[test]
    fn concurrent_users_install_once_and_a_changed_lock_file_installs_again() {
        let parent = tempfile::tempdir().unwrap();
        let made = AtomicUsize::new(0);
        let make = |lock: &str| {
            install_in(parent.path(), "tool", lock, |folder| {
                made.fetch_add(1, Ordering::SeqCst);
                fs::write(folder.join("part"), lock).map_err(|error| Missing::new("part", error))
            })
        };
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| make("first").expect("it installs"));
            }
        });
        assert_eq!(made.load(Ordering::SeqCst), 1);

        let folder = make("second").expect("it installs again for another lock file");
        assert_eq!(made.load(Ordering::SeqCst), 2);
        assert_eq!(fs::read_to_string(folder.join("part")).unwrap(), "second");
    }

    #[test]
    fn a_failed_installation_is_tried_again() {
        let parent = tempfile::tempdir().unwrap();
        assert!(install_in(parent.path(), "tool", "lock", |_| Err(Missing::new("tool", "offline"))).is_err());
        let mut tried = false;
        let again = install_in(parent.path(), "tool", "lock", |_| {
            tried = true;
            Ok(())
        });
        assert!(again.is_ok() && tried);
    }
}
