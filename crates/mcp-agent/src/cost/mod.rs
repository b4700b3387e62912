//! Usage and cost of sessions: as reported by the CLI, and estimates during a turn.

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
