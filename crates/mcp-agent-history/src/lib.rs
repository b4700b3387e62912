//! Reads and changes the sessions that the Claude Code CLI stores on disk.
//!
//! The CLI writes every session to `~/.claude/projects/<directory>/<session>.jsonl`, one JSON object per line. [`History`]
//! lists these files, reads them line by line or as a conversation, and renames, tags, archives, forks and deletes sessions.
//! It writes the format of the CLI, so the CLI and other programs see these changes. [`StoredSessions`] lists and reads the
//! sessions of a session store.
//!
//! ```no_run
//! use mcp_agent_history::{History, Record};
//!
//! let history = History::of_home("/home/me");
//! for session in history.sessions_of("/code/project")? {
//!     println!("{} {}", session.id, session.label().unwrap_or_default());
//!     for record in history.read(&session.id)? {
//!         if let Record::Message(entry) = record? {
//!             println!("  {}", entry.message.event_name());
//!         }
//!     }
//! }
//! # Ok::<(), mcp_agent_history::HistoryError>(())
//! ```
//!
//! Memory use does not depend on the size of the files: listing reads only the beginning and the end of each file, and
//! reading keeps one line in memory. Unknown and invalid lines are returned as such and do not stop the iteration. A running
//! session can be read but not changed.

mod archive;
mod chain;
mod change;
mod checkpoint;
mod conversation;
mod error;
mod filter;
mod fork;
mod history;
mod line;
mod preserved;
mod record;
mod running;
mod session;
mod stored;
mod stored_change;
mod subagent;
mod sys;
mod worktree;

pub use checkpoint::{Backup, FileChange, Snapshot, SnapshotFiles};
pub use conversation::Conversation;
pub use error::HistoryError;
pub use filter::Filter;
pub use fork::Fork;
pub use history::History;
pub use record::{Entry, Record, Records};
pub use session::SessionInfo;
pub use stored::{Import, StoredSessions};
pub use subagent::Subagent;
