//! What the CLI tells of files, memories and transcripts.

use serde_json::Value;

use crate::wire::view;

view! {
    /// Files were stored.
    pub struct FilesPersisted {
        /// These.
        files: Vec<PersistedFile>,
        /// These were not.
        failed: Vec<FailedFile>,
        /// When.
        processed_at: String,
    }

    /// A stored file.
    pub struct PersistedFile {
        /// Its name.
        filename: String,
        /// Its id at the API.
        file_id: String,
    }

    /// A file that was not stored.
    pub struct FailedFile {
        /// Its name.
        filename: String,
        /// Why.
        error: String,
    }

    /// The transcript could not be mirrored.
    pub struct MirrorError {
        /// Why.
        error: String,
        /// Which piece.
        key: Value,
    }

    /// The disk is full and something was lost.
    pub struct SessionWritesLost {
        /// What the system said, for instance `ENOSPC`.
        error_code: String,
        /// What was lost.
        lost: Vec<String>,
        /// Whose transcripts.
        transcript_session_ids: Option<Vec<String>>,
    }

    /// A piece of the transcript, for who keeps a copy.
    pub struct TranscriptMirror {
        /// The file that it belongs to.
        #[serde(rename = "filePath")]
        file_path: Option<String>,
        /// Its lines.
        entries: Vec<Value>,
    }

    /// Memories were recalled.
    pub struct MemoryRecall {
        /// `select` or `synthesize`.
        mode: String,
        /// The memories.
        memories: Vec<Memory>,
    }

    /// A memory.
    pub struct Memory {
        /// Where it is.
        path: String,
        /// Whose it is.
        scope: String,
        /// What it says.
        content: Option<String>,
    }
}
