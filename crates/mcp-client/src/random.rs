//! Random numbers.

/// Returns a random number. If the system supplies none, returns a fixed number, which only removes the jitter.
pub(crate) fn random_u32() -> u32 {
    getrandom::u32().unwrap_or(u32::MAX / 2)
}
