//! A limit of cost that is kept while a turn runs.

use super::price::Prices;
use super::tally::Tally;
use crate::error::Error;
use crate::handle::Handle;
use crate::message::Message;

/// How spending stands.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Spending {
    /// Within the limit, with about so many US dollars left.
    Within(f64),
    /// Over the limit by about so many US dollars.
    Over(f64),
}

/// A limit of cost that interrupts the turn that goes over it.
///
/// [`Agent::max_budget_usd`](crate::Agent::max_budget_usd) lets the CLI keep a limit for its own session. This one is for
/// what the CLI cannot know: several sessions under one limit, other prices, a limit that changes. It works with
/// estimates, so it may be a little early or, without partial messages, an answer late.
///
/// ```no_run
/// # async fn f(session: &mut mcp_agent::Session) -> Result<(), mcp_agent::Error> {
/// use mcp_agent::cost::Budget;
///
/// let mut budget = Budget::usd(0.50);
/// while let Some(message) = session.next().await? {
///     budget.guard(session, &message).await?;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Budget {
    limit: f64,
    prices: Prices,
    tally: Tally,
    interrupted: bool,
}

impl Budget {
    /// So many US dollars, for all that is fed to it.
    pub fn usd(limit: f64) -> Self {
        Self { limit, prices: Prices::default(), tally: Tally::new(), interrupted: false }
    }

    /// Estimates with other prices.
    #[must_use]
    pub fn prices(mut self, prices: Prices) -> Self {
        self.prices = prices;
        self
    }

    /// Changes the limit.
    pub fn set_limit(&mut self, usd: f64) {
        self.limit = usd;
    }

    /// Takes a message into account, and interrupts the turn once when it goes over the limit.
    ///
    /// A turn that begins when nothing is left is interrupted too. Returns how spending stands.
    ///
    /// # Errors
    /// When the CLI refuses the interrupt or is gone.
    pub async fn guard(&mut self, handle: &Handle, message: &Message) -> Result<Spending, Error> {
        let spending = self.feed(message);
        if matches!(spending, Spending::Over(_)) && !self.interrupted && is_of_a_turn(message) {
            self.interrupted = true;
            handle.interrupt().await?;
        }
        Ok(spending)
    }

    /// Takes a message into account, and leaves it to the caller what to do.
    pub fn feed(&mut self, message: &Message) -> Spending {
        self.tally.feed(message);
        if matches!(message, Message::Result(_)) {
            self.interrupted = false;
        }
        self.spending()
    }

    /// Takes the error of a turn into account: its result has cost too.
    pub fn fail(&mut self, error: &Error) -> Spending {
        if let Error::Turn(turn) = error {
            let session = turn.result.field::<String>("session_id").unwrap_or_default();
            self.tally.feed_result(&turn.result, &session);
            self.interrupted = false;
        }
        self.spending()
    }

    /// How spending stands.
    pub fn spending(&self) -> Spending {
        let left = self.limit - self.tally.estimate(&self.prices);
        if left < 0.0 { Spending::Over(-left) } else { Spending::Within(left) }
    }

    /// What was used.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }
}

/// Whether there is a turn to interrupt.
fn is_of_a_turn(message: &Message) -> bool {
    matches!(message, Message::Init(_) | Message::Assistant(_) | Message::Stream(_) | Message::User(_))
}
