//! A file server with the tools of the npm package `@modelcontextprotocol/server-filesystem`.
//!
//! `tools/` has the tools, one file for each group. `folders` has the folders that clients may use, `place` finds a file in them.
//! Everything is opened relative to a handle of such a folder, so a link that appears between the check and the use does not lead
//! out of it.

mod folders;
mod place;
mod sys;
mod tools;

use mcp_core::{Builder, server, tools};

pub use folders::Folders;

/// Builds the server, for `main` and for tests.
pub fn server(folders: Folders) -> Builder {
    use tools::{change, list, read, search};
    server!()
        .tools(tools![
            read::read_file,
            read::read_text_file,
            read::read_media_file,
            read::read_multiple_files,
            change::write_file,
            change::edit_file,
            change::create_directory,
            list::list_directory,
            list::list_directory_with_sizes,
            search::directory_tree,
            change::move_file,
            search::search_files,
            list::get_file_info,
            list::list_allowed_directories,
        ])
        .state(folders)
}
