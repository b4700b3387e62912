//! What sessions use and cost: as told by the CLI, and estimated before it tells.

mod account;
mod budget;
mod price;
mod tally;
mod tokens;

pub use account::Spent;
pub use budget::{Budget, Spending};
pub use price::{Price, Prices};
pub use tally::Tally;
pub use tokens::Tokens;
