//! A real Chromium, driven by a pinned playwright-core.
//!
//! Uses the installed Chromium, or downloads the package of the Debian distribution and unpacks it under `target/`. Its
//! version is not pinned.

use std::env;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use test_env::{Missing, needs};

const PLAYWRIGHT: &str = "1.65.0";
const FILES: [(&str, &str); 3] = [
    ("package.json", include_str!("chromium/package.json")),
    ("package-lock.json", include_str!("chromium/package-lock.json")),
    ("drive.mjs", include_str!("chromium/drive.mjs")),
];

/// A Chromium binary and the folder of the script that drives it.
pub(crate) struct Browser {
    chromium: PathBuf,
    libraries: Option<String>,
    driver: PathBuf,
}

impl Browser {
    /// Returns `None` if no browser is found and none can be downloaded. The check was then reported as skipped.
    pub(crate) fn or_skip() -> Option<Browser> {
        needs(Browser::installed().map_err(|error| Missing::new("browser", error)))
    }

    /// Runs steps in a page. Returns what the steps `see` have seen. Each step is an object with one key:
    ///
    /// - `goto`, `reload`, `window` (another window, by name), `size`, `scheme` (`light` or `dark`)
    /// - `fill` (selector and text), `select` (selector and option), `click` and `focus` (selector), `press` (key)
    /// - `wait` (until an expression is true), `see` (the value of an expression), `shot` (a screenshot)
    /// - `fetch` (an URL, from outside of the page)
    ///
    /// Errors of scripts and violations of the content security policy fail the test.
    pub(crate) fn drive(&self, steps: &[Value]) -> Vec<Value> {
        let mut command = Command::new("node");
        command.arg(self.driver.join("drive.mjs")).arg(&self.chromium);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(libraries) = &self.libraries {
            command.env("LD_LIBRARY_PATH", libraries);
        }
        let mut driver = command.spawn().expect("node runs");
        let mut stdin = driver.stdin.take().expect("piped");
        stdin.write_all(Value::from(steps).to_string().as_bytes()).expect("node reads");
        drop(stdin);
        let output = driver.wait_with_output().expect("node ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        // The version is not pinned: it is that of the distribution.
        eprintln!("tested with Chromium {}", report["browser"].as_str().expect("a version"));
        assert_eq!(report["problems"], Value::Array(Vec::new()));
        serde_json::from_value(report["seen"].take()).expect("a list")
    }

    /// Returns a command that runs a script with playwright. Its first argument is the path of Chromium.
    #[allow(dead_code, reason = "the tests of cargo-mcp use it")]
    pub(crate) fn script(&self, name: &str, source: &str) -> Command {
        let path = self.driver.join(name);
        fs::write(&path, source).expect("the script can be written");
        let mut command = Command::new("node");
        command.arg(path).arg(&self.chromium).stdin(Stdio::null());
        if let Some(libraries) = &self.libraries {
            command.env("LD_LIBRARY_PATH", libraries);
        }
        command
    }

    fn installed() -> io::Result<Browser> {
        let tools = tools()?;
        fs::create_dir_all(&tools)?;
        // Several test processes may start at once: the first one installs, the others wait for the lock.
        let lock = File::create(tools.join("browser.lock"))?;
        lock.lock()?;
        let driver = tools.join(format!("playwright-core-{PLAYWRIGHT}"));
        fs::create_dir_all(&driver)?;
        for (name, content) in FILES {
            fs::write(driver.join(name), content)?;
        }
        if !driver.join("node_modules/playwright-core/package.json").is_file() {
            run(Command::new("npm").args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&driver))?;
        }
        let (chromium, libraries) = chromium(&tools)?;
        Ok(Browser { chromium, libraries, driver })
    }
}

/// Returns the path of a Chromium binary, and the library folders it needs if it was unpacked here.
fn chromium(tools: &Path) -> io::Result<(PathBuf, Option<String>)> {
    for name in ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] {
        if Path::new(name).is_file() {
            return Ok((name.into(), None));
        }
    }
    let root = tools.join("chromium");
    let program = root.join("usr/lib/chromium/chromium-headless-shell");
    if !program.is_file() {
        let packages = tools.join("chromium-packages");
        fs::create_dir_all(packages.join("partial"))?;
        // `--download-only` installs nothing on this machine, but apt-get needs root even to download.
        let archives = format!("Dir::Cache::archives={}", packages.display());
        let arguments = ["install", "--yes", "--no-install-recommends", "--download-only", "-o", &archives];
        let fetch = || run(Command::new("apt-get").args(arguments).arg("chromium-headless-shell"));
        // Retry after `apt-get update`: the package list may be outdated or absent.
        let fetched = fetch().or_else(|_| run(Command::new("apt-get").args(["update", "--quiet"])).and_then(|()| fetch()));
        fetched.map_err(|error| {
            io::Error::other(format!(
                "chromium is not installed, and apt-get (which needs root and a network) cannot download it: {error}"
            ))
        })?;
        let partial = tools.join("chromium.partial");
        for entry in fs::read_dir(&packages)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "deb") {
                run(Command::new("dpkg").arg("-x").arg(path).arg(&partial))?;
            }
        }
        fs::rename(partial, &root)?;
        fs::remove_dir_all(packages)?;
    }
    let machine = env::consts::ARCH.to_owned() + "-linux-gnu";
    let library = root.join("usr/lib");
    let folders = [library.join(&machine), library.join(&machine).join("pulseaudio"), library.join("chromium")];
    Ok((program, Some(folders.map(|folder| folder.display().to_string()).join(":"))))
}

fn run(command: &mut Command) -> io::Result<()> {
    let output = command.stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim())))
}

/// Returns `target/tools` of the target folder that contains this test binary.
fn tools() -> io::Result<PathBuf> {
    let program = env::current_exe()?;
    let target = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    target
        .map(|target| target.join("tools"))
        .ok_or_else(|| io::Error::other("the test binary is not inside a cargo target folder"))
}
