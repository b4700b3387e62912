//! A server of the official Rust SDK over stdio. Tests start it and call it.

#[path = "../tests/peers/rmcp_peer.rs"]
mod rmcp_peer;

use std::error::Error;

use rmcp::ServiceExt as _;

use crate::rmcp_peer::Peer;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    Peer.serve(rmcp::transport::stdio()).await?.waiting().await?;
    Ok(())
}
