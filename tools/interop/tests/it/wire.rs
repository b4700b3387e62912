//! What must have gone over the wire, seen from between client and server.

use interop::{Conversation, Sandbox};

/// Judges a complete visit, and returns the conversation in which it took place.
///
/// All earlier conversations may be only the probe of a client that asks for the server's revisions first.
#[track_caller]
pub(crate) fn assert_visited(sandbox: &Sandbox) -> Conversation {
    let mut conversations = sandbox.conversations();
    let visit = conversations.pop().expect("the client started the server");
    for probe in conversations {
        assert_eq!(probe.methods().collect::<Vec<_>>(), ["server/discover"]);
        assert!(probe.exchanges().all(|(_, reply)| reply.get("result").is_some()));
        probe.check();
    }
    visit.check();
    assert_eq!(visit.exit, Some(0), "the server ends well when its input ends");
    let called: Vec<_> = visit.exchanges().filter_map(|(request, _)| request["params"]["name"].as_str()).collect();
    assert_eq!(called, ["add", "divide", "statistics", "add", "no_such_tool"], "no call was skipped");
    let (_, refused) = visit.exchanges().find(|(request, _)| request["params"]["name"] == "no_such_tool").unwrap();
    assert_eq!(refused["error"]["code"], -32602, "the refusal came from the server");
    visit
}

/// That the connection was opened by the handshake and every request was of its era.
#[track_caller]
pub(crate) fn assert_handshake(visit: &Conversation) {
    let methods: Vec<_> = visit.methods().collect();
    assert_eq!(methods[..3], ["initialize", "notifications/initialized", "tools/list"], "{methods:?}");
    assert!(methods.contains(&"ping"), "{methods:?}");
}

/// That no request was of the handshake era.
#[track_caller]
pub(crate) fn assert_stateless(visit: &Conversation) {
    assert!(visit.methods().all(|method| method != "initialize"));
    for (request, _) in visit.exchanges() {
        let revision = &request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
        assert_eq!(revision, "2026-07-28", "{request}");
    }
}
