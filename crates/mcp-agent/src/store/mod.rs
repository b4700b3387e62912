//! Session stores: copies of transcripts outside of the disk of this machine.
//!
//! The CLI writes the transcript of every session to disk. With [`Agent::session_store`](crate::Agent::session_store), each
//! line also goes to a [`SessionStore`], and a session is resumed from the store on a machine whose disk does not have it:
//!
//! ```no_run
//! # async fn f() -> Result<(), mcp_agent::Error> {
//! use std::sync::Arc;
//!
//! use mcp_agent::Agent;
//! use mcp_agent::store::{MemoryStore, SessionStore};
//!
//! let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
//! let mut session = Agent::new().session_store(store.clone()).open().await?;
//! // Later, on any machine that can reach the store:
//! let session = Agent::new().session_store(store).resume("d488c698-068e-4457-9ec7-72c8325f0bc5").open().await?;
//! # Ok(())
//! # }
//! ```
//!
//! [`MemoryStore`] keeps sessions in memory, for tests. The crate `mcp-agent-redis` keeps them in Redis, and
//! `mcp-agent-history` lists and reads the sessions of a store and imports sessions from disk.

mod folder;
mod key;
mod line;
mod memory;
mod mirror;
mod options;
mod output;
mod restore;
#[cfg(test)]
mod restore_tests;
mod summary;
#[cfg(test)]
mod tests;

use std::error::Error as StdError;
use std::fmt;

pub use folder::project_folder;
pub use key::{InvalidSubpath, SessionKey};
pub use line::StoredLine;
pub use memory::MemoryStore;
pub use options::Flush;
pub use summary::SessionSummary;

use crate::transport::Pending;

pub(crate) use options::StoreOptions;
pub(crate) use output::Mirrored;
pub(crate) use restore::restore;

/// An error of a store: any error type.
pub type StoreError = Box<dyn StdError + Send + Sync>;

/// A store of transcripts.
///
/// A transcript is a list of lines, each a JSON object in the format of the CLI. A store does not interpret them.
pub trait SessionStore: Send + Sync + fmt::Debug {
    /// Appends lines to a transcript, in this order. Creates the transcript if it does not exist.
    ///
    /// Lines can arrive twice: after an append that failed, and when a session is imported again. Most lines have a
    /// [`uuid`](StoredLine::uuid); a store should ignore a line whose uuid it already has in this transcript. Lines without a
    /// uuid, such as titles, are appended each time.
    fn append<'a>(&'a self, key: &'a SessionKey, lines: &'a [StoredLine]) -> Pending<'a, Result<(), StoreError>>;

    /// Returns all lines of a transcript, or `None` if it does not exist.
    fn load<'a>(&'a self, key: &'a SessionKey) -> Pending<'a, Result<Option<Vec<StoredLine>>, StoreError>>;

    /// Returns the summaries of all sessions of a project, in any order.
    ///
    /// A store keeps them up to date in [`append`](Self::append), with [`SessionSummary::fold`] for every append to a main
    /// transcript. If several processes append to the same session, the store must make this update atomic.
    fn sessions<'a>(&'a self, project: &'a str) -> Pending<'a, Result<Vec<SessionSummary>, StoreError>>;

    /// Returns the subpaths of a session: the transcripts of its sub-agents.
    fn subpaths<'a>(&'a self, session: &'a SessionKey) -> Pending<'a, Result<Vec<String>, StoreError>>;

    /// Deletes a transcript; for a main transcript also its summary and the transcripts of its sub-agents.
    ///
    /// The default does nothing, for stores whose content cannot be deleted.
    fn delete<'a>(&'a self, key: &'a SessionKey) -> Pending<'a, Result<(), StoreError>> {
        let _ = key;
        Box::pin(async { Ok(()) })
    }
}
