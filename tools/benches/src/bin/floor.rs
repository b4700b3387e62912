//! The floor: a server with the tools of `examples/bench.rs`, written by hand without a framework.
//!
//! It reads a line, parses it with serde_json and writes the reply: at once, or with `--batch` when no more input is
//! buffered. It checks nothing beyond what serde checks. With `--file` it reads and writes through `File` and copies of the handles,
//! not through `std::io::stdin` and `stdout`. `--list FILE` names a file with the result of `tools/list`. The
//! benchmark writes the result of the framework there, so that both send the same bytes.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::{env, fs};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

const BUFFER: usize = 64 << 10;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().collect();
    let batch = arguments.iter().any(|argument| argument == "--batch");
    let list = match arguments.iter().position(|argument| argument == "--list") {
        Some(at) => fs::read_to_string(&arguments[at + 1])?,
        None => r#"{"tools":[]}"#.to_owned(),
    };
    if arguments.iter().any(|argument| argument == "--file") {
        let (input, output) = files()?;
        serve(input, output, batch, &list)
    } else {
        serve(io::stdin().lock(), io::stdout().lock(), batch, &list)
    }
}

/// Returns copies of the handles of standard input and output.
fn files() -> io::Result<(File, File)> {
    #[cfg(unix)]
    use std::os::fd::AsFd as _;
    #[cfg(windows)]
    use std::os::windows::io::AsHandle as _;

    #[cfg(unix)]
    let (input, output) = (io::stdin().as_fd().try_clone_to_owned()?, io::stdout().as_fd().try_clone_to_owned()?);
    #[cfg(windows)]
    let (input, output) = (io::stdin().as_handle().try_clone_to_owned()?, io::stdout().as_handle().try_clone_to_owned()?);
    Ok((input.into(), output.into()))
}

fn serve(input: impl Read, output: impl Write, batch: bool, list: &str) -> io::Result<()> {
    let mut input = BufReader::with_capacity(BUFFER, input);
    let mut output = BufWriter::with_capacity(BUFFER, output);
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return output.flush();
        }
        match serde_json::from_slice(&line) {
            Ok(request) => answer(&mut output, &request, list)?,
            Err(error) => refuse(&mut output, None, -32700, &error.to_string())?,
        }
        if !batch || input.buffer().is_empty() {
            output.flush()?;
        }
    }
}

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

fn answer(output: &mut impl Write, request: &Request<'_>, list: &str) -> io::Result<()> {
    let Some(id) = request.id else { return Ok(()) };
    let params = request.params.map_or("{}", RawValue::get);
    match &*request.method {
        "tools/call" => {
            if let Err(error) = call(output, id, params)? {
                refuse(output, Some(id), -32602, &error)?;
            }
            Ok(())
        }
        "initialize" => {
            #[derive(Deserialize)]
            struct Initialize<'a> {
                #[serde(borrow, rename = "protocolVersion")]
                version: &'a RawValue,
            }
            let asked: Initialize<'_> = serde_json::from_str(params)?;
            let version = asked.version;
            writeln!(
                output,
                r#"{{"jsonrpc":"2.0","id":{id},"result":{{"protocolVersion":{version},"capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"floor","version":"0"}}}}}}"#
            )
        }
        "server/discover" => writeln!(
            output,
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"floor","version":"0"}}}}}}"#
        ),
        "tools/list" => writeln!(output, r#"{{"jsonrpc":"2.0","id":{id},"result":{list}}}"#),
        "ping" => writeln!(output, r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#),
        _ => refuse(output, Some(id), -32601, "Method not found"),
    }
}

#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(Deserialize)]
struct Echo<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// Writes the result, or an error.
fn call(output: &mut impl Write, id: &RawValue, params: &str) -> io::Result<Result<(), String>> {
    let call: Call<'_> = match serde_json::from_str(params) {
        Ok(call) => call,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let arguments = call.arguments.map_or("{}", RawValue::get);
    let done = match &*call.name {
        "add" => serde_json::from_str(arguments).map(|Add { a, b }| text(output, id, &(a + b).to_string())),
        "echo" => serde_json::from_str(arguments).map(|echo: Echo<'_>| text(output, id, &echo.text)),
        "search" => serde_json::from_str(arguments).map(|asked| structured(output, id, &search(&asked))),
        other => return Ok(Err(format!("Unknown tool: {other}"))),
    };
    match done {
        Ok(written) => written.map(Ok),
        Err(error) => Ok(Err(error.to_string())),
    }
}

#[derive(Serialize)]
struct Reply<'a, R> {
    jsonrpc: &'static str,
    id: &'a RawValue,
    result: R,
}

#[derive(Serialize)]
struct CallResult<'a, S> {
    content: [Text<'a>; 1],
    #[serde(rename = "structuredContent", skip_serializing_if = "Option::is_none")]
    structured: Option<&'a S>,
}

#[derive(Serialize)]
struct Text<'a> {
    r#type: &'static str,
    text: &'a str,
}

fn text(output: &mut impl Write, id: &RawValue, text: &str) -> io::Result<()> {
    let result = CallResult::<()> { content: [Text { r#type: "text", text }], structured: None };
    write_line(output, &Reply { jsonrpc: "2.0", id, result })
}

fn structured(output: &mut impl Write, id: &RawValue, found: &Found) -> io::Result<()> {
    let text = serde_json::to_string(found)?;
    let result = CallResult { content: [Text { r#type: "text", text: &text }], structured: Some(found) };
    write_line(output, &Reply { jsonrpc: "2.0", id, result })
}

fn refuse(output: &mut impl Write, id: Option<&RawValue>, code: i32, message: &str) -> io::Result<()> {
    let message = serde_json::to_string(message)?;
    let id = id.map_or("null", RawValue::get);
    writeln!(output, r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":{message}}}}}"#)
}

fn write_line(output: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, value)?;
    output.write_all(b"\n")
}

#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Doc,
    Code,
    Issue,
}

#[derive(Deserialize)]
struct Filter {
    kind: Kind,
    min_score: Option<f64>,
}

#[derive(Deserialize)]
struct Search {
    query: String,
    #[serde(default = "ten")]
    limit: u32,
    filter: Option<Filter>,
}

fn ten() -> u32 {
    10
}

#[derive(Serialize)]
struct Hit {
    id: u32,
    title: String,
    kind: Kind,
    score: f64,
}

#[derive(Serialize)]
struct Found {
    total: u32,
    hits: Vec<Hit>,
}

fn search(asked: &Search) -> Found {
    run_search(&asked.query, asked.limit, asked.filter.as_ref())
}

include!("../../peers/search.rs");
