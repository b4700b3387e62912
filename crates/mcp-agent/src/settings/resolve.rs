//! The settings in effect, read from the files of this machine as the CLI reads them, without starting it.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::merge::merge_objects;
use crate::options::SettingSource;
use crate::sys;
use crate::wire::words;

words! {
    /// The name of a layer of settings, from the lowest to the highest.
    pub enum LayerName {
        /// The settings of the user, for all projects.
        User = "user",
        /// The shared settings of the project.
        Project = "project",
        /// The local settings of the project, which are not shared.
        Local = "local",
        /// The settings of the agent: [`Agent::settings`](crate::Agent::settings).
        Flag = "flag",
        /// The settings of the administrator.
        Managed = "managed",
    }
}

/// Which settings [`resolve`] reads.
#[derive(Debug, Clone)]
pub struct ResolveSettings {
    directory: PathBuf,
    home: Option<PathBuf>,
    sources: Vec<SettingSource>,
    flag: Map<String, Value>,
    managed_folder: PathBuf,
    server_managed: Option<Map<String, Value>>,
    managed: Map<String, Value>,
}

/// The settings in effect, and where each comes from.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ResolvedSettings {
    /// The settings of all layers, merged.
    pub effective: Map<String, Value>,
    /// The highest layer that sets each key.
    pub provenance: BTreeMap<String, Provenance>,
    /// The layers that set anything, from the lowest to the highest.
    pub layers: Vec<Layer>,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Provenance {
    /// The name of the layer.
    pub layer: LayerName,
    /// The file, if the layer is one file.
    pub path: Option<PathBuf>,
}

/// A layer of settings.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Layer {
    /// The name of the layer.
    pub name: LayerName,
    /// The settings that the layer sets.
    pub settings: Map<String, Value>,
    /// The path of the file of the layer, if the layer is one file.
    pub path: Option<PathBuf>,
}

/// A settings file that could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub struct ResolveError {
    /// The path of the file.
    pub path: PathBuf,
    /// Why the file could not be read.
    pub source: io::Error,
}

impl ResolveSettings {
    /// Reads all settings for sessions in this directory.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            home: None,
            sources: vec![SettingSource::User, SettingSource::Project, SettingSource::Local],
            flag: Map::new(),
            managed_folder: sys::MANAGED_SETTINGS.into(),
            server_managed: None,
            managed: Map::new(),
        }
    }

    /// Sets the home folder of the user, whose settings are in `.claude` in it. The default is that of this process, or the
    /// folder in `CLAUDE_CONFIG_DIR`.
    #[must_use]
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// Sets which files are read. Those of the administrator always are.
    #[must_use]
    pub fn setting_sources(mut self, sources: impl IntoIterator<Item = SettingSource>) -> Self {
        self.sources = sources.into_iter().collect();
        self
    }

    /// Sets the settings of the agent.
    #[must_use]
    pub fn settings(mut self, settings: impl Into<Map<String, Value>>) -> Self {
        self.flag = settings.into();
        self
    }

    /// Sets the folder of the administrator's settings.
    #[must_use]
    pub fn managed_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.managed_folder = folder.into();
        self
    }

    /// Sets the administrator's settings that come from a server. They replace the files of the administrator.
    #[must_use]
    pub fn server_managed_settings(mut self, settings: impl Into<Map<String, Value>>) -> Self {
        self.server_managed = Some(settings.into());
        self
    }

    /// Sets the settings of [`Agent::managed_settings`](crate::Agent::managed_settings). They have an effect only if there are no
    /// others of the administrator, and only where they restrict something.
    #[must_use]
    pub fn managed_settings(mut self, settings: impl Into<Map<String, Value>>) -> Self {
        self.managed = settings.into();
        self
    }
}

/// Returns the settings in effect, as the CLI merges them, and where each comes from.
///
/// This is what the files say, not what the CLI allows: it does not take permission rules of a project that the user has not
/// trusted, for instance. Policies of macOS and of the Windows registry and the administrator's `policyHelper` are not read.
/// [`Handle::settings`](crate::Handle::settings) asks a CLI that is running.
///
/// # Errors
/// If a file exists but cannot be read or is not a JSON object. The CLI would ignore this file.
pub fn resolve(options: &ResolveSettings) -> Result<ResolvedSettings, ResolveError> {
    let project = options.directory.join(".claude");
    let mut layers = Vec::new();
    let files = [
        (SettingSource::User, LayerName::User, user_folder(options.home.as_deref()).map(|user| user.join("settings.json"))),
        (SettingSource::Project, LayerName::Project, Some(project.join("settings.json"))),
        (SettingSource::Local, LayerName::Local, Some(project.join("settings.local.json"))),
    ];
    for (source, name, path) in files {
        if let Some(path) = path.filter(|_| options.sources.contains(&source)) {
            layers.push(Layer { name, settings: read(&path)?, path: Some(path) });
        }
    }
    layers.push(Layer { name: LayerName::Flag, settings: options.flag.clone(), path: None });
    layers.push(Layer { name: LayerName::Managed, settings: managed(options)?, path: None });
    layers.retain(|layer| !layer.settings.is_empty());
    let mut resolved = ResolvedSettings { layers, ..ResolvedSettings::default() };
    for layer in &resolved.layers {
        merge_objects(&mut resolved.effective, &layer.settings);
        for key in layer.settings.keys() {
            let provenance = Provenance { layer: layer.name.clone(), path: layer.path.clone() };
            resolved.provenance.insert(key.clone(), provenance);
        }
    }
    Ok(resolved)
}

