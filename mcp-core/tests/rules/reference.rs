//! Schemas that point elsewhere.

use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;

use mcp_core::{Context, Server, ToolSpec, tool_fn};
use serde_json::{Value, json};

use crate::session::Peer;

/// Whatever becomes of the tool, nothing is fetched: neither when the server is built nor when the tool is called.
#[test]
fn a_reference_to_elsewhere_reaches_neither_the_network_nor_the_disk() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let file = std::env::temp_dir().join(format!("mcp-core-reference-{}.json", std::process::id()));
    fs::write(&file, r#"{"type": "string"}"#).unwrap();
    for address in [format!("http://{}/x.json", listener.local_addr().unwrap()), format!("file://{}", file.display())] {
        let schema = json!({"type": "object", "properties": {"a": {"$ref": address}}});
        let tool = tool_fn(ToolSpec::new("far", "Far away.").input_schema(schema), |_: Value, _: Context| async { "ran" });
        if let Ok(server) = Server::builder("far", "1.0.0").tools(tool).build() {
            let mut peer = Peer::speaking("2025-11-25", server);
            let reply = peer.ask("tools/call", json!({"name": "far", "arguments": {"a": "text"}}));
            assert_eq!(reply["result"]["isError"], true, "what cannot be checked does not run: {reply}");
        }
        assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "somebody called");
    }
    fs::remove_file(file).unwrap();
}
