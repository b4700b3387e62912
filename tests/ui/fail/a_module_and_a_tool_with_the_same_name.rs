mod add {
    use mcp_core::tool;

    /// Add two numbers.
    #[tool]
    pub fn add(a: i64, b: i64) -> i64 {
        a + b
    }
}

// `tools![add::add]` works; this does not, since the tool is a type and a type and a module may not share a name.
use add::add;

fn main() {}
