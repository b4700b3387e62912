//! Checks the documentation: its code compiles, its JSON equals what the servers send, and its links lead to files.

mod code;
mod code_and_links;
#[path = "../support/example_servers.rs"]
#[allow(dead_code, reason = "other test targets use the rest")]
mod example_servers;
mod feature_pages;
mod http_page;
mod markdown;
mod prompt_and_resource_pages;
mod root_names;
mod survival_page;
mod threats_page;
mod tools_page;
