//! The golden transcripts: the same replies in memory, from the built binary, from the mounted server and over HTTP, each
//! valid by the official schemas.
//!
//! `UPDATE_TRANSCRIPTS=1 cargo test --test transports` writes down what the session answers now.

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

/// A server by the name of its example.
type Named = (&'static str, fn() -> Builder);

/// The servers that have transcripts, under `tests/transcripts/NAME/`.
const SERVERS: [Named; 4] =
    [("calculator", calculator::server), ("notes", notes::server), ("progress", progress::server), ("tasks", tasks::server)];

#[test]
fn in_memory_sessions_answer_as_written() {
    for (path, server) in transcripts() {
        let text = fs::read_to_string(&path).expect("just listed");
        let transcript = Transcript::parse(&text);
        let mut session = InMemory::new(server.1());
        if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
            let recorded = transcript.record(steadily(&mut session));
            fs::write(&path, recorded.to_string()).expect("the folder is writable");
        } else if let Err(mismatch) = transcript.play(steadily(&mut session)) {
            panic!("{}: {mismatch}", path.display());
        }
    }
}

#[test]
fn built_binaries_answer_as_written_and_exit_cleanly() {
    for (path, server) in transcripts() {
        let transcript = Transcript::parse(&fs::read_to_string(&path).expect("just listed"));
        let mut binary = ChildServer::start(server.0);
        if let Err(mismatch) = transcript.play(steadily(&mut binary)) {
            panic!("{}: {mismatch}", path.display());
        }
        assert_eq!(binary.end(), Some(0), "{}", path.display());
    }
}

/// Converses with what is another each time written the same: `TASK` is the task that was told of last, `DATE` a date.
fn steadily(partner: &mut impl Converse) -> impl FnMut(&[String], usize) -> Vec<String> {
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

/// Steps that cannot be the same on another way.
#[derive(Debug, Default, PartialEq)]
struct LeftOut {
    /// With a line that is no JSON.
    no_json: usize,
    /// About the time before a handshake.
    too_early: usize,
    /// Refused by the transport, in its own words.
    at_the_door: usize,
}

impl LeftOut {
    const fn new(no_json: usize, too_early: usize, at_the_door: usize) -> LeftOut {
        LeftOut { no_json, too_early, at_the_door }
    }

    fn expected(table: &[(&str, LeftOut)], path: &Path) -> LeftOut {
        let found = table.iter().find(|(name, _)| path.ends_with(name));
        found.map_or(LeftOut::default(), |(_, left_out)| LeftOut { ..*left_out })
    }
}

/// No frame can carry what is no JSON, and the session of a mounted server begins negotiated.
const NOT_MOUNTED: [(&str, LeftOut); 4] = [
    ("calculator/2025-03-26-batches.txt", LeftOut::new(0, 1, 0)),
    ("calculator/before-initialize.txt", LeftOut::new(0, 5, 0)),
    ("calculator/both-eras.txt", LeftOut::new(0, 1, 0)),
    ("calculator/not-requests.txt", LeftOut::new(6, 1, 0)),
];

#[test]
fn mounted_servers_answer_as_written() {
    for (path, server) in transcripts() {
        let transcript = Transcript::parse(&fs::read_to_string(&path).expect("just listed"));
        let (kept, left_out) = playable(&transcript, |message| message["method"] == "ping", |_| true);
        assert_eq!(left_out, LeftOut::expected(&NOT_MOUNTED, &path), "{}", path.display());
        if let Err(mismatch) = kept.play(steadily(&mut Mounted::new(server.1()))) {
            panic!("{}: {mismatch}", path.display());
        }
    }
}

/// Before a handshake there is no session to send anything to, and a stateless request must be whole.
const NOT_POSTED: [(&str, LeftOut); 5] = [
    ("calculator/2025-03-26-batches.txt", LeftOut::new(0, 1, 0)),
    ("calculator/2026-07-28.txt", LeftOut::new(0, 0, 1)),
    ("calculator/before-initialize.txt", LeftOut::new(0, 6, 0)),
    ("calculator/both-eras.txt", LeftOut::new(0, 1, 0)),
    ("calculator/not-requests.txt", LeftOut::new(6, 1, 0)),
];

#[test]
fn servers_over_http_answer_as_written() {
    for (path, server) in transcripts() {
        let transcript = Transcript::parse(&fs::read_to_string(&path).expect("just listed"));
        let is_whole = |message: &Value| {
            let meta = &message["params"]["_meta"];
            meta.get(VERSION).is_none() || meta.get("io.modelcontextprotocol/clientCapabilities").is_some()
        };
        let (kept, left_out) = playable(&transcript, |_| false, is_whole);
        assert_eq!(left_out, LeftOut::expected(&NOT_POSTED, &path), "{}", path.display());
        if let Err(mismatch) = kept.play(steadily(&mut HttpClient::new(server.1()))) {
            panic!("{}: {mismatch}", path.display());
        }
    }
}

/// The key of the revision in a stateless request.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// The steps of a transcript that go another way too: what may come before a handshake beside the handshake itself and what
/// is stateless, and what the transport lets in.
fn playable(
    transcript: &Transcript,
    may_be_early: impl Fn(&Value) -> bool,
    is_let_in: impl Fn(&Value) -> bool,
) -> (Transcript, LeftOut) {
    let (mut kept, mut left_out, mut negotiated) = (String::new(), LeftOut::default(), false);
    let needs_no_handshake = |message: &Value| {
        let is_stateless = message["params"]["_meta"].get(VERSION).is_some();
        is_stateless || message["method"] == "initialize" || may_be_early(message)
    };
    for step in transcript.steps() {
        let messages: Option<Vec<Value>> = step.sent.iter().map(|line| serde_json::from_str(line).ok()).collect();
        match messages {
            None => left_out.no_json += 1,
            Some(messages) if !negotiated && !messages.iter().all(needs_no_handshake) => left_out.too_early += 1,
            Some(messages) if !messages.iter().all(&is_let_in) => left_out.at_the_door += 1,
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
fn everything_written_is_valid_by_the_official_schemas() {
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

/// Everything that a server writes in a transcript, with the revision it is written in and the method it answers.
fn messages(transcript: &Transcript) -> Vec<(Revision, Option<String>, Value)> {
    // Before a handshake the rules of the oldest revision hold.
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
