//! In whose name a call is made.

use mcp_core::{Builder, Context, Principal, Server, ToolSpec, schemars, serde, tool_fn};
use serde_json::{Value, json};

use crate::session::{Peer, stateless};

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "mcp_core::serde")]
#[schemars(crate = "mcp_core::schemars")]
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
fn a_call_is_made_in_the_name_of_whose_hands_it_came_through() {
    let mut peer = Peer::new(server());
    let said = |peer: &mut Peer| call(peer, json!({"name": "whoami"}))["result"]["content"][0]["text"].clone();
    assert_eq!(said(&mut peer), "nobody");
    peer.hold(Some(Principal::new("ada")));
    assert_eq!(said(&mut peer), "ada");
    peer.hold(Some(Principal::new("bob")));
    assert_eq!(said(&mut peer), "bob");
}

#[test]
fn what_travels_sealed_with_one_owner_opens_for_no_other() {
    let mut peer = Peer::new(server());
    peer.hold(Some(Principal::new("ada")));
    let asked = call(&mut peer, json!({"name": "ask"}));
    let requests = asked["result"]["inputRequests"].as_object().unwrap();
    let answer = json!({"action": "accept", "content": {"word": "swordfish"}});
    let responses: Value =
        requests.keys().map(|key| (key.clone(), answer.clone())).collect::<serde_json::Map<_, _>>().into();
    let again = json!({"name": "ask", "inputResponses": responses, "requestState": asked["result"]["requestState"]});

    for other in [Some(Principal::new("bob")), None] {
        peer.hold(other);
        assert_eq!(call(&mut peer, again.clone())["error"]["code"], -32602);
    }
    peer.hold(Some(Principal::new("ada")));
    assert_eq!(call(&mut peer, again)["result"]["content"][0]["text"], "swordfish");
}

#[test]
fn a_principal_calls_only_what_its_scopes_allow_and_who_is_not_authenticated_is_not_bound() {
    let mut peer = Peer::new(server());
    assert_eq!(call(&mut peer, json!({"name": "delete"}))["result"]["resultType"], "complete");
    for scopes in [&[][..], &["read"], &["write", "rea"]] {
        peer.hold(Some(Principal::new("ada").scopes(scopes.iter().copied())));
        let error = &call(&mut peer, json!({"name": "delete"}))["error"];
        assert_eq!((&error["code"], &error["data"]), (&json!(-32003), &json!({"requiredScopes": ["read", "write"]})));
        assert!(call(&mut peer, json!({"name": "whoami"}))["result"].is_object());
    }
    peer.hold(Some(Principal::new("ada").scopes(["write", "read"])));
    assert!(call(&mut peer, json!({"name": "delete"}))["result"].is_object());
}
