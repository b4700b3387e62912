//! Usage and cost of sessions: as reported by the CLI, and estimates during a turn.

mod account;
mod answer;
mod budget;
mod price;
mod price_list;
mod tally;
mod tokens;

pub use account::ModelCost;
pub use answer::AnswerUsage;
pub use budget::{Budget, Spending};
pub use price::Price;
pub use price_list::{Prices, UnpricedModel};
pub use tally::Tally;
pub use tokens::Tokens;
