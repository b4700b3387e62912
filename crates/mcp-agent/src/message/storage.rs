//! Messages about files, memories and transcripts.

use serde_json::Value;

use super::detail::MirrorKey;
use crate::wire::view;

view! {
    /// Files were stored.
    pub struct FilesPersisted {
        /// The files that were stored.
        files: Vec<PersistedFile>,
        /// The files that could not be stored.
        failed: Vec<FailedFile>,
        /// The time.
        processed_at: String,
    }

    /// A stored file.
    pub struct PersistedFile {
        /// Its name.
        filename: String,
        /// Its id in the API.
        file_id: String,
    }

    /// A file that could not be stored.
    pub struct FailedFile {
        /// Its name.
        filename: String,
        /// The error message.
        error: String,
    }

    /// New entries of the transcript could not be sent to the program that keeps a copy.
    pub struct MirrorError {
        /// The error message.
        error: String,
        /// The key of the session in the store.
        key: MirrorKey,
    }

    /// The disk is full and data was lost.
    pub struct SessionWritesLost {
        /// The error code of the system, for instance `ENOSPC`.
        error_code: String,
        /// The lost data.
        lost: Vec<String>,
        /// The ids of the sessions whose transcripts are affected.
        transcript_session_ids: Option<Vec<String>>,
    }

    /// New entries of the transcript, for programs that keep a copy.
    pub struct TranscriptMirror {
        /// The transcript file that they belong to.
        #[serde(rename = "filePath")]
        file_path: Option<String>,
        /// The entries.
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
        /// Its path.
        path: String,
        /// Its scope.
        scope: String,
        /// Its text.
        content: Option<String>,
    }
}
