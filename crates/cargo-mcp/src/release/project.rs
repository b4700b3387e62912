//! Reads the project: the output of `cargo metadata`, with `[package.metadata.mcp]`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;
use serde_json::Value;

use crate::Failure;

/// The package in the current folder.
#[derive(Debug)]
pub(super) struct Project {
    pub(super) package: Package,
    pub(super) config: Config,
    /// The name of the program.
    pub(super) program: String,
    /// The folder with `Cargo.toml`.
    pub(super) folder: PathBuf,
    pub(super) target_folder: PathBuf,
}

/// The parts of a package that a release needs.
#[derive(Debug, Deserialize)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) description: Option<String>,
    pub(super) repository: Option<String>,
    pub(super) homepage: Option<String>,
    pub(super) license: Option<String>,
    pub(super) authors: Vec<String>,
    /// Registries that it may be published to. `Some(vec![])` means none.
    pub(super) publish: Option<Vec<String>>,
    manifest_path: PathBuf,
    targets: Vec<Target>,
    default_run: Option<String>,
    pub(super) dependencies: Vec<Dependency>,
    metadata: Option<Metadata>,
}

#[derive(Debug, Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Dependency {
    pub(super) name: String,
    /// `git+URL` for a git repository, absent for a folder.
    pub(super) source: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Metadata {
    mcp: Option<Value>,
}

/// The table `[package.metadata.mcp]` of `Cargo.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Config {
    /// The name in the registry, such as `io.github.you/my-server`.
    pub(super) name: Option<String>,
    /// The title that people see.
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    /// Where bundles can be downloaded, with `{version}` and `{file}`. Default: the release on GitHub.
    pub(super) download: Option<String>,
    /// Whether the crate is on crates.io too. Default: if its manifest allows it.
    #[serde(rename = "crates-io")]
    pub(super) crates_io: Option<bool>,
    /// The targets of the workflow.
    #[serde(default)]
    pub(super) targets: Vec<String>,
    /// The environment variables of the server.
    #[serde(default)]
    pub(super) env: BTreeMap<String, Variable>,
    /// Addresses at which the server runs.
    #[serde(default)]
    pub(super) remotes: Vec<Remote>,
}

/// An environment variable that the server reads.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Variable {
    pub(super) description: String,
    #[serde(default)]
    pub(super) required: bool,
    #[serde(default)]
    pub(super) secret: bool,
    pub(super) default: Option<String>,
}

/// A server that runs somewhere.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Remote {
    pub(super) url: String,
    /// The transport: `streamable-http` or `sse`.
    #[serde(rename = "type", default = "streamable_http")]
    pub(super) kind: String,
}

fn streamable_http() -> String {
    "streamable-http".to_owned()
}

#[derive(Deserialize)]
struct Workspace {
    packages: Vec<Package>,
    target_directory: PathBuf,
}

impl Project {
    pub(super) fn read() -> Result<Project, Failure> {
        let mut cargo = Command::new(crate::cargo());
        let output = cargo.args(["metadata", "--no-deps", "--format-version=1"]).output();
        let output = output.map_err(|error| Failure::new(format!("cannot run cargo: {error}")))?;
        if !output.status.success() {
            return Err(Failure::new(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
        }
        let workspace: Workspace = serde_json::from_slice(&output.stdout)
            .map_err(|error| Failure::new(format!("the output of cargo metadata cannot be read: {error}")))?;
        let here = std::env::current_dir().and_then(std::fs::canonicalize).unwrap_or_default();
        let is_here = |package: &Package| package.manifest_path.parent().is_some_and(|folder| here.starts_with(folder));
        let package =
            workspace.packages.into_iter().filter(is_here).max_by_key(|package| package.manifest_path.components().count());
        let package = package.ok_or_else(|| {
            Failure::new("there is no package in this folder: run it where the Cargo.toml of the server is")
        })?;
        Project::of(package, workspace.target_directory)
    }

    fn of(mut package: Package, target_folder: PathBuf) -> Result<Project, Failure> {
        let config = package.metadata.take().and_then(|metadata| metadata.mcp);
        let config = config.map(serde_json::from_value).transpose();
        let config = config.map_err(|error| Failure::new(format!("[package.metadata.mcp] in Cargo.toml: {error}")))?;
        let programs: Vec<&Target> =
            package.targets.iter().filter(|target| target.kind.iter().any(|kind| kind == "bin")).collect();
        let program = match (&package.default_run, &programs[..]) {
            (Some(name), _) => name.clone(),
            (None, [one]) => one.name.clone(),
            (None, []) => return Err(Failure::new(format!("the package {} has no program", package.name))),
            (None, _) => {
                return Err(Failure::new(format!(
                    "the package {} has several programs: set `default-run` in Cargo.toml",
                    package.name
                )));
            }
        };
        let folder = package.manifest_path.parent().map(PathBuf::from).unwrap_or_default();
        Ok(Project { config: config.unwrap_or_default(), program, folder, target_folder, package })
    }

    /// Returns the repository without a slash at its end.
    pub(super) fn repository(&self) -> Option<&str> {
        self.package.repository.as_deref().map(|url| url.trim_end_matches('/').trim_end_matches(".git"))
    }

    /// Returns the name in the registry. By default it is that of the repository on GitHub.
    pub(super) fn registry_name(&self) -> Option<String> {
        self.config.name.clone().or_else(|| {
            let owner = self.repository()?.strip_prefix("https://github.com/")?.split('/').next()?;
            Some(format!("io.github.{owner}/{}", self.package.name))
        })
    }

    /// Returns the address of a file of this release.
    pub(super) fn download(&self, file: &str) -> Option<String> {
        let template = match &self.config.download {
            Some(template) => template.clone(),
            None => format!("{}/releases/download/v{{version}}/{{file}}", self.repository()?),
        };
        Some(template.replace("{version}", &self.package.version).replace("{file}", file))
    }

    /// Returns the first author without an address.
    pub(super) fn author(&self) -> &str {
        let first = self.package.authors.first().and_then(|author| author.split('<').next()).map(str::trim);
        self.config.author.as_deref().or(first).unwrap_or(&self.package.name)
    }

    /// Returns whether `cargo install` can install the project.
    pub(super) fn is_on_crates_io(&self) -> bool {
        let may_be =
            self.package.publish.as_ref().is_none_or(|registries| registries.iter().any(|name| name == "crates-io"));
        self.config.crates_io.unwrap_or(may_be)
    }
}
