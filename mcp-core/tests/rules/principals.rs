//! Principals: the authenticated client of a call, and its scopes.

use mcp_core::{Builder, Context, Principal, Server, ToolSpec, json_type, tool_fn};
use serde_json::{Value, json};

use crate::session::{Peer, stateless};

#[json_type]
struct Word {
    word: String,
}

fn server() -> Builder {
    let whoami = tool_fn(ToolSpec::new("whoami", "Who calls."), |_: Value, cx: Context| async move {
        cx.principal().map_or("nobody", Principal::owner).to_owned()
    });
    let ask = tool_fn(ToolSpec::new("ask", "Ask for a word."), |_: Value, cx: Context| async move {
        cx.elicit::<Word>("Which?").await.map(|said| said.accepted().map_or_else(String::new, |said| said.word))
    });
    let delete = tool_fn(ToolSpec::new("delete", "Delete.").scopes(["read", "write"]), |_: Value, _: Context| async {});
    Server::builder("doors", "1.0.0").tools([whoami, ask, delete])
}

fn call(peer: &mut Peer, mut params: Value) -> Value {
    params["_meta"] = stateless();
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {"form": {}}});
    peer.ask("tools/call", params)
}

#[test]
fn a_call_has_the_principal_of_its_connection() {
    let mut peer = Peer::new(server());
    let said = |peer: &mut Peer| call(peer, json!({"name": "whoami"}))["result"]["content"][0]["text"].clone();
    assert_eq!(said(&mut peer), "nobody");
    peer.set_principal(Some(Principal::new("ada")));
    assert_eq!(said(&mut peer), "ada");
    peer.set_principal(Some(Principal::new("bob")));
    assert_eq!(said(&mut peer), "bob");
}

#[test]
fn sealed_state_opens_only_for_its_owner() {
    let mut peer = Peer::new(server());
    peer.set_principal(Some(Principal::new("ada")));
    let asked = call(&mut peer, json!({"name": "ask"}));
    let requests = asked["result"]["inputRequests"].as_object().unwrap();
    let answer = json!({"action": "accept", "content": {"word": "swordfish"}});
    let responses: Value =
        requests.keys().map(|key| (key.clone(), answer.clone())).collect::<serde_json::Map<_, _>>().into();
    let again = json!({"name": "ask", "inputResponses": responses, "requestState": asked["result"]["requestState"]});

    for other in [Some(Principal::new("bob")), None] {
        peer.set_principal(other);
        assert_eq!(call(&mut peer, again.clone())["error"]["code"], -32602);
    }
    peer.set_principal(Some(Principal::new("ada")));
    assert_eq!(call(&mut peer, again)["result"]["content"][0]["text"], "swordfish");
}

#[test]
fn scopes_are_checked_for_principals_and_not_for_unauthenticated_clients() {
    let mut peer = Peer::new(server());
    assert_eq!(call(&mut peer, json!({"name": "delete"}))["result"]["resultType"], "complete");
    for scopes in [&[][..], &["read"], &["write", "rea"]] {
        peer.set_principal(Some(Principal::new("ada").scopes(scopes.iter().copied())));
        let error = &call(&mut peer, json!({"name": "delete"}))["error"];
        assert_eq!((&error["code"], &error["data"]), (&json!(-32003), &json!({"requiredScopes": ["read", "write"]})));
        assert!(call(&mut peer, json!({"name": "whoami"}))["result"].is_object());
    }
    peer.set_principal(Some(Principal::new("ada").scopes(["write", "read"])));
    assert!(call(&mut peer, json!({"name": "delete"}))["result"].is_object());
}