impl ResolvedSettings {
    /// Returns the settings in effect without a permission mode that allows more than the default one and that files of the
    /// project set. The CLI does not take such a mode from them.
    pub fn without_escalation(&self) -> Map<String, Value> {
        let mode_of = |settings: &Map<String, Value>| {
            Some(settings.get("permissions")?.get("defaultMode")?.as_str().unwrap_or_default().to_owned())
        };
        let mut effective = self.effective.clone();
        let set_by = self.layers.iter().rev().find(|layer| mode_of(&layer.settings).is_some());
        let mode = mode_of(&effective).unwrap_or_default();
        let is_refused = match set_by.map(|layer| &layer.name) {
            Some(LayerName::Project) => ["bypassPermissions", "auto", "acceptEdits"].contains(&mode.as_str()),
            Some(LayerName::Local) => ["bypassPermissions", "auto"].contains(&mode.as_str()),
            _ => false,
        };
        if is_refused && let Some(Value::Object(permissions)) = effective.get_mut("permissions") {
            permissions.remove("defaultMode");
        }
        effective
    }
}

fn user_folder(home: Option<&Path>) -> Option<PathBuf> {
    let of_process = || {
        let set = env::var_os("CLAUDE_CONFIG_DIR").map(PathBuf::from).filter(|folder| folder.is_absolute());
        set.or_else(|| Some(sys::home()?.join(".claude")))
    };
    home.map(|home| home.join(".claude")).or_else(of_process)
}

/// Returns the settings of the administrator: from a server, else from files, else those of the agent that restrict something.
fn managed(options: &ResolveSettings) -> Result<Map<String, Value>, ResolveError> {
    if let Some(settings) = &options.server_managed {
        return Ok(settings.clone());
    }
    let mut settings = read(&options.managed_folder.join("managed-settings.json"))?;
    let parts = options.managed_folder.join("managed-settings.d");
    let entries = match fs::read_dir(&parts) {
        Ok(entries) => entries.collect::<Result<Vec<_>, _>>().map_err(|source| ResolveError { path: parts, source })?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(source) => return Err(ResolveError { path: parts, source }),
    };
    let mut files: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort_unstable();
    for file in files {
        merge_objects(&mut settings, &read(&file)?);
    }
    Ok(if settings.is_empty() { restrictions(&options.managed) } else { settings })
}

/// Returns the parts of settings that only restrict.
fn restrictions(settings: &Map<String, Value>) -> Map<String, Value> {
    let is_lock = |key: &str| key.starts_with("allowManaged") && key.ends_with("Only");
    let mut kept: Map<String, Value> = settings.clone();
    kept.retain(|key, value| match key.as_str() {
        "deniedModels" | "deniedMcpServers" | "blockedMarketplaces" => true,
        "permissions" => keep(value, &["deny", "ask"]),
        "sandbox" => {
            if let Some(network) = value.get_mut("network") {
                keep(network, &["deniedDomains", "allowManagedDomainsOnly"]);
            }
            if let Some(filesystem) = value.get_mut("filesystem") {
                keep(filesystem, &["denyWrite", "denyRead", "allowManagedReadPathsOnly"]);
            }
            keep(value, &["network", "filesystem"])
        }
        key => is_lock(key) && *value == Value::Bool(true),
    });
    kept
}

/// Keeps some keys of an object. Returns whether any is left.
fn keep(value: &mut Value, keys: &[&str]) -> bool {
    let Value::Object(object) = value else { return false };
    object.retain(|key, value| keys.contains(&key.as_str()) && value.as_object().is_none_or(|object| !object.is_empty()));
    !object.is_empty()
}

/// Reads a settings file. A missing or empty file has no settings.
fn read(path: &Path) -> Result<Map<String, Value>, ResolveError> {
    let failed = |source| ResolveError { path: path.to_owned(), source };
    match fs::read_to_string(path) {
        Ok(text) if text.trim().is_empty() => Ok(Map::new()),
        Ok(text) => serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| failed(error.into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Map::new()),
        Err(source) => Err(failed(source)),
    }
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "could not read the settings file {}", self.path.display())
    }
}

