//! What sessions use and cost: as told by the CLI, and estimated before it tells.

mod budget;
mod price;
mod tally;
mod tokens;

pub use budget::{Budget, Spending};
pub use price::{Price, Prices};
pub use tally::{Spent, Tally};
pub use tokens::Tokens;
