//! Hosts the binary `instance` and the tests that start several of it.
