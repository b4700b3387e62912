//! The folders of the benchmark, and how its programs are built.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The folders of this workspace.
#[derive(Clone, Debug)]
pub(crate) struct Folders {
    pub(crate) root: PathBuf,
    target: PathBuf,
    /// Build without optimisations, to try the benchmark itself.
    pub(crate) dev: bool,
}

impl Folders {
    pub(crate) fn new(dev: bool) -> Folders {
        let root =
            Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("this package is in a workspace").to_owned();
        let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |target| root.join(target));
        Folders { root, target, dev }
    }

    /// The folder for everything that this package generates.
    pub(crate) fn folder(&self) -> PathBuf {
        self.target.join("benches")
    }

    /// The folder with the sources of the peers.
    pub(crate) fn peers(&self) -> PathBuf {
        self.root.join("tools/benches/peers")
    }

    /// Builds all servers and programs of this workspace, and returns the folder of the profile.
    ///
    /// Always all of them, because cargo would rebuild shared crates for another selection.
    pub(crate) fn build(&self) -> Result<PathBuf> {
        let mut cargo = cargo("build");
        cargo.current_dir(&self.root).args(["--quiet", "--locked"]);
        // With the features of the whole workspace, the crates that its tests have built are not built again.
        cargo.args(if self.dev { vec!["--workspace"] } else { vec!["--release", "--package", "benches"] });
        for program in ["floor", "hand_client", "measuring_cli", "benches"] {
            cargo.args(["--bin", program]);
        }
        for program in ["inproc", "bench", "bench_client", "agent_host", "agent_offline", "growth"] {
            cargo.args(["--example", program]);
        }
        finish(cargo)?;
        Ok(self.target.join(if self.dev { "debug" } else { "release" }))
    }

    /// The release profile of `cargo mcp new`, as a file for the option `--config` of cargo.
    pub(crate) fn new_profile(&self) -> Result<String> {
        let template = self.root.join("crates/cargo-mcp/template/Cargo.toml.in");
        let text = fs::read_to_string(&template).with_context(|| template.display().to_string())?;
        let start = text.find("[profile.release]").context("the template has a release profile")?;
        let end = text.find("[profile.dev]").context("the dev profile is after it")?;
        let file = self.folder().join("new-profile.toml");
        fs::create_dir_all(self.folder())?;
        fs::write(&file, &text[start..end]).context("the target folder is writable")?;
        Ok(file.display().to_string())
    }

    /// Creates a package under the target folder that depends on this project, with the lock file of this workspace.
    pub(crate) fn package_with_ours(&self, name: &str, more: &str) -> Result<PathBuf> {
        let path = |name: &str| format!("{name} = {{ path = {:?} }}\n", self.root.join(name));
        let folder = self.package(name, &(path("mcp-core") + &path("mcp-stdio") + more))?;
        fs::copy(self.root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(folder)
    }

    /// Creates a package under the target folder.
    pub(crate) fn package(&self, name: &str, dependencies: &str) -> Result<PathBuf> {
        let folder = self.folder().join("packages").join(name);
        for sources in ["src", "examples"] {
            fs::create_dir_all(folder.join(sources))?;
        }
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[workspace]\n\n[dependencies]\n{dependencies}"
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        Ok(folder)
    }

    /// Builds a peer in its own target folder, and returns the folder of the release profile.
    pub(crate) fn build_peer(&self, name: &str, folder: &str, what: &[&str]) -> Result<PathBuf> {
        self.build_alone(&self.peers().join(name), folder, what)
    }

    /// Builds another workspace in its own target folder, and returns the folder of the release profile.
    pub(crate) fn build_alone(&self, workspace: &Path, folder: &str, what: &[&str]) -> Result<PathBuf> {
        let target = self.folder().join("peers").join(folder);
        let mut cargo = cargo("build");
        cargo.args(["--quiet", "--locked", "--release", "--manifest-path"]);
        cargo.arg(workspace.join("Cargo.toml")).arg("--target-dir").arg(&target).args(what);
        finish(cargo)?;
        Ok(target.join("release"))
    }
}

/// A run of cargo with low priority.
pub(crate) fn cargo(subcommand: &str) -> Command {
    let mut command = Command::new("nice");
    command.args(["-n", "19"]).arg(env::var_os("CARGO").unwrap_or_else(|| "cargo".into())).arg(subcommand);
    // Set by the cargo that started this program. The new run must not inherit them.
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST") || name == "RUSTFLAGS" {
            command.env_remove(name);
        }
    }
    command
}

/// Runs a command to its end. If it fails, its stderr is part of the error.
pub(crate) fn finish(mut command: Command) -> Result<String> {
    let name = name(&command);
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("{name} does not start"))?;
    if !output.status.success() {
        bail!("{name}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr).trim_end());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A command as one would type it.
fn name(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}
