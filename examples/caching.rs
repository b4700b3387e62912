//! Cache hints: how long clients may reuse lists and the contents of resources. This is the code of `docs/caching.md`; a
//! test compares the two.
//!
//! ```sh
//! cargo run --example caching -- docs
//! ```

use std::process::ExitCode;
use std::time::Duration;

use mcp_core::{Builder, Cache, Server, resource, resources};

/// The current weather.
#[resource("weather://now")]
fn now() -> &'static str {
    "rain"
}

/// The legend of the weather map.
#[resource("weather://legend", cache = Cache::public(Duration::from_secs(86_400)))]
fn legend() -> &'static str {
    "a dot is a town"
}

pub fn server() -> Builder {
    Server::builder("weather", env!("CARGO_PKG_VERSION"))
        .resources(resources![now, legend])
        .cache_lists(Cache::public(Duration::from_secs(7200)))
        .cache_reads(Cache::private(Duration::from_secs(30)))
}

fn main() -> ExitCode {
    mcp_stdio::run(server())
}
