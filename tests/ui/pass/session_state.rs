use std::sync::Mutex;

use mcp_core::{server, tool, tools};

#[derive(Default)]
struct Cart(Mutex<Vec<String>>);

/// Put something into the cart.
#[tool]
fn put(item: String, cart: &Cart) -> usize {
    let mut items = cart.0.lock().unwrap();
    items.push(item);
    items.len()
}

fn main() {
    let capacity = 10;
    let make = move || Cart(Mutex::new(Vec::with_capacity(capacity)));
    server!().session_state(make).tools(tools![put]).build().unwrap();
}
