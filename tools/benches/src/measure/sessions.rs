//! Measures idle sessions over HTTP: the memory of each, and a call in one of them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::http::{Listening, program};
use super::memory::settled;
use super::plan::Plan;
use crate::contender::{OURS, RMCP};
use crate::dialect::Dialect;
use crate::folders::Folders;
use crate::metric::Metric;
use crate::progress::say;
use crate::record::Record;

/// The names of the servers in `http-bench`, and how many sessions they get at most.
const SERVERS: [(&str, &str, usize); 2] = [(OURS, "ours-sessions", usize::MAX), (RMCP, "rmcp-sessions", 10_000)];

/// The number of calls whose mean time is recorded.
const CALLS: u64 = 500;

/// The time limit of a response.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Opens more and more sessions on each server. They send nothing after the handshake and have no open stream.
pub(crate) fn sessions(folders: &Folders, plan: &Plan) -> Result<Vec<Record>> {
    say(format_args!("sessions: building"));
    let program = program(folders)?;
    let mut records = Vec::new();
    for (key, name, most) in SERVERS {
        say(format_args!("sessions: {key}"));
        let numbers: Vec<usize> = plan.sessions.iter().copied().filter(|number| *number <= most).collect();
        let server = Listening::start(&program, name)?;
        if let Err(error) = open_more(&server, key, &numbers, &mut records) {
            records.push(Record { server: key.to_owned(), error: Some(format!("{error:#}")), ..Record::default() });
        }
    }
    Ok(records)
}

/// Opens sessions until there are as many as each of the numbers, and measures there.
fn open_more(server: &Listening, key: &str, numbers: &[usize], records: &mut Vec<Record>) -> Result<()> {
    let mut client = Client::connect(&server.url)?;
    // The first session makes what all sessions share.
    let first = client.open()?;
    client.call(&first, 0)?;
    let before = settled(server.pid())?.anonymous;
    let mut open = 0;
    for &number in numbers {
        let mut last = String::new();
        for _ in open..number {
            last = client.open()?;
        }
        open = number;
        let memory = (settled(server.pid())?.anonymous - before) / number as f64;
        let start = Instant::now();
        for id in 1..=CALLS {
            client.call(&last, id)?;
        }
        let call = start.elapsed().as_nanos() as f64 / CALLS as f64;
        // The allocator gives whole pages: a few sessions may need none.
        let metrics = BTreeMap::from([(Metric::SessionMemory, memory.max(1.0)), (Metric::Call, call)]);
        records.push(Record { server: key.to_owned(), at: number as u64, metrics, ..Record::default() });
    }
    Ok(())
}

/// A client with one persistent connection.
struct Client {
    host: String,
    path: String,
    stream: BufReader<TcpStream>,
}

impl Client {
    fn connect(url: &str) -> Result<Client> {
        let (host, path) = url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).context("an address")?;
        let stream = TcpStream::connect(host)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        Ok(Client { host: host.to_owned(), path: path.to_owned(), stream: BufReader::new(stream) })
    }

    /// Makes the handshake, and returns the id of the session.
    fn open(&mut self) -> Result<String> {
        let (session, body) = self.post(None, &Dialect::Handshake.hello())?;
        ensure!(body.contains("protocolVersion"), "no session: {body}");
        let session = session.context("the response to `initialize` has no session id")?;
        self.post(Some(&session), Dialect::Handshake.ready())?;
        Ok(session)
    }

    fn call(&mut self, session: &str, id: u64) -> Result<()> {
        let request = Dialect::Handshake.call(id + 1, "echo", r#"{"text":"the same"}"#);
        let (_, body) = self.post(Some(session), &request)?;
        ensure!(body.contains("the same"), "a wrong response: {body}");
        Ok(())
    }

    /// Posts a message, and returns the id of the session and the body of the response.
    fn post(&mut self, session: Option<&str>, message: &str) -> Result<(Option<String>, String)> {
        let session =
            session.map_or_else(String::new, |id| format!("mcp-session-id: {id}\r\nmcp-protocol-version: 2025-11-25\r\n"));
        let (host, path, message) = (&self.host, &self.path, message.trim_end());
        let head = format!(
            "POST /{path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\n{session}content-length: {}\r\n\r\n",
            message.len()
        );
        self.stream.get_mut().write_all(format!("{head}{message}").as_bytes())?;
        let status = self.line()?;
        if !status.starts_with("HTTP/1.1 2") {
            bail!("{status}");
        }
        let (mut id, mut length) = (None, Some(0));
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(": ") else { break };
            match name.to_ascii_lowercase().as_str() {
                "mcp-session-id" => id = Some(value.to_owned()),
                "content-length" => length = Some(value.parse()?),
                "transfer-encoding" => length = None,
                _ => {}
            }
        }
        let body = match length {
            Some(length) => self.exactly(length)?,
            None => self.chunks()?,
        };
        Ok((id, String::from_utf8(body)?))
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        ensure!(self.stream.read_line(&mut line)? > 0, "the server closed the connection");
        Ok(line.trim_end().to_owned())
    }

    fn exactly(&mut self, length: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn chunks(&mut self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            let length = usize::from_str_radix(&self.line()?, 16).context("the length of a chunk")?;
            bytes.extend(self.exactly(length)?);
            self.line()?;
            if length == 0 {
                return Ok(bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// A server that sends these responses on one connection.
    fn server(responses: &'static [&'static str]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let mut stream = listener.accept().unwrap().0;
            for response in responses {
                let _ = stream.read(&mut [0; 4096]).unwrap();
                stream.write_all(response.as_bytes()).unwrap();
            }
        });
        format!("http://{address}/mcp")
    }

    #[test]
    fn both_forms_of_a_body_are_read_and_the_session_is_found() {
        let url = server(&[
            "HTTP/1.1 200 OK\r\nMcp-Session-Id: one\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
            "HTTP/1.1 202 Accepted\r\ncontent-length: 2\r\n\r\nok",
        ]);
        let mut client = Client::connect(&url).unwrap();
        assert_eq!(client.post(None, "{}").unwrap(), (Some("one".to_owned()), "abcde".to_owned()));
        assert_eq!(client.post(Some("one"), "{}").unwrap(), (None, "ok".to_owned()));
    }

    #[test]
    fn a_refusal_is_an_error() {
        let mut client = Client::connect(&server(&["HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n"])).unwrap();
        assert!(client.open().unwrap_err().to_string().contains("503"));
    }
}
