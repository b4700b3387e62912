//! Servers as values.
