//! The current TypeScript SDK.

use interop::Node;
use mcp_client::{Client, Revision};
use test_env::needs;

use crate::server::Server;
use crate::{over_http, process, run, sandbox, visit};

#[test]
fn the_typescript_sdk_serves_the_client_over_stdio() {
    let Some(node) = needs(Node::servers()) else { return };
    let place = sandbox("typescript-stdio");
    run(async {
        let client = process(node.script("server.mjs", &place)).await.unwrap();
        visit(&client, "typescript", Revision::NEWEST).await;
        client.close().await;
        for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
            let client = process(node.script("server.mjs", &place)).revision(revision).await.unwrap();
            visit(&client, "typescript", revision).await;
            client.close().await;
        }
    });
}

#[test]
fn the_typescript_sdk_serves_the_client_over_http() {
    let Some(node) = needs(Node::servers()) else { return };
    let place = sandbox("typescript-http");
    let server = Server::start("mcp", |port| {
        let mut command = node.script("server.mjs", &place);
        command.arg(port.to_string());
        command
    });
    run(async {
        let client = over_http(&server, Client::http).await;
        visit(&client, "typescript", Revision::NEWEST).await;
        for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
            let client = over_http(&server, |url| Client::http(url).revision(revision)).await;
            visit(&client, "typescript", revision).await;
        }
    });
}
