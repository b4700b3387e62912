//! The sample server with published clients: every client accepts every schema and passes every value on.

mod claude_code;
mod inspector;
mod javascript;
mod npm;

/// The names of the tools, in order.
fn names() -> Vec<String> {
    interop::sample_tools().iter().map(|tool| tool.spec().name().to_owned()).collect()
}
