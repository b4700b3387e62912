//! Inputs of the tools that read, write and edit files.

use super::tool_types;
use crate::words;

tool_types! {
    /// Reads a file.
    pub struct ReadInput {
        /// The absolute path of the file.
        file_path: String,
        ;
        /// The first line to read, counted from 1.
        offset: u64,
        /// The number of lines to read.
        limit: u64,
        /// The pages to read of a document, such as `1-5`.
        pages: String,
        /// Whether a file that is larger than the usual limit is read whole.
        allow_large: bool,
    }

    /// Writes a complete file.
    pub struct WriteInput {
        /// The absolute path of the file.
        file_path: String,
        /// The new content of the file.
        content: String,
    }

    /// Replaces text in a file.
    pub struct EditInput {
        /// The absolute path of the file.
        file_path: String,
        /// The text to replace.
        old_string: String,
        /// The new text.
        new_string: String,
        ;
        /// Whether to replace all occurrences. Otherwise the text must occur exactly once.
        replace_all: bool,
    }

    /// Makes several edits. Only in older CLI versions.
    pub struct MultiEditInput {
        /// The edits, in order.
        edits: Vec<Replacement>,
        ;
        /// The path of the file, if all edits are in one file.
        file_path: String,
    }

    /// One of several edits.
    pub struct Replacement {
        /// The text to replace.
        old_string: String,
        /// The new text.
        new_string: String,
        ;
        /// The path of the file, if each edit has its own.
        file_path: String,
        /// Whether to replace all occurrences.
        replace_all: bool,
    }

    /// Edits a cell of a notebook.
    pub struct NotebookEditInput {
        /// The absolute path of the notebook.
        notebook_path: String,
        /// The new content of the cell.
        new_source: String,
        ;
        /// The id of the cell.
        cell_id: String,
        /// The type of the cell.
        cell_type: NotebookCell,
        /// Whether the cell is replaced, inserted or deleted.
        edit_mode: NotebookEditMode,
    }
}

words! {
    /// The type of a notebook cell.
    pub enum NotebookCell {
        /// A cell with code.
        Code = "code",
        /// A cell with Markdown text.
        Markdown = "markdown",
    }

    /// The kind of edit of a notebook cell.
    pub enum NotebookEditMode {
        /// The content is replaced.
        Replace = "replace",
        /// A cell is inserted.
        Insert = "insert",
        /// The cell is deleted.
        Delete = "delete",
    }
}

impl MultiEditInput {
    /// Returns the paths of the edited files, without duplicates.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let named = self.edits.iter().filter_map(|edit| edit.file_path.as_deref()).chain(self.file_path.as_deref());
        named.collect::<std::collections::BTreeSet<_>>().into_iter()
    }
}
