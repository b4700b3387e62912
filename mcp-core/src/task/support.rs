//! Which tools can be tasks.

/// Whether a tool may run as a task that the client comes back for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskSupport {
    /// Never.
    #[default]
    Forbidden,
    /// If the client wants it.
    Optional,
    /// Always.
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
