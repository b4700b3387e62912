//! The list of servers in the configuration file of a client.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::client::{Client, Format};
use super::{config_file, json_edit, toml_file};
use crate::sys;

/// The configuration file of a client, with its text.
#[derive(Debug)]
pub(super) struct Configuration {
    client: Client,
    path: PathBuf,
    text: String,
}

impl Configuration {
    /// Reads the file. A file that does not exist is empty.
    pub(super) fn read(client: Client) -> Result<Configuration, String> {
        let path = client.file().ok_or_else(|| format!("the home directory is not known: set {}", sys::HOME))?;
        let text = config_file::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Ok(Configuration { client, path, text })
    }

    /// Returns the path for messages.
    pub(super) fn place(&self) -> String {
        self.path.display().to_string()
    }

    /// Returns the entry of a server.
    pub(super) fn entry(&self, name: &str) -> Result<Option<Value>, String> {
        let entry = match self.client.format() {
            Format::Json => json_edit::entry(&self.text, self.client.key(), name),
            Format::Toml => toml_file::entry(&self.text, self.client.key(), name),
        };
        entry.map_err(|error| format!("{} cannot be read: {error}", self.place()))
    }

    /// Writes the entry of a server, or removes it. Returns whether the file was changed.
    ///
    /// The file is read again afterwards: another program may have replaced it in the meantime.
    pub(super) fn set(&self, name: &str, entry: Option<&Value>) -> Result<bool, String> {
        let key = self.client.key();
        let after = match (self.client.format(), entry) {
            (Format::Json, Some(entry)) => json_edit::with_entry(&self.text, key, name, entry),
            (Format::Json, None) => json_edit::without_entry(&self.text, key, name),
            (Format::Toml, Some(entry)) => toml_file::with_entry(&self.text, key, name, entry),
            (Format::Toml, None) => toml_file::without_entry(&self.text, key, name),
        };
        let after = after.map_err(|error| format!("{} was not changed: {error}", self.place()))?;
        if after == self.text {
            return Ok(false);
        }
        config_file::write(&self.path, &after).map_err(|error| format!("cannot write {}: {error}", self.place()))?;
        let written = Configuration::read(self.client)?.entry(name)?;
        match (written, entry) {
            (None, None) => Ok(true),
            (Some(written), Some(entry)) if contains(&written, entry) => Ok(true),
            _ => Err(format!(
                "{} does not have the change: another program wrote it at the same time; try again",
                self.place()
            )),
        }
    }
}

/// Returns whether an entry has all values of another. The user may have added settings.
fn contains(written: &Value, entry: &Value) -> bool {
    entry.as_object().into_iter().flatten().all(|(name, value)| written.get(name) == Some(value))
}

/// Returns the text of a file that has only this entry.
pub(super) fn whole_file(client: Client, name: &str, entry: &Value) -> String {
    match client.format() {
        Format::Json => format!("{:#}", json!({client.key(): {name: entry}})),
        Format::Toml => toml_file::with_entry("", client.key(), name, entry).unwrap_or_default(),
    }
}