impl Error for ResolveError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().cloned().expect("an object")
    }

    struct Machine(tempfile::TempDir);

    impl Machine {
        fn new(files: &[(&str, Value)]) -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            for (path, content) in files {
                let path = folder.path().join(path);
                fs::create_dir_all(path.parent().expect("a parent")).expect("created");
                fs::write(path, content.to_string()).expect("written");
            }
            Self(folder)
        }

        fn options(&self) -> ResolveSettings {
            let at = |name: &str| self.0.path().join(name);
            ResolveSettings::new(at("work")).home(at("home")).managed_folder(at("managed"))
        }
    }

    const USER: &str = "home/.claude/settings.json";
    const PROJECT: &str = "work/.claude/settings.json";
    const LOCAL: &str = "work/.claude/settings.local.json";

    #[test]
    fn layers_are_merged_and_each_value_has_its_source() {
        let machine = Machine::new(&[
            (USER, json!({"model": "opus", "permissions": {"allow": ["Read"], "deny": ["Write"]}})),
            (PROJECT, json!({"model": "sonnet", "permissions": {"allow": ["Bash", "Read"]}})),
            ("managed/managed-settings.json", json!({"language": "french"})),
            ("managed/managed-settings.d/b.json", json!({"language": "german"})),
            ("managed/managed-settings.d/a.txt", json!({"language": "none"})),
        ]);
        let resolved = resolve(&machine.options().settings(object(json!({"model": "haiku"})))).expect("readable");
        assert_eq!(
            Value::Object(resolved.effective),
            json!({"model": "haiku", "language": "german",
                "permissions": {"allow": ["Read", "Bash"], "deny": ["Write"]}})
        );
        let provenance = &resolved.provenance;
        assert_eq!((&provenance["model"].layer, &provenance["language"].layer), (&LayerName::Flag, &LayerName::Managed));
        assert_eq!(provenance["permissions"].path, Some(machine.0.path().join(PROJECT)));
        let names: Vec<&str> = resolved.layers.iter().map(|layer| layer.name.as_str()).collect();
        assert_eq!(names, ["user", "project", "flag", "managed"]);
        let only_user = resolve(&machine.options().setting_sources([SettingSource::User])).expect("readable");
        assert_eq!(only_user.effective["model"], "opus");
    }

    #[test]
    fn a_mode_of_the_project_that_allows_more_is_left_out() {
        for (file, mode, kept) in [
            (PROJECT, "bypassPermissions", false),
            (PROJECT, "acceptEdits", false),
            (PROJECT, "plan", true),
            (LOCAL, "auto", false),
            (LOCAL, "acceptEdits", true),
            (USER, "bypassPermissions", true),
        ] {
            let machine = Machine::new(&[(file, json!({"permissions": {"defaultMode": mode, "deny": ["Write"]}}))]);
            let settings = resolve(&machine.options()).expect("readable").without_escalation();
            assert_eq!(settings["permissions"].get("defaultMode").is_some(), kept, "{file} {mode}");
            assert_eq!(settings["permissions"]["deny"], json!(["Write"]));
        }
    }

    #[test]
    fn managed_settings_of_the_agent_only_restrict() {
        let machine = Machine::new(&[]);
        let managed = object(json!({
            "model": "haiku", "allowManagedHooksOnly": true, "allowManagedMcpServersOnly": false,
            "permissions": {"allow": ["Bash"], "deny": ["Write"]},
            "sandbox": {"enabled": false, "network": {"allowedDomains": ["*"], "deniedDomains": ["example.com"]}},
        }));
        let resolved = resolve(&machine.options().managed_settings(managed.clone())).expect("readable");
        assert_eq!(
            Value::Object(resolved.effective),
            json!({"allowManagedHooksOnly": true, "permissions": {"deny": ["Write"]},
                "sandbox": {"network": {"deniedDomains": ["example.com"]}}})
        );
        let server = object(json!({"model": "opus"}));
        let resolved = resolve(&machine.options().managed_settings(managed).server_managed_settings(server));
        assert_eq!(Value::Object(resolved.expect("readable").effective), json!({"model": "opus"}));
    }

    #[test]
    fn a_file_that_is_not_an_object_is_an_error_with_its_path() {
        let machine = Machine::new(&[(LOCAL, json!([1]))]);
        let error = resolve(&machine.options()).expect_err("not an object");
        assert_eq!(error.path, machine.0.path().join(LOCAL));
        fs::write(&error.path, " \n").expect("written");
        assert!(resolve(&machine.options()).expect("an empty file is fine").effective.is_empty());
    }
}
