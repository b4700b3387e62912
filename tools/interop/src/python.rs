use std::{path::Path, process::Command};

use test_env::{Missing, PythonEnvironment};

use crate::{sandbox::Sandbox, scripts::copy_scripts};

/// A Python environment with pinned packages: the clients of the official SDK and FastMCP, and a server of the official SDK.
#[derive(Debug)]
pub struct Python {
    environment: PythonEnvironment,
}

impl Python {
    /// Installs the clients, or finds them installed.
    ///
    /// # Errors
    ///
    /// If there is no Python with the module `venv`, or the packages cannot be installed.
    pub fn clients() -> Result<Self, Missing> {
        let requirements = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/requirements.txt");
        let environment = PythonEnvironment::install("python-clients", &requirements)?;
        copy_scripts("clients", environment.folder(), "py");
        copy_scripts("servers", environment.folder(), "py");
        Ok(Self { environment })
    }

    /// `pip install` of packages that are pinned by hash. The caller adds which.
    pub(crate) fn pip(&self) -> Command {
        self.environment.pip()
    }

    /// The command that runs a script of the folder `clients`.
    #[must_use]
    pub fn script(&self, name: &str, sandbox: &Sandbox) -> Command {
        let mut command = sandbox.command(&self.environment.interpreter());
        command.arg(self.environment.folder().join(name));
        command
    }
}
