//! Lets real MCP clients loose on a server of this framework, and keeps what was said.
//!
//! The clients are the published ones, in pinned versions: npm and PyPI packages that [`Node`] and [`Python`] install
//! under the target folder, and Rust crates. A test makes a [`Sandbox`], tells a client to start the server that
//! [`Sandbox::server`] names, and looks at both sides: at what the client says it saw, and at what the [`Conversation`]s
//! on the wire were. The latter also proves that a client did not skip a step, that each reply follows the official
//! schema, and that the server ended well.
//!
//! There are three servers: the [`calculator`], which says all that a client may ask for, the [`zoo`], with a tool for each
//! kind of parameter and output, and [`Everything`], which serves over HTTP what the official conformance suite asks for.
//!
//! Where a client cannot be had, [`needs`] says so and the test returns; on a build machine (`CI=true`) it fails.

mod calculator;
mod conversation;
mod debian;
mod everything;
mod install;
mod missing;
mod node;
mod program;
mod python;
mod revisions;
mod sandbox;
mod zoo;

pub use calculator::{calculator, example_of};
pub use conversation::Conversation;
pub use debian::Debian;
pub use everything::{Everything, everything};
pub use missing::{Missing, needs};
pub use node::Node;
pub use program::{Finished, run};
pub use python::Python;
pub use sandbox::Sandbox;
pub use zoo::{Output, Sample, outputs, samples, zoo};
