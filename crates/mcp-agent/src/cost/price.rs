//! The prices of one model.

use super::answer::AnswerUsage;

/// The surcharge for models that run in the US only.
const US_ONLY: f64 = 1.1;

/// The prices of one million tokens of a model, in US dollars.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Price {
    /// The price of input tokens.
    pub input: f64,
    /// The price of output tokens.
    pub output: f64,
    /// Tokens written to the cache for 5 minutes.
    pub cache_write: f64,
    /// Tokens written to the cache for 1 hour.
    pub cache_write_1h: f64,
    /// Tokens read from the cache.
    pub cache_read: f64,
    /// The price of one web search.
    pub web_search: f64,
    /// What the token prices are multiplied by in fast mode.
    pub fast_factor: f64,
    /// What the token prices are multiplied by for a prompt that is longer than this number of tokens.
    pub long_prompt: Option<(u64, f64)>,
}

impl Price {
    /// Creates a price with the usual ratios for the cache: writing costs 1.25 times the input price for 5 minutes and
    /// twice the input price for 1 hour, reading 0.1 times. A web search costs 0.01 dollars.
    pub fn new(input: f64, output: f64) -> Self {
        Self {
            input,
            output,
            cache_write: input * 1.25,
            cache_write_1h: input * 2.0,
            cache_read: input * 0.1,
            web_search: 0.01,
            fast_factor: 1.0,
            long_prompt: None,
        }
    }

    /// Sets the price of tokens written to the cache for 5 minutes.
    #[must_use]
    pub fn cache_write(mut self, dollars: f64) -> Self {
        self.cache_write = dollars;
        self
    }

    /// Sets the price of tokens written to the cache for 1 hour.
    #[must_use]
    pub fn cache_write_1h(mut self, dollars: f64) -> Self {
        self.cache_write_1h = dollars;
        self
    }

    /// Sets the price of tokens read from the cache.
    #[must_use]
    pub fn cache_read(mut self, dollars: f64) -> Self {
        self.cache_read = dollars;
        self
    }

    /// Sets the price of one web search.
    #[must_use]
    pub fn web_search(mut self, dollars: f64) -> Self {
        self.web_search = dollars;
        self
    }

    /// Sets what the token prices are multiplied by in fast mode.
    #[must_use]
    pub fn fast_factor(mut self, factor: f64) -> Self {
        self.fast_factor = factor;
        self
    }

    /// Sets what the token prices are multiplied by for a prompt that is longer than `above` tokens.
    #[must_use]
    pub fn long_prompt(mut self, above: u64, factor: f64) -> Self {
        self.long_prompt = Some((above, factor));
        self
    }

    /// Returns the cost of an answer, or of tokens alone.
    pub fn of(&self, usage: impl Into<AnswerUsage>) -> f64 {
        let usage = usage.into();
        let tokens = usage.tokens;
        #[allow(clippy::cast_precision_loss, reason = "an estimate")]
        let cost = |count: u64, price: f64| count as f64 * price;
        let per_million = cost(tokens.input, self.input)
            + cost(tokens.output, self.output)
            + cost(tokens.cache_write, self.cache_write)
            + cost(tokens.cache_write_1h, self.cache_write_1h)
            + cost(tokens.cache_read, self.cache_read);
        let long = self.long_prompt.filter(|(above, _)| tokens.prompt() > *above).map_or(1.0, |(_, factor)| factor);
        let fast = if usage.fast { self.fast_factor } else { 1.0 };
        let region = if usage.us_only { US_ONLY } else { 1.0 };
        per_million / 1_000_000.0 * long * fast * region + cost(usage.web_searches, self.web_search)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Tokens;

    const MILLION: u64 = 1_000_000;

    #[test]
    fn each_category_of_tokens_has_its_own_price() {
        let cached = Tokens { cache_write: MILLION, cache_write_1h: MILLION, cache_read: MILLION, ..Tokens::default() };
        assert_eq!(Price::new(4.0, 20.0).of(cached + Tokens::new(MILLION, MILLION)), 4.0 + 20.0 + 5.0 + 8.0 + 0.4);
        assert_eq!(Price::new(4.0, 20.0).cache_write(4.0).cache_write_1h(7.0).cache_read(1.0).of(cached), 12.0);
    }

    #[test]
    fn web_searches_fast_mode_the_region_and_long_prompts_have_a_price() {
        let price = Price::new(4.0, 20.0).fast_factor(2.0).web_search(0.5).long_prompt(MILLION, 3.0);
        let usage = AnswerUsage { tokens: Tokens::new(MILLION, 0), web_searches: 2, ..AnswerUsage::default() };
        assert_eq!(price.of(usage), 5.0);
        assert_eq!(price.of(AnswerUsage { fast: true, ..usage }), 9.0);
        assert!((price.of(AnswerUsage { us_only: true, ..usage }) - 5.4).abs() < 1e-9);
        assert_eq!(price.of(AnswerUsage { tokens: Tokens::new(2 * MILLION, 0), ..usage }), 25.0);
    }
}
