//! The code of the pages in `docs/`, one file for each page. A test in `tests/docs` compares the two.
#![allow(dead_code, unused_imports, reason = "some of it only has to compile")]

mod agent;
mod errors;
mod from_rmcp;
mod own_command_line;
mod state;
mod testing;
