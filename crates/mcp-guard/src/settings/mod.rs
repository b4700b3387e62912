//! Reading of rules from settings files.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use mcp_agent_tools::PermissionMode;
use serde::Deserialize;
use serde_json::Value;

mod error;
mod restrictions;
mod trust;

pub use error::SettingsError;
pub(crate) use restrictions::Restrictions;
use restrictions::is_on;

use crate::rules::{Behavior, Layer, Rules};

/// The size of the largest settings file in bytes.
const LARGEST: u64 = 1 << 20;

/// Returns the folder of an administrator's settings: `managed-settings.json`, and further files in `managed-settings.d`.
/// `os` is a name of `std::env::consts::OS`.
fn managed_folder(os: &str) -> &'static Path {
    Path::new(match os {
        "macos" => "/Library/Application Support/ClaudeCode",
        "windows" => r"C:\Program Files\ClaudeCode",
        _ => "/etc/claude-code",
    })
}

/// The `permissions` object of settings.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Permissions {
    allow: Vec<String>,
    ask: Vec<String>,
    deny: Vec<String>,
    default_mode: Option<PermissionMode>,
    disable_bypass_permissions_mode: Option<Value>,
    disable_auto_mode: Option<Value>,
    deny_instead_of_prompting: Option<Value>,
    block_reads_outside_working_directories: Option<Value>,
    block_writes_outside_working_directories: Option<Value>,
    additional_directories: Vec<PathBuf>,
}

impl Rules {
    /// Adds the rules of parsed settings: `{"permissions": {"allow": [..], "ask": [..], "deny": [..]}}`.
    ///
    /// `defaultMode` becomes the mode, unless a layer with a higher precedence has set one, in whichever order the settings
    /// are added: those of [`Layer::Policy`] have the highest precedence, then [`Layer::Session`], [`Layer::Local`],
    /// [`Layer::Project`] and [`Layer::User`]. `additionalDirectories` become directories that tools may work in. The files of
    /// [`Layer::Project`] and [`Layer::Local`] may come with a cloned repository: from them only deny rules, ask rules,
    /// restricting settings and modes that allow nothing more than the default one (`default`, `plan`, `dontAsk`) are
    /// taken. If such a file chooses another mode, it does not get it, and the mode of a lower layer counts only if it is the
    /// same, or allows nothing more than the default one. [`trusted_settings`](Self::trusted_settings) takes allow rules and directories too.
    ///
    /// # Errors
    /// Returns an error if a permission setting has the wrong type or a rule is invalid.
    pub fn settings(self, layer: Layer, settings: &Value) -> Result<Self, SettingsError> {
        let is_trusted = !matches!(layer, Layer::Project | Layer::Local);
        self.with_settings(layer, settings, is_trusted)
    }

    /// Like [`settings`](Self::settings), for a project that the user trusts: allow rules and `additionalDirectories` of
    /// [`Layer::Project`] and [`Layer::Local`] are taken too. A mode that allows more than the default one is still not.
    ///
    /// # Errors
    /// Returns an error if a permission setting has the wrong type or a rule is invalid.
    pub fn trusted_settings(self, layer: Layer, settings: &Value) -> Result<Self, SettingsError> {
        self.with_settings(layer, settings, true)
    }

    fn with_settings(mut self, layer: Layer, settings: &Value, is_trusted: bool) -> Result<Self, SettingsError> {
        if layer == Layer::Policy {
            self.restrictions.managed_rules_only |= is_on(settings.get("allowManagedPermissionRulesOnly"));
        }
        let Some(permissions) = settings.get("permissions").filter(|permissions| !permissions.is_null()) else {
            return Ok(self);
        };
        let permissions = Permissions::deserialize(permissions)?;
        let lists =
            [(Behavior::Allow, &permissions.allow), (Behavior::Ask, &permissions.ask), (Behavior::Deny, &permissions.deny)];
        for (behavior, rules) in lists {
            for rule in rules {
                let rule = rule.parse()?;
                if is_trusted || behavior != Behavior::Allow {
                    self.add(layer, behavior, rule);
                }
            }
        }
        self.restrictions.add(layer, &permissions);
        if let Some(mode) = permissions.default_mode.map(without_alias) {
            self.modes.add_settings(layer, mode);
        }
        if !is_trusted {
            return Ok(self);
        }
        self.directories.extend(permissions.additional_directories.into_iter().map(|directory| (layer, directory)));
        Ok(self)
    }

