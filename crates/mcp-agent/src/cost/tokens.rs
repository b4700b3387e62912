//! Tokens, counted by what they cost.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use crate::message::{ModelUsage, Usage};

/// Tokens, counted apart where they are priced apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tokens {
    /// Read, beside what came from the cache.
    pub input: u64,
    /// Written.
    pub output: u64,
    /// Written to the cache.
    pub cache_write: u64,
    /// Read from the cache.
    pub cache_read: u64,
}

impl Tokens {
    /// So many read and written, and no cache.
    pub fn new(input: u64, output: u64) -> Self {
        Self { input, output, ..Self::default() }
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        [self.output, self.cache_write, self.cache_read].into_iter().fold(self.input, u64::saturating_add)
    }

    /// Of each kind the larger count: what two reports of the same answer say together.
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

    // What the CLI says may be anything, and a count that is too large is no reason to panic.
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
