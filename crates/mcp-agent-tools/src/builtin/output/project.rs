//! The results of the tool for projects.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::builtin::tool_types;

/// The result of the tool for projects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method")]
#[non_exhaustive]
pub enum ProjectsOutput {
    /// Information about the project.
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
        /// The name of the project.
        name: String,
        /// The description of the project.
        description: String,
        /// The instructions of the project.
        instructions: String,
        /// The documents of the project.
        docs: Vec<ProjectDoc>,
        /// How much of the project's space is used.
        knowledge: ProjectKnowledge,
        ;
        /// A note for the model.
        notice: String,
        /// The local file with the whole result.
        local_file: String,
        /// The files of the project.
        files: Vec<ProjectFile>,
        /// The sources of the project's content.
        sync_sources: Vec<ProjectSource>,
    }

    /// A document of a project.
    pub struct ProjectDoc {
        /// The path of the document.
        path: String,
        ;
        /// When the document was created, in ISO 8601.
        created_at: String,
    }

    /// A file of a project.
    pub struct ProjectFile {
        /// The path of the file.
        path: String,
        /// The type of the file.
        file_kind: String,
        ;
        /// When the file was created, in ISO 8601.
        created_at: String,
    }

    /// Where content of a project comes from.
    pub struct ProjectSource {
        /// The configuration of the source.
        config: Map<String, Value>,
        ;
        /// The type of the source.
        #[serde(rename = "type")]
        kind: String,
    }

    /// How much of the space of a project is used.
    pub struct ProjectKnowledge {
        /// The size of the project's content.
        knowledge_size: u64,
        /// The maximum size of the project's content.
        max_knowledge_size: u64,
    }

    /// A file of a project that was read.
    pub struct ProjectRead {
        /// The path of the file.
        path: String,
        ;
        /// A note for the model.
        notice: String,
        /// The type of the file.
        file_kind: String,
        /// The content of the file.
        content: String,
        /// The local copy of the file.
        local_file: String,
        /// When the file was created, in ISO 8601.
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
        /// The names of the documents that were found.
        docs: Vec<String>,
    }

    /// A part of a project that was found.
    pub struct ProjectHit {
        ;
        /// The name of the document that contains the part.
        name: String,
        /// The id of the document that contains the part.
        doc_uuid: String,
        /// The text of the part that was found.
        text: String,
        /// Whether the model receives a picture of the part.
        image_attached: bool,
        /// The number of the page in the document.
        page: u64,
    }

    /// A file of a project that was written.
    pub struct ProjectWritten {
        /// The path of the file.
        path: String,
        /// The id of the file.
        doc_uuid: String,
        /// Whether the file existed before.
        replaced: bool,
        ;
        /// A note for the model.
        notice: String,
        /// Whether the file is shown to the user.
        present_to_user: bool,
        /// The local file that the content was read from.
        local_path: String,
    }

    /// A file of a project that was deleted.
    pub struct ProjectDeleted {
        /// The path of the file.
        path: String,
        /// Whether the file existed and was deleted.
        deleted: bool,
        ;
        /// A note for the model.
        notice: String,
    }

    /// The memories of a project.
    pub struct ProjectMemories {
        /// The files with memories.
        files: Vec<MemoryFile>,
        /// Whether the list is incomplete.
        truncated: bool,
        ;
        /// A note for the model.
        notice: String,
    }

    /// A file with memories of a project.
    pub struct MemoryFile {
        /// The path of the file.
        path: String,
        /// The size of the file in bytes.
        size_bytes: u64,
        /// Whether the file was shortened.
        truncated: bool,
        ;
        /// When the file was changed, in ISO 8601.
        updated_at: String,
    }

    /// A file with memories of a project that was read.
    pub struct ProjectMemory {
        /// The path of the file.
        path: String,
        /// The size of the file in bytes.
        size_bytes: u64,
        /// Whether the file was shortened.
        truncated: bool,
        ;
        /// A note for the model.
        notice: String,
        /// The content of the file.
        content: String,
        /// The local copy of the file.
        local_file: String,
        /// When the file was changed, in ISO 8601.
        updated_at: String,
    }
}
