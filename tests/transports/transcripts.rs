//! The golden transcripts: the responses are the same in memory, over stdio, over HTTP and from a mounted server, and
//! they are valid by the official schemas.
//!
//! `UPDATE_TRANSCRIPTS=1 cargo test --test transports` writes the current responses into the transcripts.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use mcp_core::Builder;
use mcp_core::protocol::Revision;
use mcp_schema_check::Checker;
use mcp_test::Transcript;
use serde_json::Value;

use crate::conversation::{Converse, InMemory};
use crate::example_servers::{calculator, notes, progress, tasks};
use crate::http::HttpClient;
use crate::mount::Mounted;
use crate::stdio::ChildServer;

/// The name of an example and its server.
type Named = (&'static str, fn() -> Builder);

/// The servers that have transcripts, under `tests/transcripts/NAME/`.
const SERVERS: [Named; 4] =
    [("calculator", calculator::server), ("notes", notes::server), ("progress", progress::server), ("tasks", tasks::server)];

#[test]
fn an_in_memory_session_gives_the_responses_of_the_transcripts() {
    for (path, server) in transcripts() {
        let text = fs::read_to_string(&path).expect("just listed");
        let transcript = Transcript::parse(&text);
        let mut session = InMemory::new(server.1());
        if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
            let recorded = transcript.record(with_fixed_values(&mut session));
            fs::write(&path, recorded.to_string()).expect("the folder is writable");
        } else if let Err(mismatch) = transcript.play(with_fixed_values(&mut session)) {
            panic!("{}: {mismatch}", path.display());
        }
    }
}

#[test]
fn a_binary_gives_the_responses_of_the_transcripts_and_exits_with_status_zero() {
    for (path, server) in transcripts() {
        let transcript = Transcript::parse(&fs::read_to_string(&path).expect("just listed"));
        let mut binary = ChildServer::start(server.0);
        if let Err(mismatch) = transcript.play(with_fixed_values(&mut binary)) {
            panic!("{}: {mismatch}", path.display());
        }
        assert_eq!(binary.end(), Some(0), "{}", path.display());
    }
}

/// Replaces values that differ from run to run: the id of the latest task by `TASK`, dates by `DATE`.
fn with_fixed_values(partner: &mut impl Converse) -> impl FnMut(&[String], usize) -> Vec<String> {
    let mut task = String::new();
    move |lines, answers| {
        let lines: Vec<String> = lines.iter().map(|line| line.replace("TASK", &task)).collect();
        let received = partner.converse(&lines, answers);
        for line in &received {
            if let Some((_, rest)) = line.split_once(r#""taskId":""#) {
                task = rest.split('"').next().expect("there is a first").to_owned();
            }
        }
        received
            .into_iter()
            .map(|line| without_dates(&if task.is_empty() { line } else { line.replace(&task, "TASK") }))
            .collect()
    }
}

