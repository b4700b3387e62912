//! Rewind points: the state of files at the time of a prompt, as the CLI records it.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;

/// The files at the time of a prompt. `Handle::rewind_files` of `mcp-agent` restores them with the id of the prompt.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct Snapshot {
    /// The id of the prompt.
    #[serde(deserialize_with = "lenient")]
    pub message_id: String,
    /// The backups of the files.
    #[serde(deserialize_with = "lenient")]
    pub snapshot: SnapshotFiles,
    /// Whether the snapshot replaces an earlier snapshot of the same prompt.
    #[serde(deserialize_with = "lenient")]
    pub is_snapshot_update: bool,
}

/// The backups of a snapshot.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct SnapshotFiles {
    /// The files that the CLI has changed before, by path.
    #[serde(deserialize_with = "lenient")]
    pub tracked_file_backups: BTreeMap<String, Backup>,
    /// The time, in ISO 8601.
    #[serde(deserialize_with = "lenient")]
    pub timestamp: Option<String>,
}

/// A file was backed up, because it was about to be changed for the first time.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct FileChange {
    /// The id of the message with the tool use.
    #[serde(deserialize_with = "lenient")]
    pub message_id: String,
    /// The id of the prompt whose snapshot the backup is added to.
    #[serde(deserialize_with = "lenient")]
    pub snapshot_message_id: String,
    /// The path of the file.
    #[serde(deserialize_with = "lenient")]
    pub tracking_path: String,
    /// The backup of the file.
    #[serde(deserialize_with = "lenient")]
    pub backup: Backup,
}

/// The backup of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct Backup {
    /// The name of the backup in `file-history/<session>`. `None` if the file did not exist.
    #[serde(deserialize_with = "lenient")]
    pub backup_file_name: Option<String>,
    /// The number of the backup.
    #[serde(deserialize_with = "lenient")]
    pub version: u64,
    /// The time, in ISO 8601.
    #[serde(deserialize_with = "lenient")]
    pub backup_time: Option<String>,
}

/// Deserializes a field. A value of another type gives the default.
fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(deserializer: D) -> Result<T, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(deserializer)?).unwrap_or_default())
}
