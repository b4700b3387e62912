//! What the recording of a client of the calculator must contain.

use interop::{Recording, Sandbox};

/// Checks the recording of all calls, and returns it.
///
/// A client may have started the server before to find out its revisions. The earlier recordings must contain only that.
#[track_caller]
pub(crate) fn assert_recorded(sandbox: &Sandbox) -> Recording {
    let mut recordings = sandbox.recordings();
    let recording = recordings.pop().expect("the client started the server");
    for probe in recordings {
        assert_eq!(probe.client_methods().collect::<Vec<_>>(), ["server/discover"]);
        assert!(probe.exchanges().all(|(_, response)| response.get("result").is_some()));
        probe.check();
    }
    recording.check();
    assert_eq!(recording.exit, Some(0), "the server exits normally at the end of its input");
    let called: Vec<_> = recording.exchanges().filter_map(|(request, _)| request["params"]["name"].as_str()).collect();
    assert_eq!(called, ["add", "divide", "statistics", "add", "no_such_tool"], "the client made all calls");
    let (_, response) = recording.exchanges().find(|(request, _)| request["params"]["name"] == "no_such_tool").unwrap();
    assert_eq!(response["error"]["code"], -32602, "the error came from the server");
    recording
}

/// Checks that the client began with `initialize`.
#[track_caller]
pub(crate) fn assert_handshake(recording: &Recording) {
    let methods: Vec<_> = recording.client_methods().collect();
    assert_eq!(methods[..3], ["initialize", "notifications/initialized", "tools/list"], "{methods:?}");
    assert!(methods.contains(&"ping"), "{methods:?}");
}

/// Checks that the client made no handshake, and that every request names its revision.
#[track_caller]
pub(crate) fn assert_stateless(recording: &Recording) {
    assert!(recording.client_methods().all(|method| method != "initialize"));
    for (request, _) in recording.exchanges() {
        let revision = &request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
        assert_eq!(revision, "2026-07-28", "{request}");
    }
}
