//! The golden transcripts: the same replies in memory, from the built binary and from the mounted server, each valid by the
//! official schemas.
//!
//! `UPDATE_TRANSCRIPTS=1 cargo test --test it` writes down what the session answers now.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use mcp_core::{Builder, Revision};
use mcp_schema_check::Checker;
use mcp_test::Transcript;
use serde_json::Value;

use crate::binary::Served;
use crate::conversation::{Converse, InMemory};
use crate::examples::{calculator, progress};
use crate::mounted::Mounted;

/// A server by the name of its example.
type Named = (&'static str, fn() -> Builder);

/// The servers that have transcripts, under `tests/transcripts/NAME/`.
const SERVERS: [Named; 2] = [("calculator", calculator::server), ("progress", progress::server)];

#[test]
fn in_memory_sessions_answer_as_written() {
    for (path, server) in transcripts() {
        let text = fs::read_to_string(&path).expect("just listed");
        let transcript = Transcript::parse(&text);
        let mut session = InMemory::new(server.1());
        if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
            let recorded = transcript.record(|lines, answers| session.converse(lines, answers));
            fs::write(&path, recorded.to_string()).expect("the folder is writable");
        } else if let Err(mismatch) = transcript.play(|lines, answers| session.converse(lines, answers)) {
            panic!("{}: {mismatch}", path.display());
        }
    }
}

#[test]
fn built_binaries_answer_as_written_and_exit_cleanly() {
    for (path, server) in transcripts() {
        let transcript = Transcript::parse(&fs::read_to_string(&path).expect("just listed"));
        let mut binary = Served::start(server.0);
        if let Err(mismatch) = transcript.play(|lines, answers| binary.converse(lines, answers)) {
            panic!("{}: {mismatch}", path.display());
        }
        assert_eq!(binary.end(), Some(0), "{}", path.display());
    }
}

/// How many steps cannot be the same for a mounted server: those with a line that is no JSON, which no frame can carry, and
/// those about the time before a handshake, which a mounted server does not know: its session begins negotiated.
const NOT_MOUNTED: [(&str, LeftOut); 4] = [
    ("calculator/2025-03-26-batches.txt", LeftOut { no_json: 0, too_early: 1 }),
    ("calculator/before-initialize.txt", LeftOut { no_json: 0, too_early: 5 }),
    ("calculator/both-eras.txt", LeftOut { no_json: 0, too_early: 1 }),
    ("calculator/not-requests.txt", LeftOut { no_json: 6, too_early: 1 }),
];

#[derive(Debug, Default, PartialEq)]
struct LeftOut {
    no_json: usize,
    too_early: usize,
}

#[test]
fn mounted_servers_answer_as_written() {
    let expected = |path: &Path| NOT_MOUNTED.iter().find(|(name, _)| path.ends_with(name)).map(|(_, left_out)| left_out);
    for (path, server) in transcripts() {
        let transcript = Transcript::parse(&fs::read_to_string(&path).expect("just listed"));
        let (kept, left_out) = mountable(&transcript);
        assert_eq!(&left_out, expected(&path).unwrap_or(&LeftOut::default()), "{}", path.display());
        let mut mounted = Mounted::new(server.1());
        if let Err(mismatch) = kept.play(|lines, answers| mounted.converse(lines, answers)) {
            panic!("{}: {mismatch}", path.display());
        }
    }
}

/// The steps of a transcript that a mounted server answers as written.
fn mountable(transcript: &Transcript) -> (Transcript, LeftOut) {
    let (mut kept, mut left_out, mut negotiated) = (String::new(), LeftOut::default(), false);
    for step in transcript.steps() {
        if step.sent.iter().any(|line| serde_json::from_str::<Value>(line).is_err()) {
            left_out.no_json += 1;
        } else if !negotiated && !step.sent.iter().all(|line| needs_no_handshake(line)) {
            left_out.too_early += 1;
        } else {
            kept += "#\n";
            kept.extend(step.sent.iter().map(|line| format!("> {line}\n")));
            kept.extend(step.received.iter().map(|line| format!("< {line}\n")));
        }
        negotiated |= step.received.iter().any(|line| line.contains(r#""protocolVersion":"#));
    }
    (Transcript::parse(&kept), left_out)
}

/// Whether a line is answered alike before and after a handshake.
fn needs_no_handshake(line: &str) -> bool {
    let message: Value = serde_json::from_str(line).expect("just read");
    let stateless = message["params"]["_meta"].get("io.modelcontextprotocol/protocolVersion").is_some();
    stateless || matches!(message["method"].as_str(), Some("initialize" | "ping"))
}

#[test]
fn everything_written_is_valid_by_the_official_schemas() {
    let mut checked = 0;
    for (path, _) in transcripts() {
        let transcript = Transcript::parse(&fs::read_to_string(&path).expect("just listed"));
        for (revision, method, message) in messages(&transcript) {
            let Some(checker) = Checker::new(revision.as_str()) else { return };
            let verdict = match (&method, message.get("method")) {
                (_, Some(_)) => checker.check_notification(&message),
                (Some(method), None) => checker.check_reply(method, &message),
                (None, None) => checker.check_error(&message),
            };
            verdict.unwrap_or_else(|violations| panic!("{}: {message}\n{}", path.display(), violations.join("\n")));
            checked += 1;
        }
    }
    assert!(checked > 100, "only {checked} messages were checked");
}

/// Everything that a server writes in a transcript, with the revision it is written in and the method it answers.
fn messages(transcript: &Transcript) -> Vec<(Revision, Option<String>, Value)> {
    // Before a handshake the rules of the oldest revision hold.
    let mut negotiated = Revision::V2024_11_05;
    let mut asked: HashMap<String, (Option<Revision>, String)> = HashMap::new();
    let mut messages = Vec::new();
    for step in transcript.steps() {
        for request in step.sent.iter().filter_map(|line| serde_json::from_str(line).ok()).flat_map(flat) {
            let named =
                request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str().and_then(Revision::parse);
            if let (Some(method), Some(id)) = (request["method"].as_str(), request.get("id")) {
                asked.insert(id.to_string(), (named, method.to_owned()));
            }
        }
        for message in
            step.received.iter().map(|line| serde_json::from_str(line).expect("a server writes JSON")).flat_map(flat)
        {
            if let Some(agreed) = message["result"]["protocolVersion"].as_str() {
                negotiated = Revision::parse(agreed).expect("a known revision");
            }
            let question = message.get("id").and_then(|id| asked.get(&id.to_string())).cloned();
            let revision = question.as_ref().and_then(|(named, _)| *named).unwrap_or(negotiated);
            messages.push((revision, question.map(|(_, method)| method), message));
        }
    }
    messages
}

/// A message, or those of a batch.
fn flat(message: Value) -> Vec<Value> {
    match message {
        Value::Array(messages) => messages,
        message => vec![message],
    }
}

fn transcripts() -> Vec<(PathBuf, Named)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut found = Vec::new();
    for server in SERVERS {
        let folder = fs::read_dir(root.join(server.0)).expect("a folder of transcripts");
        found.extend(folder.map(|entry| (entry.expect("readable").path(), server)));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(found.len() >= 8, "transcripts are missing: {found:?}");
    found
}
