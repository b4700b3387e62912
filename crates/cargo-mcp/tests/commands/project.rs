//! A project that was created with `cargo mcp new`, in a temporary folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of this workspace.
pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// A new project in a temporary folder.
pub(crate) struct Project {
    /// The temporary folder. It is deleted when this value is dropped.
    _home: tempfile::TempDir,
    pub(crate) folder: PathBuf,
}

impl Project {
    /// Returns `None` if there is no cargo where the tests run: under Wine.
    pub(crate) fn new(name: &str) -> Option<Project> {
        Project::of_template(name, &[])
    }

    /// Creates a project with more options.
    pub(crate) fn of_template(name: &str, options: &[&str]) -> Option<Project> {
        if std::env::var_os("EXAMPLES_ARE_BUILT").is_some() {
            test_env::skip("cargo xtask windows runs no cargo under Wine");
            return None;
        }
        let home = tempfile::tempdir().unwrap();
        let framework = workspace().display().to_string();
        let made = cargo_mcp(home.path(), &[&["new", name, "--path", &framework], options].concat());
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let folder = home.path().join(name);
        // Use the dependency versions of this workspace, which are already downloaded.
        fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        Some(Project { folder, _home: home })
    }

    /// Returns an offline cargo command in the project. All tests share its target folder, because they build the same
    /// crates.
    pub(crate) fn cargo(&self) -> Command {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(&self.folder).env("CARGO_NET_OFFLINE", "true").env("CARGO_TARGET_DIR", target());
        cargo
    }

    /// Runs `cargo mcp` in the project, with the environment of [`Project::cargo`].
    pub(crate) fn mcp(&self, arguments: &[&str]) -> Output {
        let cargo = self.cargo();
        let variables = cargo.get_envs().filter_map(|(name, value)| Some((name, value?)));
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-mcp"));
        command.arg("mcp").args(arguments).current_dir(&self.folder).env("CARGO", env!("CARGO")).envs(variables);
        command.output().unwrap()
    }

    pub(crate) fn write(&self, place: &str, change: impl Fn(String) -> String) {
        let path = self.folder.join(place);
        let text = change(fs::read_to_string(&path).unwrap());
        fs::write(path, text).unwrap();
    }
}

/// Returns the target folder of the projects. It is not the target folder of this workspace, which a running cargo locks.
pub(crate) fn target() -> PathBuf {
    // target/<profile>/deps/<this test>
    std::env::current_exe().unwrap().ancestors().nth(3).unwrap().join("cargo-mcp-projects")
}

pub(crate) fn cargo_mcp(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cargo-mcp")).arg("mcp").args(arguments).current_dir(folder).output().unwrap()
}
