//! Requests about files.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Handle, RewindOutcome};
use crate::error::Error;
use crate::wire::Typed;

/// Files
impl Handle {
    /// Brings files back to how they were at a prompt, by its id. Needs
    /// [`file_checkpointing`](crate::Agent::file_checkpointing).
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn rewind_files(&self, prompt_uuid: &str) -> Result<Typed<RewindOutcome>, Error> {
        self.ask("rewind_files", json!({"user_message_id": prompt_uuid})).await
    }

    /// Says what [`rewind_files`](Self::rewind_files) would do.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn rewind_files_dry_run(&self, prompt_uuid: &str) -> Result<Typed<RewindOutcome>, Error> {
        self.ask("rewind_files", json!({"user_message_id": prompt_uuid, "dry_run": true})).await
    }

    /// Reads a file through the CLI, at most this many bytes of it.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn read_file(&self, path: &str, max_bytes: Option<u64>) -> Result<Value, Error> {
        self.ask("read_file", ReadFile { path, max_bytes }).await
    }

    /// Tells the CLI that the model has already read a file, as it was at this time in milliseconds since 1970.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn seed_read_state(&self, path: &str, mtime: u64) -> Result<(), Error> {
        self.order("seed_read_state", json!({"path": path, "mtime": mtime})).await
    }

    /// Lets the session work in another repository too, and reads its instructions, plugins and skills where asked.
    ///
    /// # Errors
    /// When the CLI refuses or is gone.
    pub async fn register_repo_root(&self, directory: &str, reload: bool) -> Result<Value, Error> {
        let fields = json!({
            "directory": directory, "reload_claude_md": reload, "reload_plugins": reload, "reload_skills": reload
        });
        self.ask("register_repo_root", fields).await
    }
}

#[derive(Serialize)]
struct ReadFile<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_bytes: Option<u64>,
}
