use std::cell::RefCell;

use mcp_core::server;

#[derive(Default)]
struct Cart(RefCell<Vec<String>>);

fn main() {
    let _ = server!().session_state(Cart::default);
}
