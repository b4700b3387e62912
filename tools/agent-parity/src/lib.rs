//! Compares the agent crates with the declarations of the official agent SDK, writes the page with the comparison, and moves the
//! pinned versions.

mod changes;
mod compare;
mod declarations;
mod install;
mod ours;
mod page;
mod pin;
mod python;
mod table;
mod tokens;
mod wire;

pub use changes::changes;
pub use compare::Comparison;
pub use declarations::{Declarations, Member};
pub use install::{declarations, folder, sdk};
pub use ours::{AGENT_CRATES, Items};
pub use page::{PAGE, page};
pub use pin::{Pin, in_sources, pinned};
pub use python::{python_names, python_sdk};
pub use table::{Row, Rows, Table};
pub use wire::shapes;
