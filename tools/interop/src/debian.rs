use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use test_env::{Missing, install_once, run_step};

/// The two services, and the libraries that a small system does not have.
const PACKAGES: &[&str] =
    &["nginx", "redis-server", "redis-tools", "libjemalloc2", "liblua5.1-0", "lua-cjson", "lua-bitop", "liblzf1"];

/// nginx and Redis from the packages of Debian, for tests with several instances of a server.
///
/// The packages are unpacked under the target folder. Nothing is installed on the system.
#[derive(Debug)]
pub struct Debian {
    root: PathBuf,
}

impl Debian {
    /// Downloads and unpacks the packages.
    ///
    /// # Errors
    ///
    /// If this is not a Debian system, or its packages cannot be downloaded.
    pub fn services() -> Result<Self, Missing> {
        let folder = install_once("debian-services", &PACKAGES.join("\n"), |folder| {
            // The list of packages may be outdated or absent. Only root can update it.
            download(folder).or_else(|_| {
                let mut update = Command::new("apt-get");
                update.args(["update", "--quiet"]);
                run_step("Debian packages", update)?;
                download(folder)
            })?;
            for entry in fs::read_dir(folder).expect("the target folder is readable") {
                let package = entry.expect("the target folder is readable").path();
                if package.extension().is_some_and(|extension| extension == "deb") {
                    let mut unpack = Command::new("dpkg");
                    unpack.arg("--extract").arg(&package).arg(folder.join("root"));
                    run_step("Debian packages", unpack)?;
                }
            }
            Ok(())
        })?;
        Ok(Self { root: folder.join("root") })
    }

    /// The web server. It does not inherit the environment of this process.
    #[must_use]
    pub fn nginx(&self) -> Command {
        self.program("usr/sbin/nginx")
    }

    /// The Redis server. It does not inherit the environment of this process.
    #[must_use]
    pub fn redis_server(&self) -> Command {
        self.program("usr/bin/redis-server")
    }

    fn program(&self, path: &str) -> Command {
        let libraries = ["x86_64", "aarch64"].map(|machine| self.root.join(format!("usr/lib/{machine}-linux-gnu")));
        let libraries = std::env::join_paths(libraries).expect("the target folder has no colon in its name");
        let mut command = Command::new(self.root.join(path));
        command.env_clear().env("LD_LIBRARY_PATH", libraries);
        command
    }
}

fn download(folder: &Path) -> Result<(), Missing> {
    let mut fetch = Command::new("apt-get");
    fetch.args(["download", "--quiet"]).args(PACKAGES).current_dir(folder);
    run_step("Debian packages", fetch)
}
