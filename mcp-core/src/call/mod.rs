//! One call: its state, its context, how it runs and how it ends.

pub(crate) mod cancellation;
pub(crate) mod context;
pub(crate) mod output_check;
pub(crate) mod progress;
pub(crate) mod running;
pub(crate) mod state;
pub(crate) mod status;
pub(crate) mod trace;
