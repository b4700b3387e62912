//! The results of the tools that read, write and edit files.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::builtin::tool_types;

/// The result of reading a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReadOutput {
    /// Text.
    Text(ReadText),
    /// A picture.
    Image(ReadImage),
    /// A notebook.
    Notebook(ReadNotebook),
    /// A PDF document.
    Pdf(ReadPdf),
    /// Pages of a document, as pictures.
    Parts(ReadParts),
}

tool_types! {
    /// A text file that was read.
    #[serde(rename_all = "camelCase")]
    pub struct ReadText {
        /// The file.
        file: TextFile,
        ;
        /// Set if the file is an artifact.
        artifact_read: SeenArtifact,
    }

    /// The part of a text file that was read.
    #[serde(rename_all = "camelCase")]
    pub struct TextFile {
        /// Its path.
        file_path: String,
        /// The text.
        content: String,
        /// The number of lines that were read.
        num_lines: u64,
        /// The first of them.
        start_line: u64,
        /// The number of lines of the whole file.
        total_lines: u64,
        ;
        /// Whether the limit of tokens has shortened it.
        truncated_by_token_cap: bool,
    }

    /// The version of an artifact that was read.
    pub struct SeenArtifact {
        /// Its name.
        slug: String,
        ;
        /// Its version.
        ver: String,
        /// False if this version does not count as read before it is written.
        seeded: bool,
    }

    /// A picture that was read.
    pub struct ReadImage {
        /// The file.
        file: ImageFile,
    }

    /// A picture.
    #[serde(rename_all = "camelCase")]
    pub struct ImageFile {
        /// Its content.
        base64: String,
        /// Its media type.
        #[serde(rename = "type")]
        media_type: String,
        /// The size of the file in bytes.
        original_size: u64,
        ;
        /// Its size in pixels.
        dimensions: ImageDimensions,
    }

    /// The size of a picture in pixels, in the file and as the model sees it.
    #[serde(rename_all = "camelCase")]
    pub struct ImageDimensions {
        ;
        /// The width in the file.
        original_width: u64,
        /// The height in the file.
        original_height: u64,
        /// The width for the model.
        display_width: u64,
        /// The height for the model.
        display_height: u64,
    }

    /// A notebook that was read.
    pub struct ReadNotebook {
        /// The file.
        file: NotebookFile,
    }

    /// A notebook.
    #[serde(rename_all = "camelCase")]
    pub struct NotebookFile {
        /// Its path.
        file_path: String,
        /// Its cells.
        cells: Vec<Value>,
    }

    /// A PDF document that was read.
    pub struct ReadPdf {
        /// The file.
        file: PdfFile,
    }

    /// A PDF document.
    #[serde(rename_all = "camelCase")]
    pub struct PdfFile {
        /// Its path.
        file_path: String,
        /// Its content.
        base64: String,
        /// Its size in bytes.
        original_size: u64,
    }

    /// Pages of a document that were read.
    #[serde(rename_all = "camelCase")]
    pub struct ReadParts {
        /// The file.
        file: PartsFile,
        ;
        /// The number of the first page.
        first_page: u64,
        /// The pages.
        pages: Vec<PageImage>,
    }

    /// A document whose pages were read.
    #[serde(rename_all = "camelCase")]
    pub struct PartsFile {
        /// Its path.
        file_path: String,
        /// Its size in bytes.
        original_size: u64,
        /// The number of pages.
        count: u64,
        /// The folder with the pictures.
        output_dir: String,
    }

    /// The picture of a page.
    #[serde(rename_all = "camelCase")]
    pub struct PageImage {
        /// Its content.
        base64: String,
        /// Its media type.
        media_type: String,
        ;
        /// Why there is no picture.
        error: String,
    }

    /// The result of an edit.
    #[serde(rename_all = "camelCase")]
    pub struct EditOutput {
        /// The path of the file.
        file_path: String,
        /// The text that was replaced.
        old_string: String,
        /// The new text.
        new_string: String,
        /// The changes.
        structured_patch: Vec<PatchHunk>,
        /// Whether the user changed the edit.
        user_modified: bool,
        /// Whether all occurrences were replaced.
        replace_all: bool,
        ;
        /// The content before the edit; `None` for a new or a large file.
        original_file: String,
        /// The changes, compared with Git.
        git_diff: FileDiff,
        /// Whether it was staged and not written.
        staged: bool,
    }

    /// The result of writing a file.
    #[serde(rename_all = "camelCase")]
    pub struct WriteOutput {
        /// `create` or `update`.
        #[serde(rename = "type")]
        kind: String,
        /// The path of the file.
        file_path: String,
        /// The new content.
        content: String,
        /// The changes.
        structured_patch: Vec<PatchHunk>,
        ;
        /// The content before; `None` for a new or a large file.
        original_file: String,
        /// The changes, compared with Git.
        git_diff: FileDiff,
        /// Whether the user changed the content.
        user_modified: bool,
        /// Whether it was staged and not written.
        staged: bool,
    }

    /// Neighbouring lines that were changed, as in a unified diff.
    #[serde(rename_all = "camelCase")]
    pub struct PatchHunk {
        /// The first line, before the change.
        old_start: u64,
        /// The number of lines, before the change.
        old_lines: u64,
        /// The first line, after the change.
        new_start: u64,
        /// The number of lines, after the change.
        new_lines: u64,
        /// The lines, each with `+`, `-` or a space before it.
        lines: Vec<String>,
    }

    /// The changes of a file, compared with Git.
    pub struct FileDiff {
        /// The name of the file.
        filename: String,
        /// `modified` or `added`.
        status: String,
        /// The number of lines that were added.
        additions: u64,
        /// The number of lines that were removed.
        deletions: u64,
        /// The number of lines that were changed.
        changes: u64,
        /// The changes as a unified diff.
        patch: String,
        ;
        /// The repository on GitHub.
        repository: String,
    }

    /// The result of editing a notebook.
    pub struct NotebookEditOutput {
        /// The new content of the cell.
        new_source: String,
        /// The type of the cell.
        cell_type: String,
        /// The language of the notebook.
        language: String,
        /// `replace`, `insert` or `delete`.
        edit_mode: String,
        /// The path of the notebook.
        notebook_path: String,
        /// The notebook before the edit.
        original_file: String,
        /// The notebook after the edit.
        updated_file: String,
        ;
        /// The content of the cell before the edit.
        old_source: String,
        /// The id of the cell.
        cell_id: String,
        /// Why it failed.
        error: String,
    }
}
