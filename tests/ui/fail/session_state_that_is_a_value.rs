use std::sync::Mutex;

use mcp_core::server;

#[derive(Default)]
struct Cart(Mutex<Vec<String>>);

fn main() {
    let _ = server!().session_state(Cart::default());
}
