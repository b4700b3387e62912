//! The prices of models, by name.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use super::answer::AnswerUsage;
use super::price::Price;

/// The prices of models, for estimates during a turn.
///
/// The default has the list prices of all models that the CLI has prices for. A model is found by its name, also with a
/// date (`claude-haiku-4-5-20251001`) and in the spelling of Bedrock and Vertex
/// (`us.anthropic.claude-haiku-4-5-20251001-v1:0`, `claude-haiku-4-5@20251001`). Prices change and contracts differ, so the
/// cost that the CLI reports in a result is authoritative, and every price can be changed.
///
/// A model without a price is an error of [`Budget`](super::Budget): its cost is not known to be within the limit. Give it
/// a price with [`with`](Self::with), or all such models with [`otherwise`](Self::otherwise).
///
/// ```
/// # use mcp_agent::cost::{Price, Prices, Tokens};
/// let prices = Prices::default().with("claude-haiku", Price::new(0.5, 2.5));
/// assert_eq!(prices.cost("claude-haiku-4-5-20251001", Tokens::new(1_000_000, 0)), Some(0.5));
/// assert_eq!(prices.cost("unknown-model", Tokens::new(1, 1)), None);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Prices {
    list: BTreeMap<&'static str, Price>,
    prefixes: BTreeMap<String, Price>,
    otherwise: Option<Price>,
}

/// The error for a model whose price is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnpricedModel {
    /// The name of the model.
    pub model: String,
}

impl Prices {
    /// Creates an empty list of prices.
    pub fn none() -> Self {
        Self { list: BTreeMap::new(), prefixes: BTreeMap::new(), otherwise: None }
    }

    /// Sets the price of the models whose names start with this prefix, in place of the list price. If several prefixes
    /// match, the longest applies.
    #[must_use]
    pub fn with(mut self, model: impl Into<String>, price: Price) -> Self {
        self.prefixes.insert(model.into(), price);
        self
    }

    /// Sets the price of all models that have no other price.
    #[must_use]
    pub fn otherwise(mut self, price: Price) -> Self {
        self.otherwise = Some(price);
        self
    }

    /// Returns the price of a model.
    pub fn of(&self, model: &str) -> Option<Price> {
        let name = model.to_lowercase();
        let name = without_provider(&name);
        let prefixes = self.prefixes.iter().filter(|(prefix, _)| model.starts_with(*prefix) || name.starts_with(*prefix));
        let own = prefixes.max_by_key(|(prefix, _)| prefix.len()).map(|(_, price)| *price);
        own.or_else(|| self.listed(name)).or(self.otherwise)
    }

    /// Returns the names of the models that have a list price, sorted.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        self.list.keys().copied()
    }

    /// Returns the cost of an answer of a model, or `None` if its price is unknown.
    pub fn cost(&self, model: &str, usage: impl Into<AnswerUsage>) -> Option<f64> {
        self.of(model).map(|price| price.of(usage))
    }

    /// Returns the cost of an answer of a model. Zero usage costs zero for every model.
    pub(super) fn estimate(&self, model: &str, usage: AnswerUsage) -> Result<f64, UnpricedModel> {
        if usage.is_nothing() {
            return Ok(0.0);
        }
        self.cost(model, usage).ok_or_else(|| UnpricedModel { model: model.to_owned() })
    }

    fn listed(&self, name: &str) -> Option<Price> {
        let is_this = |model: &&str| name.strip_prefix(*model).is_some_and(is_spelling);
        let model = self.list.keys().copied().filter(is_this).max_by_key(|model| model.len())?;
        self.list.get(model).copied()
    }
}

/// Returns the name without what Bedrock puts before it: a resource name, a region, the vendor.
fn without_provider(name: &str) -> &str {
    let name = name.rsplit('/').next().unwrap_or(name);
    match name.find("anthropic.") {
        Some(0) => &name["anthropic.".len()..],
        Some(at) if name[..at].ends_with('.') => &name[at + "anthropic.".len()..],
        _ => name,
    }
}

/// Returns whether this text after the name of a model leaves it the same model: nothing, a date, a revision. A short
/// number is a minor version, and so another model.
fn is_spelling(rest: &str) -> bool {
    let Some(next) = rest.strip_prefix(['-', '@', '[']) else {
        return rest.is_empty();
    };
    let digits = next.chars().take_while(char::is_ascii_digit).count();
    digits == 0 || digits >= 8 || rest.starts_with('[')
}

impl Default for Prices {
    fn default() -> Self {
        Self { list: list().collect(), ..Self::none() }
    }
}

impl fmt::Display for UnpricedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no price is known for the model {:?}: set one with Prices::with or Prices::otherwise", self.model)
    }
}

impl Error for UnpricedModel {}

