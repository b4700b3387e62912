//! The sessions that the Claude Code CLI keeps on disk.
//!
//! The CLI writes every session to `~/.claude/projects/<directory>/<session>.jsonl`, one JSON object a line. [`History`]
//! lists these files, reads them line by line, and renames, tags, forks and deletes sessions, in the CLI's own words: what
//! is changed here, the CLI and its other readers see.
//!
//! ```no_run
//! use mcp_agent_history::{History, Record};
//!
//! let history = History::of_home("/home/me");
//! for session in history.sessions_of("/code/project")? {
//!     println!("{} {}", session.id, session.title.or(session.first_prompt).unwrap_or_default());
//!     for record in history.read(&session.id)? {
//!         if let Record::Message(entry) = record? {
//!             println!("  {}", entry.message.event_name());
//!         }
//!     }
//! }
//! # Ok::<(), mcp_agent_history::HistoryError>(())
//! ```
//!
//! Nothing here holds a file in memory: a list reads the beginning and the end of each, reading holds one line. Lines that
//! nobody knows or that are broken are told as such and stop nothing. A session that runs is read but never written to.

mod change;
mod error;
mod history;
mod line;
mod record;
mod running;
mod session;

pub use error::HistoryError;
pub use history::History;
pub use record::{Entry, Record, Records};
pub use session::SessionInfo;
