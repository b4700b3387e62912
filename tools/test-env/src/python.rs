use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    install::{install_once, run_step},
    missing::Missing,
};

/// A Python virtual environment with pinned packages from PyPI.
#[derive(Debug)]
pub struct PythonEnvironment {
    folder: PathBuf,
}

impl PythonEnvironment {
    /// Installs what `requirements` pins by hash into the environment `name`, or finds it installed.
    ///
    /// # Errors
    ///
    /// If there is no Python with the module `venv`, or the packages cannot be installed.
    ///
    /// # Panics
    ///
    /// If `requirements` cannot be read.
    pub fn install(name: &str, requirements: &Path) -> Result<Self, Missing> {
        let lock = fs::read_to_string(requirements).expect("the lock file is committed");
        install_once(name, &lock, |folder| {
            let mut venv = Command::new(if cfg!(windows) { "python" } else { "python3" });
            venv.args(["-m", "venv"]).arg(folder);
            run_step("Python environment", venv)?;
            let mut pip = pip(folder);
            pip.arg("-r").arg(requirements);
            run_step("Python packages", pip)
        })
        .map(|folder| Self { folder })
    }

    /// The folder of the environment.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The interpreter, which finds the packages of the environment.
    #[must_use]
    pub fn interpreter(&self) -> PathBuf {
        interpreter(&self.folder)
    }

    /// `pip install` of packages that are pinned by hash. The caller adds which.
    #[must_use]
    pub fn pip(&self) -> Command {
        pip(&self.folder)
    }
}

fn interpreter(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

fn pip(folder: &Path) -> Command {
    let mut pip = Command::new(interpreter(folder));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]);
    pip
}
