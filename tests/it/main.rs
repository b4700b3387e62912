//! One binary for the tests of the whole.
