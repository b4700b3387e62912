use mcp_core::{tool, tools};

#[tool(name = "no spaces", colour = "red")]
unsafe fn many<T>(text: &str, (a, b): (i64, i64), value: T) -> impl Sized {
    let _ = (text, a, b, value);
}

fn main() {
    let _ = tools![many];
}
