//! Which sessions to list.

use std::path::{Path, PathBuf};

/// Which sessions to list, for [`History::list`](crate::History::list). The default is all sessions of all projects.
///
/// ```no_run
/// use mcp_agent_history::{Filter, History};
///
/// let history = History::of_home("/home/me");
/// let second_page = Filter::new().of("/code").programmatic(false).offset(20).limit(20);
/// for session in history.list(&second_page)? {
///     println!("{}", session.label().unwrap_or("(empty)"));
/// }
/// # Ok::<(), mcp_agent_history::HistoryError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Filter {
    pub(crate) cwd: Option<PathBuf>,
    pub(crate) worktrees: bool,
    pub(crate) programmatic: bool,
    pub(crate) offset: usize,
    pub(crate) limit: usize,
}

impl Filter {
    /// Creates a filter that lists all sessions.
    pub fn new() -> Self {
        Self { cwd: None, worktrees: true, programmatic: true, offset: 0, limit: usize::MAX }
    }

    /// Lists only sessions of this working directory.
    #[must_use]
    pub fn of(mut self, cwd: impl AsRef<Path>) -> Self {
        self.cwd = Some(cwd.as_ref().to_owned());
        self
    }

    /// Sets whether sessions of other worktrees of the same Git repository are listed too. They are by default.
    #[must_use]
    pub fn worktrees(mut self, include: bool) -> Self {
        self.worktrees = include;
        self
    }

    /// Sets whether sessions are listed that programs and daemons started. They are by default.
    #[must_use]
    pub fn programmatic(mut self, include: bool) -> Self {
        self.programmatic = include;
        self
    }

    /// Skips this many sessions.
    #[must_use]
    pub fn offset(mut self, offset: usize) -> Self {
        self.offset = offset;
        self
    }

    /// Lists at most this many sessions.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }
}

impl Default for Filter {
    fn default() -> Self {
        Self::new()
    }
}
