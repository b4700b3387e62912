use mcp_core::toolset;

struct Calculator;

#[toolset]
impl std::fmt::Display for Calculator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("calculator")
    }
}

fn main() {}
