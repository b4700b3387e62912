//! Builds the examples and returns the paths of their binaries.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

/// How long a test waits for one step before it fails. Generous, because CI machines are slow under load.
pub(crate) const TEST_TIMEOUT: Duration = Duration::from_secs(120);

/// Returns the path of the binary of an example. The first call builds all examples.
pub(crate) fn example(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let folder = BUILT.get_or_init(|| {
        // This test binary is target/PROFILE/deps/NAME-HASH.
        let this = std::env::current_exe().expect("the path of the test binary");
        let profile = this.parent().and_then(Path::parent).expect("target/PROFILE/deps");
        // `cargo xtask windows` sets it: there is no cargo where the tests run.
        if std::env::var_os("EXAMPLES_ARE_BUILT").is_some() {
            return profile.join("examples");
        }
        let mut build = Command::new(env!("CARGO"));
        // With the features of the whole workspace, as `cargo test --workspace` builds them, so that CI compiles nothing a second time.
        build.args(["build", "--quiet", "--workspace"]);
        for name in names() {
            build.args(["--example", &name]);
        }
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo runs").success(), "the examples do not build");
        profile.join("examples")
    });
    folder.join(name).with_extension(std::env::consts::EXE_EXTENSION)
}

/// The names of the examples of this package: a file or a folder with a `main.rs`. The other folders are packages.
fn names() -> impl Iterator<Item = String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let paths = std::fs::read_dir(folder).expect("the examples").map(|entry| entry.expect("a file").path());
    let examples = paths.filter(|path| path.extension().is_some_and(|kind| kind == "rs") || path.join("main.rs").is_file());
    examples.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
}
