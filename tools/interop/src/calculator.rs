use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
    time::Duration,
};

use serde_json::Value;

use crate::program::run;

/// The server under test: the `calculator` example of this workspace, built on first use.
///
/// The environment variable `INTEROP_CALCULATOR` names another binary with the same tools, for instance an optimised one.
///
/// # Panics
///
/// If the example does not build.
#[must_use]
pub fn calculator() -> &'static Path {
    static CALCULATOR: OnceLock<PathBuf> = OnceLock::new();
    CALCULATOR.get_or_init(|| match env::var_os("INTEROP_CALCULATOR") {
        Some(path) => path.into(),
        None => example("calculator"),
    })
}

/// The root of this workspace.
pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("this package is a folder of the workspace")
}

/// Where cargo puts what it builds, and this package what it installs.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), |folder| workspace().join(folder))
}

/// Builds an example of the root package.
pub(crate) fn example(name: &str) -> PathBuf {
    example_of("mcp-workspace", name)
}

/// Builds an example of a package of this workspace, and returns its path.
///
/// # Panics
///
/// If the example does not build.
#[must_use]
pub fn example_of(package: &str, name: &str) -> PathBuf {
    // No lock of cargo's is held while tests run, so this cannot wait for its own parent.
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["build", "--quiet", "--package", package, "--example", name, "--message-format=json"])
        .current_dir(workspace());
    let built = run(cargo, Duration::from_secs(900)).expect("cargo runs");
    assert!(built.status.success(), "the example `{name}` does not build:\n{}{}", built.stdout, built.stderr);
    built
        .stdout
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| Some(PathBuf::from(message["executable"].as_str()?)))
        .expect("cargo names the executable that it built")
}
