//! A cost limit that is enforced during a turn.

use super::price_list::{Prices, UnpricedModel};
use super::tally::Tally;
use crate::error::Error;
use crate::handle::Handle;
use crate::message::Message;

/// Spending compared to the limit.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Spending {
    /// Within the limit. The value is the remaining amount in US dollars, approximately.
    Within(f64),
    /// Over the limit. The value is the excess in US dollars, approximately.
    Over(f64),
}

/// A cost limit that interrupts a turn when it is exceeded.
///
/// [`Agent::max_budget_usd`](crate::Agent::max_budget_usd) makes the CLI enforce a limit for one session. Use `Budget`
/// for what the CLI cannot do: one limit for several sessions, custom prices, a limit that changes. It uses estimates,
/// so it may interrupt slightly early. Without partial messages it may interrupt one answer late.
///
/// A model without a price is an error, because what it costs may be over the limit. [`Prices::with`] and
/// [`Prices::otherwise`] set prices.
///
/// ```no_run
/// # async fn f(session: &mut mcp_agent::Session) -> Result<(), mcp_agent::Error> {
/// use mcp_agent::cost::Budget;
///
/// let mut budget = Budget::usd(0.50);
/// while let Some(message) = session.next().await? {
///     budget.guard(&session.handle(), &message).await?;
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
    /// Creates a limit in US dollars for all messages that are fed to it.
    pub fn usd(limit: f64) -> Self {
        Self { limit, prices: Prices::default(), tally: Tally::new(), interrupted: false }
    }

    /// Sets the prices for the estimate.
    #[must_use]
    pub fn prices(mut self, prices: Prices) -> Self {
        self.prices = prices;
        self
    }

    /// Changes the limit.
    pub fn set_limit(&mut self, usd: f64) {
        self.limit = usd;
    }

    /// Counts a message, and interrupts the turn once if the limit is exceeded or a model has no price. Returns the
    /// spending.
    ///
    /// A turn that starts when the limit is reached is interrupted too.
    ///
    /// # Errors
    /// [`Error::UnpricedModel`] if a model has no price, [`Error::Refused`] if the CLI rejects the interrupt,
    /// [`Error::Ended`] if the CLI has exited.
    pub async fn guard(&mut self, handle: &Handle, message: &Message) -> Result<Spending, Error> {
        let spending = self.feed(message);
        if !matches!(spending, Ok(Spending::Within(_))) && !self.interrupted && is_of_a_turn(message) {
            self.interrupted = true;
            handle.interrupt().await?;
        }
        Ok(spending?)
    }

    /// Counts a message and returns the spending, without interrupting.
    ///
    /// # Errors
    /// If a model has no price.
    pub fn feed(&mut self, message: &Message) -> Result<Spending, UnpricedModel> {
        self.tally.feed(message);
        if matches!(message, Message::Result(_)) {
            self.interrupted = false;
        }
        self.spending()
    }

    /// Counts the result of a failed turn, which has a cost too.
    ///
    /// # Errors
    /// If a model has no price.
    pub fn fail(&mut self, error: &Error) -> Result<Spending, UnpricedModel> {
        if let Error::Turn(turn) = error {
            let session = turn.result.field::<String>("session_id").unwrap_or_default();
            self.tally.feed_result(&turn.result, &session);
            self.interrupted = false;
        }
        self.spending()
    }

    /// Returns the spending compared to the limit.
    ///
    /// # Errors
    /// If a model has no price.
    pub fn spending(&self) -> Result<Spending, UnpricedModel> {
        let left = self.limit - self.tally.estimate(&self.prices)?;
        Ok(if left < 0.0 { Spending::Over(-left) } else { Spending::Within(left) })
    }

    /// Returns the recorded usage.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }
}

/// Returns whether the message is part of a turn, which can then be interrupted.
fn is_of_a_turn(message: &Message) -> bool {
    matches!(message, Message::Init(_) | Message::Assistant(_) | Message::Stream(_) | Message::User(_))
}
