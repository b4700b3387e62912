//! Requests about files.

use serde::Serialize;
use serde_json::{Value, json};

use super::{FileContents, Handle, RewindOutcome};
use crate::error::Error;
use crate::wire::Typed;

/// # Files
impl Handle {
    /// Restores files to their state at a prompt, given by its id. Requires
    /// [`file_checkpointing`](crate::Agent::file_checkpointing).
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn rewind_files(&self, prompt_uuid: &str) -> Result<Typed<RewindOutcome>, Error> {
        self.ask("rewind_files", json!({"user_message_id": prompt_uuid})).await
    }

    /// Returns what [`rewind_files`](Self::rewind_files) would do, without changing files.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn rewind_files_dry_run(&self, prompt_uuid: &str) -> Result<Typed<RewindOutcome>, Error> {
        self.ask("rewind_files", json!({"user_message_id": prompt_uuid, "dry_run": true})).await
    }

    /// Reads a text file through the CLI, at most `max_bytes` of it. Bytes that are not UTF-8 are replaced.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn read_file(&self, path: &str, max_bytes: Option<u64>) -> Result<Typed<FileContents>, Error> {
        self.ask("read_file", ReadFile { path, max_bytes, encoding: None }).await
    }

    /// Reads a file through the CLI as base64, at most `max_bytes` of it.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn read_file_base64(&self, path: &str, max_bytes: Option<u64>) -> Result<Typed<FileContents>, Error> {
        self.ask("read_file", ReadFile { path, max_bytes, encoding: Some("base64") }).await
    }

    /// Marks a file as already read by the model, with the modification time `mtime` in milliseconds since 1970.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn seed_read_state(&self, path: &str, mtime: u64) -> Result<(), Error> {
        self.order("seed_read_state", json!({"path": path, "mtime": mtime})).await
    }

    /// Adds another repository to the session. With `reload`, its instructions, plugins and skills are loaded.
    ///
    /// It must be below the working directory or an added directory. The response is JSON, because the official SDK does not
    /// declare its fields.
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
}
