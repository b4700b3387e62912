use std::{
    env,
    path::{Path, PathBuf},
};

/// The root of this workspace.
///
/// # Panics
///
/// Never: this package is in the folder `tools` of the workspace.
#[must_use]
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("this package is a folder of the workspace")
}

/// The folder in which cargo puts what it builds. The tests install their packages there too.
#[must_use]
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), |folder| workspace().join(folder))
}
