//! Whether a tool can run as a task.

/// Whether a tool can run as a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskSupport {
    /// The tool never runs as a task.
    #[default]
    Forbidden,
    /// The tool runs as a task if the client requests it.
    Optional,
    /// The tool always runs as a task.
    Required,
}

impl TaskSupport {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            TaskSupport::Forbidden => "forbidden",
            TaskSupport::Optional => "optional",
            TaskSupport::Required => "required",
        }
    }
}
