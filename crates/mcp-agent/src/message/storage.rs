//! Messages about files, memories and transcripts.

use serde_json::Value;

use super::detail::MirrorKey;
use crate::wire::view;

view! {
    /// Files were stored with the API of the model.
    pub struct FilesPersisted {
        /// The files that were stored.
        files: Vec<PersistedFile>,
        /// The files that could not be stored.
        failed: Vec<FailedFile>,
        /// The time when the files were stored.
        processed_at: String,
    }

    /// A stored file.
    pub struct PersistedFile {
        /// The name of the file.
        filename: String,
        /// The id of the file in the API.
        file_id: String,
    }

    /// A file that could not be stored.
    pub struct FailedFile {
        /// The name of the file.
        filename: String,
        /// Why the file could not be stored.
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
        /// The parts of the data that were lost.
        lost: Vec<String>,
        /// The ids of the sessions whose transcripts are affected.
        transcript_session_ids: Option<Vec<String>>,
    }

    /// New entries of the transcript, for programs that keep a copy.
    pub struct TranscriptMirror {
        /// The path of the transcript file that the entries belong to.
        #[serde(rename = "filePath")]
        file_path: Option<String>,
        /// The new entries.
        entries: Vec<Value>,
    }

    /// Memories were recalled.
    pub struct MemoryRecall {
        /// How the memories were recalled: `select` or `synthesize`.
        mode: String,
        /// The recalled memories.
        memories: Vec<Memory>,
    }

    /// A memory.
    pub struct Memory {
        /// The path of the memory.
        path: String,
        /// The scope of the memory.
        scope: String,
        /// The text of the memory.
        content: Option<String>,
    }
}
