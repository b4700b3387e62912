//! Answers clients before the first build is finished, because a build can take longer than clients wait.

use mcp_core::protocol::{Implementation, Revision};
use mcp_core::transport::{Code, PROTOCOL_VERSION, RpcError};
use serde_json::{Value, json};

/// Returns the response to `initialize` of a server that is not built yet. It declares everything that servers can have; the
/// lists of what the server turns out not to have are [empty](nothing).
pub(super) fn handshake(request: &Value, server: &Implementation) -> Value {
    let requested = request["params"]["protocolVersion"].as_str().unwrap_or_default();
    let changing = json!({"listChanged": true});
    let result = json!({
        "protocolVersion": Revision::negotiate(requested).as_str(),
        "capabilities": {
            "tools": changing, "prompts": changing, "resources": {"listChanged": true, "subscribe": true},
            "logging": {}, "completions": {},
        },
        "serverInfo": server,
    });
    json!({"jsonrpc": "2.0", "id": request["id"], "result": result})
}

/// Returns the response of a server that has nothing of the requested kind. `None` for requests that need a server.
pub(super) fn nothing(request: &Value) -> Option<Value> {
    let mut result = match request["method"].as_str()? {
        "tools/list" => json!({"tools": []}),
        "prompts/list" => json!({"prompts": []}),
        "resources/list" => json!({"resources": []}),
        "resources/templates/list" => json!({"resourceTemplates": []}),
        "completion/complete" => json!({"completion": {"values": []}}),
        "logging/setLevel" => json!({}),
        _ => return None,
    };
    if request["params"]["_meta"].get(PROTOCOL_VERSION).is_some() {
        for (key, value) in [("resultType", json!("complete")), ("ttlMs", json!(0)), ("cacheScope", json!("private"))] {
            result[key] = value;
        }
    }
    Some(json!({"jsonrpc": "2.0", "id": request["id"], "result": result}))
}

/// Returns the response to `server/discover` after which clients send `initialize`. Nobody knows yet whether the server has
/// the revision without a handshake.
pub(super) fn no_discovery(request: &Value) -> Option<Value> {
    let error = RpcError::new(Code::METHOD_NOT_FOUND, "the server is being built: use `initialize`");
    let is_discovery = request["method"] == "server/discover";
    is_discovery.then(|| json!({"jsonrpc": "2.0", "id": request["id"], "error": error}))
}
