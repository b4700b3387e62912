//! The results of the tool for projects.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::builtin::tool_types;

/// The result of the tool for projects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method")]
#[non_exhaustive]
pub enum ProjectsOutput {
    /// The project.
    #[serde(rename = "project_info")]
    Info(ProjectInfo),
    /// A file that was read.
    #[serde(rename = "project_read")]
    Read(ProjectRead),
    /// The result of a search.
    #[serde(rename = "project_search")]
    Search(ProjectSearch),
    /// A file that was written.
    #[serde(rename = "project_write")]
    Write(ProjectWritten),
    /// A file that was deleted.
    #[serde(rename = "project_delete")]
    Delete(ProjectDeleted),
    /// The memories of the project.
    #[serde(rename = "project_memory_list")]
    Memories(ProjectMemories),
    /// A memory that was read.
    #[serde(rename = "project_memory_read")]
    Memory(ProjectMemory),
}

tool_types! {
    /// A project.
    pub struct ProjectInfo {
        /// Its name.
        name: String,
        /// Its description.
        description: String,
        /// Its instructions.
        instructions: String,
        /// Its documents.
        docs: Vec<ProjectDoc>,
        /// How much of the space is used.
        knowledge: ProjectKnowledge,
        ;
        /// A note for the model.
        notice: String,
        /// The file with the whole result.
        local_file: String,
        /// Its files.
        files: Vec<ProjectFile>,
        /// Where its content comes from.
        sync_sources: Vec<ProjectSource>,
    }

    /// A document of a project.
    pub struct ProjectDoc {
        /// Its path.
        path: String,
        ;
        /// When it was created, in ISO 8601.
        created_at: String,
    }

    /// A file of a project.
    pub struct ProjectFile {
        /// Its path.
        path: String,
        /// Its type.
        file_kind: String,
        ;
        /// When it was created, in ISO 8601.
        created_at: String,
    }

    /// Where content of a project comes from.
    pub struct ProjectSource {
        /// Its configuration.
        config: Map<String, Value>,
        ;
        /// Its type.
        #[serde(rename = "type")]
        kind: String,
    }

    /// How much of the space of a project is used.
    pub struct ProjectKnowledge {
        /// The size of its content.
        knowledge_size: u64,
        /// The limit.
        max_knowledge_size: u64,
    }

    /// A file of a project that was read.
    pub struct ProjectRead {
        /// Its path.
        path: String,
        ;
        /// A note for the model.
        notice: String,
        /// Its type.
        file_kind: String,
        /// Its content.
        content: String,
        /// The local file with its content.
        local_file: String,
        /// When it was created, in ISO 8601.
        created_at: String,
    }

    /// The result of a search in a project.
    pub struct ProjectSearch {
        /// Whether the search used an index of the content.
        rag: bool,
        ;
        /// A note for the model.
        notice: String,
        /// The parts that were found.
        hits: Vec<ProjectHit>,
        /// The documents that were found.
        docs: Vec<String>,
    }

    /// A part of a project that was found.
    pub struct ProjectHit {
        ;
        /// The name of its document.
        name: String,
        /// The id of its document.
        doc_uuid: String,
        /// Its text.
        text: String,
        /// Whether the model is given a picture.
        image_attached: bool,
        /// The page.
        page: u64,
    }

    /// A file of a project that was written.
    pub struct ProjectWritten {
        /// Its path.
        path: String,
        /// Its id.
        doc_uuid: String,
        /// Whether it existed before.
        replaced: bool,
        ;
        /// A note for the model.
        notice: String,
        /// Whether it is shown to the user.
        present_to_user: bool,
        /// The local file that it was written from.
        local_path: String,
    }

    /// A file of a project that was deleted.
    pub struct ProjectDeleted {
        /// Its path.
        path: String,
        /// Whether it existed.
        deleted: bool,
        ;
        /// A note for the model.
        notice: String,
    }

    /// The memories of a project.
    pub struct ProjectMemories {
        /// The files.
        files: Vec<MemoryFile>,
        /// Whether some are missing.
        truncated: bool,
        ;
        /// A note for the model.
        notice: String,
    }

    /// A file with memories of a project.
    pub struct MemoryFile {
        /// Its path.
        path: String,
        /// Its size.
        size_bytes: u64,
        /// Whether it was shortened.
        truncated: bool,
        ;
        /// When it was changed, in ISO 8601.
        updated_at: String,
    }

    /// A file with memories of a project that was read.
    pub struct ProjectMemory {
        /// Its path.
        path: String,
        /// Its size.
        size_bytes: u64,
        /// Whether it was shortened.
        truncated: bool,
        ;
        /// A note for the model.
        notice: String,
        /// Its content.
        content: String,
        /// The local file with its content.
        local_file: String,
        /// When it was changed, in ISO 8601.
        updated_at: String,
    }
}
