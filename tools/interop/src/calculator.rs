use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
    time::Duration,
};

use serde_json::Value;
use test_env::{run, workspace};

/// The server under test: the `calculator` example of this workspace, built on first use.
///
/// The environment variable `INTEROP_CALCULATOR` can name another binary with the same tools, for example an optimised one.
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
    // `cargo xtask windows` sets it: there is no cargo where the tests run.
    if env::var_os("EXAMPLES_ARE_BUILT").is_some() {
        // target/PROFILE/deps/THIS_TEST
        let this = env::current_exe().expect("the path of the test binary");
        let profile = this.ancestors().nth(2).expect("target/PROFILE");
        return profile.join("examples").join(name).with_extension(env::consts::EXE_EXTENSION);
    }
    // Cargo holds no lock while tests run, so this does not block on the outer `cargo test`. With the features of the whole workspace,
    // as `cargo test --workspace` builds it, CI compiles nothing a second time.
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--workspace", "--example", name, "--message-format=json"]).current_dir(workspace());
    let built = run(cargo, Duration::from_secs(900)).expect("cargo runs");
    assert!(built.status.success(), "the example `{name}` does not build:\n{}{}", built.stdout, built.stderr);
    built
        .stdout
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .filter(|message| message["package_id"].as_str().is_some_and(|id| id.contains(package)))
        .find_map(|message| Some(PathBuf::from(message["executable"].as_str()?)))
        .expect("cargo names the executable that it built")
}
