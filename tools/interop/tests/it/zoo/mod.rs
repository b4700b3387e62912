//! A tool for each kind of parameter and output, in front of real clients: none refuses one, none loses one.

mod claude_code;
mod inspector;
mod javascript;
mod npm;

/// What every client must see, in order.
fn names() -> Vec<String> {
    interop::zoo().iter().map(|tool| tool.spec().name().to_owned()).collect()
}
