//! Compares the agent crates with the declarations of the official agent SDK.

mod compare;
mod declarations;
mod install;
mod ours;
mod table;
mod tokens;

pub use compare::Comparison;
pub use declarations::{Declarations, Member};
pub use install::{declarations, folder, sdk};
pub use ours::{AGENT_CRATES, Items};
pub use table::{Row, Rows, Table};
