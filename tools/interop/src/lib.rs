//! Runs real MCP clients against servers of this framework, and records the messages between them.
//!
//! The clients are published ones in pinned versions: packages of npm and PyPI that [`Node`] and [`Python`] install under the
//! target folder, and Rust crates. A test creates a [`Sandbox`] and starts a client in it. The client starts the server with
//! the command of [`Sandbox::server`], which runs the server behind the program `recorder`. The test then checks what the
//! client reports, and the [`Recording`] of the messages: that no step is missing, that each response follows the official
//! schema, and that the server exited normally.
//!
//! There are three servers: the [`calculator`] example; the sample server ([`sample_tools`]) with a tool for each type of
//! parameter and output; and [`Everything`], which serves over HTTP what the official conformance suite needs.
//!
//! If a client cannot be installed, the check is reported as skipped: see [`test_env::needs`].

mod calculator;
mod conformance;
mod debian;
mod everything;
mod node;
mod python;
mod recording;
mod registry;
mod revisions;
mod samples;
mod sandbox;
mod scripts;

pub use calculator::{calculator, example_of};
pub use conformance::scenario_passed;
pub use debian::Debian;
pub use everything::{Everything, everything};
pub use node::Node;
pub use python::Python;
pub use recording::{Message, Recording};
pub use registry::registry_schema;
pub use samples::{Output, SampleCall, outputs, sample_calls, sample_tools};
pub use sandbox::Sandbox;
