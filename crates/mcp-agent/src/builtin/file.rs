//! Files: read, written, edited.

use super::inputs;
use crate::wire::words;

inputs! {
    /// Reads a file.
    pub struct ReadInput {
        /// The file, absolute.
        file_path: String,
        ;
        /// The first line, counted from 1.
        offset: u64,
        /// How many lines.
        limit: u64,
        /// Which pages of a document, such as `1-5`.
        pages: String,
    }

    /// Writes a whole file.
    pub struct WriteInput {
        /// The file, absolute.
        file_path: String,
        /// What is in it then.
        content: String,
    }

    /// Puts one text in the place of another.
    pub struct EditInput {
        /// The file, absolute.
        file_path: String,
        /// What stands there.
        old_string: String,
        /// What stands there then.
        new_string: String,
        ;
        /// Wherever it stands, not only where it stands once.
        replace_all: bool,
    }

    /// Several edits at once. Older CLIs have it.
    pub struct MultiEditInput {
        /// The edits, in order.
        edits: Vec<Replacement>,
        ;
        /// The file, where all edits are of one.
        file_path: String,
    }

    /// One edit of several.
    pub struct Replacement {
        /// What stands there.
        old_string: String,
        /// What stands there then.
        new_string: String,
        ;
        /// The file, where every edit names its own.
        file_path: String,
        /// Wherever it stands.
        replace_all: bool,
    }

    /// Changes a cell of a notebook.
    pub struct NotebookEditInput {
        /// The notebook, absolute.
        notebook_path: String,
        /// What is in the cell then.
        new_source: String,
        ;
        /// Which cell.
        cell_id: String,
        /// What kind of cell.
        cell_type: NotebookCell,
        /// Whether it is replaced, inserted or deleted.
        edit_mode: NotebookEditMode,
    }
}

words! {
    /// What kind of cell of a notebook.
    pub enum NotebookCell {
        /// Code.
        Code = "code",
        /// Text.
        Markdown = "markdown",
    }

    /// What happens to a cell of a notebook.
    pub enum NotebookEditMode {
        /// It has other content.
        Replace = "replace",
        /// It is new.
        Insert = "insert",
        /// It goes.
        Delete = "delete",
    }
}

impl MultiEditInput {
    /// The files that it edits, each once.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let named = self.edits.iter().filter_map(|edit| edit.file_path.as_deref()).chain(self.file_path.as_deref());
        named.collect::<std::collections::BTreeSet<_>>().into_iter()
    }
}
