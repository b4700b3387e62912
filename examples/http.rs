//! A server over HTTP with limits, allowed hosts and bearer tokens. The token `good` is accepted. This is the code of
//! `docs/http.md`, which shows requests with `curl`; a test compares the two.
//!
//! ```sh
//! cargo run --example http -- 8080
//! ```

use std::net::{IpAddr, SocketAddr};

use mcp_core::{Builder, Context, Principal, Server, tool, tools};
use mcp_http::{Http, Protection, ProxyHeader, ResourceError, TokenError};

/// Add two numbers.
#[tool(read_only, idempotent)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Say who is calling.
#[tool(read_only)]
async fn whoami(cx: &Context) -> String {
    cx.principal().map_or("nobody", Principal::owner).to_owned()
}

/// Forget everything.
#[tool(destructive, scope = "memory:write")]
async fn forget() {}

pub fn server() -> Builder {
    Server::builder("calculator", "1.0.0").tools(tools![add, whoami, forget])
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok()).unwrap_or(8080);
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    options().protect(protection()?).listen(server(), address).await?.serve().await?;
    Ok(())
}

pub fn options() -> Http {
    Http::new()
        .allow_hosts(["mcp.example.com"])
        .allow_origins(["https://app.example.com"])
        .max_body(1 << 20)
        .max_requests(200)
        .max_sessions(1000)
        .with_sse()
}

pub fn behind_a_proxy() -> Http {
    let proxies = [IpAddr::from([127, 0, 0, 1])];
    Http::new().allow_hosts(["mcp.example.com"]).trust_proxies(ProxyHeader::XForwardedFor, proxies)
}

pub fn protection() -> Result<Protection, ResourceError> {
    let bearer = |token: String| async move {
        match token.as_str() {
            "good" => Ok(Principal::new("ada").scopes(["tools"])),
            _ => Err(TokenError::Invalid),
        }
    };
    let protection = Protection::new("https://mcp.example.com/mcp", bearer)?;
    Ok(protection.issuers(["https://issuer.example.com"]).require(["tools"]))
}
