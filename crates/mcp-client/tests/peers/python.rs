//! The official Python SDK.

use interop::Python;
use mcp_client::{Client, Revision};
use test_env::needs;

use crate::server::Server;
use crate::{over_http, process, run, sandbox, visit};

const REVISIONS: [Revision; 3] = [Revision::V2025_06_18, Revision::V2025_11_25, Revision::NEWEST];

#[test]
fn the_python_sdk_serves_the_client_over_stdio() {
    let Some(python) = needs(Python::clients()) else { return };
    let place = sandbox("python-stdio");
    run(async {
        let client = process(python.script("server.py", &place)).await.unwrap();
        visit(&client, "python", Revision::NEWEST).await;
        client.close().await;
        for revision in REVISIONS {
            let client = process(python.script("server.py", &place)).revision(revision).await.unwrap();
            visit(&client, "python", revision).await;
            client.close().await;
        }
    });
}

#[test]
fn the_python_sdk_serves_the_client_over_http() {
    let Some(python) = needs(Python::clients()) else { return };
    let place = sandbox("python-http");
    let server = Server::start("mcp", |port| {
        let mut command = python.script("server.py", &place);
        command.arg(port.to_string());
        command
    });
    run(async {
        let client = over_http(&server, Client::http).await;
        visit(&client, "python", Revision::NEWEST).await;
        for revision in REVISIONS {
            let client = over_http(&server, |url| Client::http(url).revision(revision)).await;
            visit(&client, "python", revision).await;
        }
    });
}
