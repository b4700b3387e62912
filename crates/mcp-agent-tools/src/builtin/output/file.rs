//! The results of the tools that read, write and edit files.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::builtin::tool_types;

/// The result of reading a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReadOutput {
    /// A text file.
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
        /// The part of the file that was read.
        file: TextFile,
        ;
        /// Set if the file is an artifact.
        artifact_read: SeenArtifact,
    }

    /// The part of a text file that was read.
    #[serde(rename_all = "camelCase")]
    pub struct TextFile {
        /// The path of the file.
        file_path: String,
        /// The text of the lines that were read.
        content: String,
        /// The number of lines that were read.
        num_lines: u64,
        /// The number of the first line that was read.
        start_line: u64,
        /// The number of lines of the whole file.
        total_lines: u64,
        ;
        /// Whether the text was shortened to the limit of tokens.
        truncated_by_token_cap: bool,
    }

    /// The version of an artifact that was read.
    pub struct SeenArtifact {
        /// The name of the artifact.
        slug: String,
        ;
        /// The version of the artifact.
        ver: String,
        /// Whether this version counts as read, so that the model may write the artifact.
        seeded: bool,
    }

    /// A picture that was read.
    pub struct ReadImage {
        /// The picture.
        file: ImageFile,
    }

    /// A picture.
    #[serde(rename_all = "camelCase")]
    pub struct ImageFile {
        /// The content of the picture, in base64.
        base64: String,
        /// The media type of the picture.
        #[serde(rename = "type")]
        media_type: String,
        /// The size of the file in bytes.
        original_size: u64,
        ;
        /// The size of the picture in pixels.
        dimensions: ImageDimensions,
    }

    /// The size of a picture in pixels, in the file and as the model sees it.
    #[serde(rename_all = "camelCase")]
    pub struct ImageDimensions {
        ;
        /// The width in the file, in pixels.
        original_width: u64,
        /// The height in the file, in pixels.
        original_height: u64,
        /// The width that the model sees, in pixels.
        display_width: u64,
        /// The height that the model sees, in pixels.
        display_height: u64,
    }

    /// A notebook that was read.
    pub struct ReadNotebook {
        /// The notebook.
        file: NotebookFile,
    }

    /// A notebook.
    #[serde(rename_all = "camelCase")]
    pub struct NotebookFile {
        /// The path of the notebook.
        file_path: String,
        /// The cells of the notebook.
        cells: Vec<Value>,
    }

    /// A PDF document that was read.
    pub struct ReadPdf {
        /// The PDF document.
        file: PdfFile,
    }

    /// A PDF document.
    #[serde(rename_all = "camelCase")]
    pub struct PdfFile {
        /// The path of the document.
        file_path: String,
        /// The content of the document, in base64.
        base64: String,
        /// The size of the document in bytes.
        original_size: u64,
    }

    /// Pages of a document that were read.
    #[serde(rename_all = "camelCase")]
    pub struct ReadParts {
        /// The document.
        file: PartsFile,
        ;
        /// The number of the first page that was read.
        first_page: u64,
        /// The pictures of the pages.
        pages: Vec<PageImage>,
    }

    /// A document whose pages were read.
    #[serde(rename_all = "camelCase")]
    pub struct PartsFile {
        /// The path of the document.
        file_path: String,
        /// The size of the document in bytes.
        original_size: u64,
        /// The number of pages of the document.
        count: u64,
        /// The folder with the pictures of the pages.
        output_dir: String,
    }

    /// The picture of a page.
    #[serde(rename_all = "camelCase")]
    pub struct PageImage {
        /// The content of the picture, in base64.
        base64: String,
        /// The media type of the picture.
        media_type: String,
        ;
        /// Why there is no picture of the page.
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
        /// The changed lines.
        structured_patch: Vec<PatchHunk>,
        /// Whether the user changed the edit before it was applied.
        user_modified: bool,
        /// Whether all occurrences were replaced.
        replace_all: bool,
        ;
        /// The content of the file before the edit; `None` for a new or a large file.
        original_file: String,
        /// The changes of the file, compared with Git.
        git_diff: FileDiff,
        /// Whether the edit was only staged: the file was not written.
        staged: bool,
    }

    /// The result of writing a file.
    #[serde(rename_all = "camelCase")]
    pub struct WriteOutput {
        /// Whether the file is new: `create` or `update`.
        #[serde(rename = "type")]
        kind: String,
        /// The path of the file.
        file_path: String,
        /// The new content of the file.
        content: String,
        /// The changed lines.
        structured_patch: Vec<PatchHunk>,
        ;
        /// The content of the file before; `None` for a new or a large file.
        original_file: String,
        /// The changes of the file, compared with Git.
        git_diff: FileDiff,
        /// Whether the user changed the content before it was written.
        user_modified: bool,
        /// Whether the content was only staged: the file was not written.
        staged: bool,
    }

    /// Neighbouring lines that were changed, as in a unified diff.
    #[serde(rename_all = "camelCase")]
    pub struct PatchHunk {
        /// The number of the first line before the change.
        old_start: u64,
        /// The number of lines before the change.
        old_lines: u64,
        /// The number of the first line after the change.
        new_start: u64,
        /// The number of lines after the change.
        new_lines: u64,
        /// The lines, each with `+`, `-` or a space before it.
        lines: Vec<String>,
    }

    /// The changes of a file, compared with Git.
    pub struct FileDiff {
        /// The name of the file.
        filename: String,
        /// What happened to the file: `modified` or `added`.
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
        /// The name of the repository on GitHub.
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
        /// The kind of edit: `replace`, `insert` or `delete`.
        edit_mode: String,
        /// The path of the notebook.
        notebook_path: String,
        /// The content of the notebook before the edit.
        original_file: String,
        /// The content of the notebook after the edit.
        updated_file: String,
        ;
        /// The content of the cell before the edit.
        old_source: String,
        /// The id of the cell.
        cell_id: String,
        /// Why the edit failed.
        error: String,
    }
}
