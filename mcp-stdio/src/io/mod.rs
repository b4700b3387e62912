//! Reading messages and queueing replies.

pub(crate) mod input;
pub(crate) mod queue;
pub(crate) mod streams;
pub(crate) mod task_output;
pub(crate) mod thread_streams;
