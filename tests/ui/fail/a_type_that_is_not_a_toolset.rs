use mcp_core::Server;

struct Calculator;

fn main() {
    let _ = Server::builder("calculator", "1.0.0").tools(Calculator);
}
