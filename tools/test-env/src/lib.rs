//! What the tests of this workspace need from the machine.
//!
//! A test that needs a program which is not part of Rust asks for it with [`needs`]. If it is missing, the check is skipped:
//! [`skip`] reports it, and `cargo xtask test` prints a summary of all skipped checks at its end. With `CI=true` a
//! skipped check is a failure.
//!
//! Packages from npm, PyPI and Debian are installed under the target folder by [`install_once`], in versions that lock files
//! pin. The first run needs the network, later runs do not.

mod agent_sdk;
mod install;
mod missing;
mod program;
mod python;
mod skip;
mod target;

pub use agent_sdk::{AGENT_SDK, agent_sdk};
pub use install::{install_once, run_step};
pub use missing::{Missing, needs};
pub use program::{Finished, run};
pub use python::PythonEnvironment;
pub use skip::{LOG_VARIABLE, skip};
pub use target::{target, workspace};
