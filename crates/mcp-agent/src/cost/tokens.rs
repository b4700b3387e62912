//! Token counts, by price category.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use crate::message::{ModelUsage, Usage};

/// Token counts, by price category.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tokens {
    /// The number of input tokens that were not read from the cache.
    pub input: u64,
    /// The number of output tokens.
    pub output: u64,
    /// The number of tokens written to the cache for 5 minutes.
    pub cache_write: u64,
    /// The number of tokens written to the cache for 1 hour.
    pub cache_write_1h: u64,
    /// The number of tokens read from the cache.
    pub cache_read: u64,
}

impl Tokens {
    /// Creates counts of input and output tokens, without cache.
    pub fn new(input: u64, output: u64) -> Self {
        Self { input, output, ..Self::default() }
    }

    /// Returns the sum of all categories.
    pub fn total(&self) -> u64 {
        self.prompt().saturating_add(self.output)
    }

    /// Returns the sum of all categories except the output: the length of the prompt.
    pub(super) fn prompt(&self) -> u64 {
        [self.cache_write, self.cache_write_1h, self.cache_read].into_iter().fold(self.input, u64::saturating_add)
    }

    /// Returns the maximum of each category, to combine two reports on the same answer.
    pub(super) fn at_least(self, other: Self) -> Self {
        self.each(other, u64::max)
    }

    /// Returns the difference of each category, or zero.
    pub(super) fn minus(self, other: Self) -> Self {
        self.each(other, u64::saturating_sub)
    }

    fn each(self, other: Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            input: combine(self.input, other.input),
            output: combine(self.output, other.output),
            cache_write: combine(self.cache_write, other.cache_write),
            cache_write_1h: combine(self.cache_write_1h, other.cache_write_1h),
            cache_read: combine(self.cache_read, other.cache_read),
        }
    }

    /// Splits the tokens written to the cache. The CLI does the same if the two parts do not add up to the total.
    fn with_cache_writes(self, all: u64, one_hour: u64) -> Self {
        let one_hour = one_hour.min(all);
        Self { cache_write: all - one_hour, cache_write_1h: one_hour, ..self }
    }
}

impl Add for Tokens {
    type Output = Self;

    // Saturating: the counts come from the CLI and must not cause an overflow panic.
    fn add(self, other: Self) -> Self {
        self.each(other, u64::saturating_add)
    }
}

impl AddAssign for Tokens {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Tokens {
    fn sum<I: Iterator<Item = Self>>(tokens: I) -> Self {
        tokens.fold(Self::default(), Add::add)
    }
}

impl From<&Usage> for Tokens {
    fn from(usage: &Usage) -> Self {
        let tokens =
            Self { cache_read: usage.cache_read_input_tokens, ..Self::new(usage.input_tokens, usage.output_tokens) };
        tokens.with_cache_writes(usage.cache_creation_input_tokens, usage.cache_creation.ephemeral_1h_input_tokens)
    }
}

impl From<&ModelUsage> for Tokens {
    fn from(usage: &ModelUsage) -> Self {
        let tokens =
            Self { cache_read: usage.cache_read_input_tokens, ..Self::new(usage.input_tokens, usage.output_tokens) };
        tokens.with_cache_writes(usage.cache_creation_input_tokens, usage.cache_creation_1h_input_tokens)
    }
}
