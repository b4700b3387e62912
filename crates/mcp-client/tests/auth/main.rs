//! OAuth: each flow and each attack against an authorization server of these tests, and the official conformance suite.

mod attacks;
mod browser;
mod conformance;
mod flows;
mod renewal;
mod test_server;
