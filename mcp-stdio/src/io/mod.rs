//! Reading messages and queueing replies.

pub(crate) mod async_output;
pub(crate) mod backpressure;
pub(crate) mod input;
pub(crate) mod output;
pub(crate) mod thread_streams;