    /// Adds the rules of a settings file. A missing file is not an error.
    ///
    /// # Errors
    /// Returns an error if the file exists but cannot be read or is invalid.
    pub fn settings_file(self, layer: Layer, path: impl AsRef<Path>) -> Result<Self, SettingsError> {
        match read(path.as_ref())? {
            Some(settings) => self.settings(layer, &settings),
            None => Ok(self),
        }
    }

    /// Reads the settings of the project, of the user whose home is `home` and of the administrator, from the files of the
    /// CLI.
    ///
    /// The project's files are those in `directory` and those in the root of its git repository. Their allow rules and
    /// directories count only if the user has trusted the project (the answer that the CLI keeps in `~/.claude.json`),
    /// also those of `settings.local.json`, because a repository can contain this file. Of `settings.json` in the root of the
    /// repository only restrictions count. The administrator's mode replaces that of the local settings, which replaces that of
    /// the project's settings, which replaces the user's, within what [`settings`](Self::settings) takes from each layer.
    ///
    /// # Errors
    /// Returns an error if one of the files exists but cannot be read or is invalid.
    pub fn load(directory: impl Into<PathBuf>, home: impl Into<PathBuf>) -> Result<Self, SettingsError> {
        let (working, home) = (directory.into(), home.into());
        let user = home.join(".claude/settings.json");
        let root = git_root(&working).filter(|root| *root != working);
        let projects: Vec<PathBuf> = root.into_iter().chain([working.clone()]).collect();
        let mut rules = Self::new(&working)
            .home(&home)
            .managed(managed_folder(std::env::consts::OS))?
            .settings_file(Layer::User, user)?;
        for project in &projects {
            if let Some(settings) = read(&project.join(".claude/settings.json"))? {
                // The CLI does not read this file in the root of a repository, so there it may only restrict.
                let is_trusted = *project == working && trust::is_trusted(project, &home);
                rules = rules.with_settings(Layer::Project, &settings, is_trusted)?;
            }
        }
        for project in &projects {
            if let Some(settings) = read(&project.join(".claude/settings.local.json"))? {
                rules = rules.with_settings(Layer::Local, &settings, trust::is_trusted(project, &home))?;
            }
        }
        Ok(rules)
    }

    /// Adds the administrator's settings from this folder: `managed-settings.json`, then the `.json` files of
    /// `managed-settings.d` in the order of their names.
    ///
    /// # Errors
    /// Returns an error if one of the files exists but cannot be read or is invalid.
    pub fn managed(self, folder: &Path) -> Result<Self, SettingsError> {
        let mut rules = self.settings_file(Layer::Policy, folder.join("managed-settings.json"))?;
        let parts = folder.join("managed-settings.d");
        let entries = match std::fs::read_dir(&parts) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(rules),
            Err(source) => return Err(SettingsError::Io { path: parts, source }),
        };
        let mut files = Vec::new();
        for entry in entries {
            files.push(entry.map_err(|source| SettingsError::Io { path: parts.clone(), source })?.path());
        }
        files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        files.sort_unstable();
        for file in files {
            rules = rules.settings_file(Layer::Policy, file)?;
        }
        Ok(rules)
    }
}

/// Replaces `manual`, which the CLI accepts as another name of the default mode.
fn without_alias(mode: PermissionMode) -> PermissionMode {
    if mode.as_str() == "manual" { PermissionMode::Default } else { mode }
}

/// Reads a settings file. Returns `None` if it does not exist.
fn read(path: &Path) -> Result<Option<Value>, SettingsError> {
    match read_text(path) {
        Ok(text) => Ok(Some(serde_json::from_str(text.trim_start_matches('\u{feff}'))?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(SettingsError::Io { path: path.to_owned(), source }),
    }
}

/// Reads a text file of limited size. The file of a repository may be a link to a device that never ends or blocks.
fn read_text(path: &Path) -> io::Result<String> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut text = String::new();
    File::open(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST {
        return Err(io::Error::other("it is larger than 1 MiB"));
    }
    Ok(text)
}

/// Returns the nearest directory, at or above this one, that contains `.git`.
fn git_root(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().find(|at| at.join(".git").exists()).map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn managed_settings_have_a_folder_on_every_platform() {
        assert_eq!(managed_folder("linux"), Path::new("/etc/claude-code"));
        assert_eq!(managed_folder("macos"), Path::new("/Library/Application Support/ClaudeCode"));
        assert_eq!(managed_folder("windows"), Path::new(r"C:\Program Files\ClaudeCode"));
    }
}
