//! Token counts, by price category.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use crate::message::{ModelUsage, Usage};

/// Token counts, by price category.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tokens {
    /// Input tokens that were not read from the cache.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
    /// Tokens written to the cache.
    pub cache_write: u64,
    /// Tokens read from the cache.
    pub cache_read: u64,
}

impl Tokens {
    /// Creates counts of input and output tokens, without cache.
    pub fn new(input: u64, output: u64) -> Self {
        Self { input, output, ..Self::default() }
    }

    /// Returns the sum of all categories.
    pub fn total(&self) -> u64 {
        [self.output, self.cache_write, self.cache_read].into_iter().fold(self.input, u64::saturating_add)
    }

    /// Returns the maximum of each category, to combine two reports on the same answer.
    pub(super) fn at_least(self, other: Self) -> Self {
        Self {
            input: self.input.max(other.input),
            output: self.output.max(other.output),
            cache_write: self.cache_write.max(other.cache_write),
            cache_read: self.cache_read.max(other.cache_read),
        }
    }
}

impl Add for Tokens {
    type Output = Self;

    // Saturating: the counts come from the CLI and must not cause an overflow panic.
    fn add(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            cache_read: self.cache_read.saturating_add(other.cache_read),
        }
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
        Self {
            input: usage.input_tokens,
            output: usage.output_tokens,
            cache_write: usage.cache_creation_input_tokens,
            cache_read: usage.cache_read_input_tokens,
        }
    }
}

impl From<&ModelUsage> for Tokens {
    fn from(usage: &ModelUsage) -> Self {
        Self {
            input: usage.input_tokens,
            output: usage.output_tokens,
            cache_write: usage.cache_creation_input_tokens,
            cache_read: usage.cache_read_input_tokens,
        }
    }
}
