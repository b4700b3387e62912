//! Schemas with external references.

use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;

use mcp_core::{Context, Server, ToolSpec, tool_fn};
use serde_json::{Value, json};

use crate::session::Peer;

/// Nothing is fetched when the server is built, and nothing when the tool is called.
#[test]
fn an_external_schema_reference_is_never_fetched() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let file = std::env::temp_dir().join(format!("mcp-core-reference-{}.json", std::process::id()));
    fs::write(&file, r#"{"type": "string"}"#).unwrap();
    for address in [format!("http://{}/x.json", listener.local_addr().unwrap()), format!("file://{}", file.display())] {
        let schema = json!({"type": "object", "properties": {"a": {"$ref": address}}});
        let tool = tool_fn(ToolSpec::new("far", "Far away.").input_schema(schema), |_: Value, _: Context| async { "ran" });
        if let Ok(server) = Server::builder("far", "1.0.0").tools(tool).build() {
            let mut peer = Peer::with_revision("2025-11-25", server);
            let reply = peer.ask("tools/call", json!({"name": "far", "arguments": {"a": "text"}}));
            assert_eq!(reply["result"]["isError"], true, "what cannot be checked does not run: {reply}");
        }
        assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "somebody called");
    }
    fs::remove_file(file).unwrap();
}
