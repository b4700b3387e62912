//! The calls that every server gets, and the expected results.

use crate::dialect::Dialect;
use crate::fault::Fault;
use crate::reply::Reply;

/// A kind of call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work<'a> {
    /// Add two numbers with the tool of this name.
    Add(&'static str),
    /// Search with a nested filter, for structured output.
    Search,
    /// Echo this text.
    Echo(&'a Payload),
    /// List at least that many tools.
    List(usize),
}

impl Work<'_> {
    /// The line with the request.
    pub(crate) fn request(&self, dialect: Dialect, id: u64) -> String {
        match self {
            Work::Add(tool) => {
                let (a, b) = operands(id);
                dialect.call(id, tool, &format!(r#"{{"a":{a},"b":{b}}}"#))
            }
            Work::Search => {
                let filter = r#"{"kind":"code","min_score":0.2}"#;
                dialect.call(id, "search", &format!(r#"{{"query":"hello {id}","limit":10,"filter":{filter}}}"#))
            }
            Work::Echo(payload) => dialect.call(id, "echo", &payload.arguments),
            Work::List(_) => dialect.list(id),
        }
    }

    /// Checks the response to the request with this id.
    pub(crate) fn check(&self, id: u64, reply: &Reply<'_>) -> Result<(), Fault> {
        let result = reply.result()?;
        let right = match self {
            Work::Add(_) => {
                let (a, b) = operands(id);
                result.says(&(a + b).to_string())
            }
            Work::Search => result.found(&format!("hello {id}")),
            Work::Echo(payload) => result.says(&payload.text),
            Work::List(least) => result.tools.len() >= *least,
        };
        if right { Ok(()) } else { Err(Fault::Answer { id, reply: reply.start() }) }
    }
}

fn operands(id: u64) -> (i64, i64) {
    let id = id.cast_signed();
    (id * 7 + 1, (id * 13) % 1009 - 500)
}

/// A long text, and the arguments of `echo` with it.
#[derive(Debug)]
pub(crate) struct Payload {
    text: String,
    arguments: String,
}

impl Payload {
    /// Text of the given length, with some characters that JSON escapes and some beyond ASCII.
    pub(crate) fn new(characters: usize) -> Payload {
        let prose = "The quick brown fox jumps over the \"lazy\" dog, and so on for a while; caf\u{e9}.\n";
        let text: String = prose.chars().cycle().take(characters).collect();
        let arguments = serde_json::json!({ "text": text }).to_string();
        Payload { text, arguments }
    }
}
