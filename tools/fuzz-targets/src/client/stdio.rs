//! A server at the other end of a pipe.

use std::time::Duration;

use mcp_client::{Client, Revision};
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::runtime::Builder;

use super::script::Script;
use super::{options, use_everything};

/// The first byte selects the revision, and whether the handshake is part of the input. Each piece of the rest, up to a NUL byte,
/// is the answer to a request; `@` is its id. Later requests get no answer.
///
/// # Panics
/// If the client panics, sends an invalid message, does not end, or cannot be used any more although the connection is open.
pub fn client(data: &[u8]) {
    let [selector, script @ ..] = data else { return };
    let revisions = Revision::ALL;
    let revision = revisions[usize::from(selector & 0x0f) % revisions.len()];
    let handshake = (selector & 0x10 == 0).then_some(revision);
    // The clock advances only when nothing else can be done, so timeouts take no time.
    let runtime = Builder::new_current_thread().enable_all().start_paused(true).build().expect("a runtime");
    runtime.block_on(async {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(theirs);
        tokio::spawn(serve(read, write, Script::new(script), handshake));
        let (read, write) = tokio::io::split(ours);
        let builder = options(Client::connect(read, write), Duration::from_secs(1));
        let builder = if selector & 0x20 == 0 { builder.revision(revision) } else { builder };
        let work = async {
            let Ok(client) = builder.await else { return };
            use_everything(&client).await;
            // The rest of the script is over, so the server answers well.
            if handshake.is_some() {
                let last = client.call("last", ()).await;
                assert!(last.is_ok_and(|result| result.to_text() == "good"), "the client is of no use any more");
            }
            client.close().await;
        };
        tokio::time::timeout(Duration::from_secs(3600), work).await.expect("every operation has a timeout");
    });
}

async fn serve(
    read: impl AsyncRead + Unpin,
    mut write: impl AsyncWrite + Unpin,
    script: Script,
    handshake: Option<Revision>,
) {
    let (mut lines, mut handshake) = (BufReader::new(read).split(b'\n'), handshake);
    while let Ok(Some(line)) = lines.next_segment().await {
        let message: serde_json::Value = serde_json::from_slice(&line).expect("the client sends JSON");
        let answer = if let (true, Some(revision)) = (message["id"].is_u64(), handshake.take()) {
            let versions = json!({"supportedVersions": [revision.as_str()], "protocolVersion": revision.as_str()});
            let mut result = json!({"capabilities": {"tools": {}, "logging": {}}, "resultType": "complete"});
            result.as_object_mut().expect("an object").extend(versions.as_object().expect("an object").clone());
            json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string().into_bytes()
        } else if message["params"]["name"] == "last" {
            let result = json!({"content": [{"type": "text", "text": "good"}], "resultType": "complete"});
            // A line that the script has begun ends here.
            format!("\n{}", json!({"jsonrpc": "2.0", "id": message["id"], "result": result})).into_bytes()
        } else {
            script.answer(&line).unwrap_or_default()
        };
        if write.write_all(&answer).await.is_err() || write.write_all(b"\n").await.is_err() {
            return;
        }
    }
}