fn without_dates(line: &str) -> String {
    ["createdAt", "lastUpdatedAt"].iter().fold(line.to_owned(), |line, key| {
        let before = format!(r#""{key}":""#);
        let mut parts = line.split(&before).map(str::to_owned);
        let first = parts.next().unwrap_or_default();
        parts.fold(first, |line, rest| {
            let (_, rest) = rest.split_once('"').expect("a date is a string");
            format!(r#"{line}"{key}":"DATE"{rest}"#)
        })
    })
}

/// The number of steps that a transport cannot play, by reason.
#[derive(Debug, Default, PartialEq)]
struct LeftOut {
    /// Steps with a line that is not JSON.
    not_json: usize,
    /// Steps that need a session before the handshake.
    too_early: usize,
    /// Steps that the transport itself answers, or rejects with an error of its own.
    rejected: usize,
}

impl LeftOut {
    const fn new(not_json: usize, too_early: usize, rejected: usize) -> LeftOut {
        LeftOut { not_json, too_early, rejected }
    }

    fn expected(table: &[(&str, LeftOut)], path: &Path) -> LeftOut {
        let found = table.iter().find(|(name, _)| path.ends_with(name));
        found.map_or(LeftOut::default(), |(_, left_out)| LeftOut { ..*left_out })
    }
}

/// Control requests cannot contain invalid JSON, the session of a mounted server starts after the handshake, and a mounted
/// server accepts `initialize` without a revision.
const NOT_MOUNTED: [(&str, LeftOut); 4] = [
    ("calculator/2025-03-26-batches.txt", LeftOut::new(0, 1, 0)),
    ("calculator/before-initialize.txt", LeftOut::new(0, 5, 1)),
    ("calculator/both-eras.txt", LeftOut::new(0, 1, 0)),
    ("calculator/not-requests.txt", LeftOut::new(6, 1, 0)),
];

#[test]
fn a_mounted_server_gives_the_responses_of_the_transcripts() {
    for (path, server) in transcripts() {
        let transcript = Transcript::parse(&fs::read_to_string(&path).expect("just listed"));
        let (kept, left_out) = playable(&transcript, |message| message["method"] == "ping", names_its_revision);
        assert_eq!(left_out, LeftOut::expected(&NOT_MOUNTED, &path), "{}", path.display());
        if let Err(mismatch) = kept.play(with_fixed_values(&mut Mounted::new(server.1()))) {
            panic!("{}: {mismatch}", path.display());
        }
    }
}

/// Before the handshake there is no session, and HTTP rejects incomplete stateless requests.
const NOT_POSTED: [(&str, LeftOut); 5] = [
    ("calculator/2025-03-26-batches.txt", LeftOut::new(0, 1, 0)),
    ("calculator/2026-07-28.txt", LeftOut::new(0, 0, 1)),
    ("calculator/before-initialize.txt", LeftOut::new(0, 6, 0)),
    ("calculator/both-eras.txt", LeftOut::new(0, 1, 0)),
    ("calculator/not-requests.txt", LeftOut::new(6, 1, 0)),
];

#[test]
fn an_http_server_gives_the_responses_of_the_transcripts() {
    for (path, server) in transcripts() {
        let transcript = Transcript::parse(&fs::read_to_string(&path).expect("just listed"));
        let is_whole = |message: &Value| {
            let meta = &message["params"]["_meta"];
            meta.get(VERSION).is_none() || meta.get("io.modelcontextprotocol/clientCapabilities").is_some()
        };
        let (kept, left_out) = playable(&transcript, |_| false, is_whole);
        assert_eq!(left_out, LeftOut::expected(&NOT_POSTED, &path), "{}", path.display());
        if let Err(mismatch) = kept.play(with_fixed_values(&mut HttpClient::new(server.1()))) {
            panic!("{}: {mismatch}", path.display());
        }
    }
}

/// Returns false for an `initialize` without a revision.
fn names_its_revision(message: &Value) -> bool {
    message["method"] != "initialize" || message["params"].get("protocolVersion").is_some()
}

/// The key of the revision in a stateless request.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// Splits a transcript into the steps that a transport can play and the number of the others. Before the handshake it
/// keeps `initialize`, stateless requests and messages for which `may_be_early` is true. It leaves out messages that the
/// transport rejects.
fn playable(
    transcript: &Transcript,
    may_be_early: impl Fn(&Value) -> bool,
    is_accepted: impl Fn(&Value) -> bool,
) -> (Transcript, LeftOut) {
    let (mut kept, mut left_out, mut negotiated) = (String::new(), LeftOut::default(), false);
    let needs_no_handshake = |message: &Value| {
        let is_stateless = message["params"]["_meta"].get(VERSION).is_some();
        is_stateless || message["method"] == "initialize" || may_be_early(message)
    };
    for step in transcript.steps() {
        let messages: Option<Vec<Value>> = step.sent.iter().map(|line| serde_json::from_str(line).ok()).collect();
        match messages {
            None => left_out.not_json += 1,
            Some(messages) if !negotiated && !messages.iter().all(needs_no_handshake) => left_out.too_early += 1,
            Some(messages) if !messages.iter().all(&is_accepted) => left_out.rejected += 1,
            Some(_) => {
                kept += "#\n";
                kept.extend(step.sent.iter().map(|line| format!("> {line}\n")));
                kept.extend(step.received.iter().map(|line| format!("< {line}\n")));
            }
        }
        negotiated |= step.received.iter().any(|line| line.contains(r#""protocolVersion":"#));
    }
    (Transcript::parse(&kept), left_out)
}

#[test]
fn the_transcripts_are_valid_by_the_official_schemas() {
    let mut checked = 0;
    for (path, _) in transcripts() {
        let transcript = Transcript::parse(&fs::read_to_string(&path).expect("just listed"));
        for (revision, method, message) in messages(&transcript) {
            let message: Value =
                serde_json::from_str(&message.to_string().replace("DATE", "2026-07-28T12:00:00Z")).expect("JSON");
            let Some(checker) = Checker::new(revision.as_str()) else { return };
            let verdict = match (&method, message.get("method")) {
                (_, Some(_)) if message.get("id").is_some() => checker.check_request(&message),
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

/// Returns all messages of the server in a transcript, each with its revision and the method of the request that it
/// responds to.
fn messages(transcript: &Transcript) -> Vec<(Revision, Option<String>, Value)> {
    // Before a handshake the oldest revision applies.
    let (mut negotiated, mut last_named) = (Revision::V2024_11_05, None);
    let mut asked: HashMap<String, (Option<Revision>, String)> = HashMap::new();
    let mut messages = Vec::new();
    for step in transcript.steps() {
        for request in step.sent.iter().filter_map(|line| serde_json::from_str(line).ok()).flat_map(flat) {
            let named =
                request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str().and_then(Revision::parse);
            last_named = named.or(last_named);
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
            let is_unasked = message.get("method").is_some();
            let named = if is_unasked { last_named } else { question.as_ref().and_then(|(named, _)| *named) };
            let revision = named.unwrap_or(negotiated);
            messages.push((revision, question.map(|(_, method)| method), message));
        }
    }
    messages
}

/// Returns the messages of a batch, or the message itself.
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
