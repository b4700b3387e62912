//! Prices of tokens, for estimates.

use std::collections::BTreeMap;

use super::tokens::Tokens;

/// The prices of one million tokens of a model, in US dollars.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Price {
    /// Input tokens.
    pub input: f64,
    /// Output tokens.
    pub output: f64,
    /// Tokens written to the cache.
    pub cache_write: f64,
    /// Tokens read from the cache.
    pub cache_read: f64,
}

impl Price {
    /// Creates a price with the usual ratios for the cache: writing costs 1.25 times the input price, reading 0.1
    /// times.
    pub fn new(input: f64, output: f64) -> Self {
        Self { input, output, cache_write: input * 1.25, cache_read: input * 0.1 }
    }

    /// Sets the price of tokens written to the cache.
    #[must_use]
    pub fn cache_write(mut self, dollars: f64) -> Self {
        self.cache_write = dollars;
        self
    }

    /// Sets the price of tokens read from the cache.
    #[must_use]
    pub fn cache_read(mut self, dollars: f64) -> Self {
        self.cache_read = dollars;
        self
    }

    /// Returns the cost of the tokens.
    pub fn of(&self, tokens: Tokens) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "an estimate")]
        let cost = |tokens: u64, price: f64| tokens as f64 * price / 1_000_000.0;
        cost(tokens.input, self.input)
            + cost(tokens.output, self.output)
            + cost(tokens.cache_write, self.cache_write)
            + cost(tokens.cache_read, self.cache_read)
    }
}

/// The prices of models, for estimates during a turn.
///
/// The default has the list prices of the models that the CLI supports, by prefixes of their names. Prices change and
/// contracts differ, so the cost that the CLI reports in a result is authoritative, and every price can be changed.
///
/// ```
/// # use mcp_agent::cost::{Price, Prices, Tokens};
/// let prices = Prices::default().with("claude-haiku", Price::new(0.5, 2.5));
/// assert_eq!(prices.cost("claude-haiku-4-5-20251001", Tokens::new(1_000_000, 0)), Some(0.5));
/// assert_eq!(prices.cost("unknown-model", Tokens::new(1, 1)), None);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Prices(BTreeMap<String, Price>);

impl Prices {
    /// Creates an empty list of prices.
    pub fn none() -> Self {
        Self(BTreeMap::new())
    }

    /// Sets the price of the models whose names start with this prefix.
    ///
    /// Existing prices for longer prefixes are removed: a price for `claude-haiku` applies to all of these models. A
    /// longer prefix that is set later takes precedence.
    #[must_use]
    pub fn with(mut self, model: impl Into<String>, price: Price) -> Self {
        let model = model.into();
        self.0.retain(|known, _| !known.starts_with(&model));
        self.0.insert(model, price);
        self
    }

    /// Returns the price of a model: that of the longest matching prefix.
    pub fn of(&self, model: &str) -> Option<Price> {
        let known = self.0.iter().filter(|(beginning, _)| model.starts_with(beginning.as_str()));
        known.max_by_key(|(beginning, _)| beginning.len()).map(|(_, price)| *price)
    }

    /// Returns the prefixes of model names that have a price, sorted.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns the cost of tokens of a model, or `None` if its price is unknown.
    pub fn cost(&self, model: &str, tokens: Tokens) -> Option<f64> {
        self.of(model).map(|price| price.of(tokens))
    }
}

impl Default for Prices {
    fn default() -> Self {
        let table = TABLE.iter().map(|(model, input, output, cache_read)| {
            ((*model).to_owned(), Price::new(*input, *output).cache_read(*cache_read))
        });
        Self(table.collect())
    }
}

/// List prices as charged by version 2.1.325 of the CLI: input, output, reading from the cache. Writing to the cache
/// costs 1.25 times the input price for all of them. A test with that CLI checks this table.
const TABLE: &[(&str, f64, f64, f64)] = &[
    ("claude-3-5-haiku", 0.8, 4.0, 0.08),
    ("claude-fable-5", 10.0, 50.0, 1.0),
    ("claude-fable-5-2", 8.0, 40.0, 0.2),
    ("claude-haiku-4-5", 1.0, 5.0, 0.1),
    ("claude-haiku-5-5", 0.1, 0.5, 0.01),
    ("claude-opus-4-5", 5.0, 25.0, 0.5),
    ("claude-opus-4-6", 5.0, 25.0, 0.5),
    ("claude-opus-4-7", 5.0, 25.0, 0.5),
    ("claude-opus-4-8", 5.0, 25.0, 0.5),
    ("claude-opus-5", 5.0, 25.0, 0.5),
    ("claude-opus-5-5", 4.0, 20.0, 0.2),
    ("claude-sonnet-4", 3.0, 15.0, 0.3),
    ("claude-sonnet-5", 2.0, 10.0, 0.2),
    ("claude-sonnet-5-5", 2.0, 10.0, 0.1),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_tokens_have_their_own_prices() {
        let tokens = Tokens { input: 1_000_000, output: 1_000_000, cache_write: 1_000_000, cache_read: 1_000_000 };
        assert_eq!(Price::new(4.0, 20.0).of(tokens), 4.0 + 20.0 + 5.0 + 0.4);
        assert_eq!(Price::new(4.0, 20.0).cache_write(4.0).cache_read(1.0).of(tokens), 29.0);
    }

    #[test]
    fn the_longest_prefix_wins_and_a_new_price_replaces_longer_prefixes() {
        let prices = Prices::none().with("a", Price::new(1.0, 1.0)).with("a-b", Price::new(2.0, 2.0));
        let input = |prices: &Prices, model| prices.of(model).map(|price| price.input);
        assert_eq!((input(&prices, "a-x"), input(&prices, "a-b-c"), input(&prices, "b")), (Some(1.0), Some(2.0), None));
        assert_eq!(input(&prices.with("a", Price::new(3.0, 3.0)), "a-b-c"), Some(3.0));
    }
}
