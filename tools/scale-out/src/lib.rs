//! Hosts the binary and the tests of servers that are many.
