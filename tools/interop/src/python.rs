use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    install::{bring_scripts, once, step},
    missing::Missing,
    sandbox::Sandbox,
};

/// A pinned Python environment with the clients that are Python, the official SDK and FastMCP, and a server with the former.
#[derive(Debug)]
pub struct Python {
    folder: PathBuf,
}

impl Python {
    /// Installs the clients, or finds them installed.
    ///
    /// # Errors
    ///
    /// If there is no Python that can make virtual environments, or it cannot install the packages.
    pub fn clients() -> Result<Self, Missing> {
        let requirements = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/requirements.txt");
        let lock = fs::read_to_string(&requirements).expect("the lock file is committed");
        let folder = once("python", &lock, |folder| {
            let mut venv = Command::new("python3");
            venv.args(["-m", "venv"]).arg(folder);
            step("Python environment", venv)?;
            let mut pip = Command::new(folder.join("bin/python"));
            pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r"])
                .arg(&requirements);
            step("Python packages", pip)
        })?;
        bring_scripts("clients", &folder, "py");
        bring_scripts("servers", &folder, "py");
        Ok(Self { folder })
    }

    /// A run of one of this package's scripts.
    #[must_use]
    pub fn script(&self, name: &str, sandbox: &Sandbox) -> Command {
        let mut command = sandbox.command(&self.folder.join("bin/python"));
        command.arg(self.folder.join(name));
        command
    }
}