/// List prices as charged by version 2.1.327 of the CLI: input, output, reading from the cache, and the factor of fast
/// mode. A test asks that CLI for the price of every model that it knows and compares.
const LIST: &[(&str, f64, f64, f64, f64)] = &[
    ("claude-3-5-haiku", 0.8, 4.0, 0.08, 1.0),
    ("claude-3-5-sonnet", 3.0, 15.0, 0.3, 1.0),
    ("claude-3-7-sonnet", 3.0, 15.0, 0.3, 1.0),
    ("claude-fable-5", 10.0, 50.0, 1.0, 1.0),
    ("claude-fable-5-1", 10.0, 50.0, 0.25, 1.0),
    ("claude-fable-5-2", 8.0, 40.0, 0.2, 2.0),
    ("claude-haiku-4-5", 1.0, 5.0, 0.1, 1.0),
    ("claude-haiku-5-5", 0.1, 0.5, 0.01, 1.0),
    ("claude-mythos-5", 10.0, 50.0, 1.0, 1.0),
    ("claude-mythos-5-1", 10.0, 50.0, 0.25, 1.0),
    ("claude-mythos-5-2", 8.0, 40.0, 0.2, 2.0),
    ("claude-opus-4", 15.0, 75.0, 1.5, 1.0),
    ("claude-opus-4-0", 15.0, 75.0, 1.5, 1.0),
    ("claude-opus-4-1", 15.0, 75.0, 1.5, 1.0),
    ("claude-opus-4-5", 5.0, 25.0, 0.5, 1.0),
    ("claude-opus-4-6", 5.0, 25.0, 0.5, 6.0),
    ("claude-opus-4-7", 5.0, 25.0, 0.5, 6.0),
    ("claude-opus-4-8", 5.0, 25.0, 0.5, 2.0),
    ("claude-opus-5", 5.0, 25.0, 0.5, 2.0),
    ("claude-opus-5-5", 4.0, 20.0, 0.2, 2.0),
    ("claude-sonnet-4", 3.0, 15.0, 0.3, 1.0),
    ("claude-sonnet-4-0", 3.0, 15.0, 0.3, 1.0),
    ("claude-sonnet-4-5", 3.0, 15.0, 0.3, 1.0),
    ("claude-sonnet-4-6", 3.0, 15.0, 0.3, 1.0),
    ("claude-sonnet-5", 2.0, 10.0, 0.2, 1.0),
    ("claude-sonnet-5-5", 2.0, 10.0, 0.1, 1.0),
];

fn list() -> impl Iterator<Item = (&'static str, Price)> {
    LIST.iter().map(|(model, input, output, cache_read, fast)| {
        let price = Price::new(*input, *output).cache_read(*cache_read).fast_factor(*fast);
        // The only model with other prices for long prompts.
        let is_by_length = *model == "claude-haiku-5-5";
        (*model, if is_by_length { price.long_prompt(100_000, 5.0) } else { price })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(prices: &Prices, model: &str) -> Option<f64> {
        prices.of(model).map(|price| price.input)
    }

    #[test]
    fn a_price_of_the_caller_wins_and_the_longest_prefix_applies() {
        let prices = Prices::default().with("claude-opus", Price::new(1.0, 1.0)).with("claude-opus-5", Price::new(2.0, 1.0));
        assert_eq!((input(&prices, "claude-opus-4-5"), input(&prices, "claude-opus-5-5")), (Some(1.0), Some(2.0)));
        assert_eq!(input(&prices, "us.anthropic.claude-opus-4-5-20251101-v1:0"), Some(1.0));
        assert_eq!(input(&Prices::none().with("Acme", Price::new(3.0, 1.0)), "Acme-1"), Some(3.0));
    }

    #[test]
    fn a_model_is_found_in_the_spellings_of_all_providers() {
        let prices = Prices::default();
        let spellings = [
            "claude-opus-4-5",
            "claude-opus-4-5-20251101",
            "claude-opus-4-5@20251101",
            "Claude-Opus-4-5[1m]",
            "anthropic.claude-opus-4-5-20251101-v1:0",
            "us.anthropic.claude-opus-4-5-20251101-v1:0",
            "arn:aws:bedrock:us-east-1:1:inference-profile/global.anthropic.claude-opus-4-5-20251101-v1:0",
        ];
        for name in spellings {
            assert_eq!(input(&prices, name), Some(5.0), "{name}");
        }
    }

    #[test]
    fn an_unknown_version_has_no_price_unless_there_is_one_for_all() {
        let prices = Prices::default();
        let unknown = ["claude-opus-5-9", "claude-opus-57", "claude-opus", "gpt-x", "", "myanthropic.claude-opus-5"];
        for name in unknown {
            assert_eq!(input(&prices, name), None, "{name}");
            assert_eq!(input(&prices.clone().otherwise(Price::new(9.0, 9.0)), name), Some(9.0), "{name}");
        }
    }
}
