use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{self, Command},
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use crate::{calculator::target, missing::Missing, program::run};

/// Downloads included, on a slow line.
const LIMIT: Duration = Duration::from_secs(900);

/// Makes an environment under the target folder once for each content of its lock file, and gives its folder.
///
/// Test processes that need it at the same time wait for the one that came first.
pub(crate) fn once(name: &str, lock: &str, install: impl FnOnce(&Path) -> Result<(), Missing>) -> Result<PathBuf, Missing> {
    once_in(&target().join("interop"), name, lock, install)
}

/// Runs one step of an installation; a tool that is absent or fails leaves its user without the environment.
pub(crate) fn step(what: &str, command: Command) -> Result<(), Missing> {
    let program = command.get_program().to_owned();
    let finished = run(command, LIMIT).map_err(|error| Missing::new(what, format!("{}: {error}", program.display())))?;
    if finished.status.success() {
        return Ok(());
    }
    Err(Missing::new(what, format!("{}\n{}{}", finished.status, finished.stdout, finished.stderr)))
}

/// How many drafts of scripts there were, so that no two have one name.
static DRAFTS: AtomicUsize = AtomicUsize::new(0);

/// Brings scripts of this package into an environment, where they find its packages: those of the folder `clients` or `servers`.
///
/// Always, and not only once: they change more often than a lock file.
pub(crate) fn bring_scripts(from: &str, folder: &Path, extension: &str) {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join(from);
    for entry in fs::read_dir(scripts).expect("the scripts are part of this package") {
        let script = entry.expect("the scripts are readable").path();
        if script.extension().is_some_and(|found| found == extension) {
            let name = script.file_name().expect("a script has a name");
            // Another process may be starting this very script, so it changes as a whole or not at all. And another test of
            // this process may be bringing it too.
            let draft =
                folder.join(format!("{}.{}.{}", name.display(), process::id(), DRAFTS.fetch_add(1, Ordering::Relaxed)));
            fs::copy(&script, &draft).expect("the target folder is writable");
            fs::rename(&draft, folder.join(name)).expect("the target folder is writable");
        }
    }
}

fn once_in(
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
    // Last: a half-made environment has no stamp and is made again.
    fs::write(&stamp, lock).expect("the target folder is writable");
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use std::{
        env, fs, process,
        sync::atomic::{AtomicUsize, Ordering},
        thread,
    };

    use super::{Missing, once_in};

    #[test]
    fn an_environment_is_made_once_however_many_need_it() {
        let parent = env::temp_dir().join(format!("interop-once-{}", process::id()));
        let made = AtomicUsize::new(0);
        let make = |lock: &str| {
            once_in(&parent, "tool", lock, |folder| {
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
        fs::remove_dir_all(parent).unwrap();
    }

    #[test]
    fn an_installation_that_failed_is_tried_again() {
        let parent = env::temp_dir().join(format!("interop-again-{}", process::id()));
        assert!(once_in(&parent, "tool", "lock", |_| Err(Missing::new("tool", "offline"))).is_err());
        let mut tried = false;
        let again = once_in(&parent, "tool", "lock", |_| {
            tried = true;
            Ok(())
        });
        assert!(again.is_ok() && tried);
        fs::remove_dir_all(parent).unwrap();
    }
}
