use std::{
    fs,
    path::Path,
    process,
    sync::atomic::{AtomicUsize, Ordering},
};

/// Makes the names of temporary copies unique within this process.
static COPIES: AtomicUsize = AtomicUsize::new(0);

/// Copies scripts of this package, from the folder `clients` or `servers`, into an environment, where they find its packages.
///
/// This is done on every run, because the scripts change more often than the lock file.
pub(crate) fn copy_scripts(from: &str, folder: &Path, extension: &str) {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join(from);
    for entry in fs::read_dir(scripts).expect("the scripts are part of this package") {
        let script = entry.expect("the scripts are readable").path();
        if script.extension().is_some_and(|found| found == extension) {
            let name = script.file_name().expect("a script has a name");
            // Other tests may be copying or starting this script, so it is replaced in one step.
            let count = COPIES.fetch_add(1, Ordering::Relaxed);
            let copy = folder.join(format!("{}.{}.{count}", name.display(), process::id()));
            fs::copy(&script, &copy).expect("the target folder is writable");
            fs::rename(&copy, folder.join(name)).expect("the target folder is writable");
        }
    }
}
