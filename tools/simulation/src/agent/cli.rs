//! The other side of an agent session: a CLI that also does what the protocol does not allow.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use mcp_agent_test::ManualCli;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until, timeout};

use super::messages::{Account, cut_line};
use crate::random::Random;
use crate::trace::Trace;

/// The time after which a response is lost: nothing in this world takes so long.
const LOST: Duration = Duration::from_secs(60);

/// What the response to a request must be.
#[derive(Clone, Debug)]
enum Expected {
    /// A success that contains this text.
    Success(String),
    Error,
    /// A success with this text, or an error. For a request that was cancelled when its response may have been on its way, and for
    /// one with the id of an open request, which is an error unless its work is done at once.
    Either(String),
}

impl Expected {
    fn or_error(self) -> Expected {
        match self {
            Expected::Success(text) => Expected::Either(text),
            other => other,
        }
    }
}

/// The responses that the session still owes to the requests with one id.
#[derive(Debug, Default)]
struct Owed {
    expected: Vec<Expected>,
    /// Errors that belong to one of the [`Expected::Either`]. Which one shows when the others have their responses.
    errors: usize,
}

impl Owed {
    /// Takes a response. Returns whether it fits.
    fn take(&mut self, is_error: bool, text: &str) -> bool {
        let place = self.expected.iter().position(|expected| match expected {
            Expected::Error => is_error,
            Expected::Success(own) | Expected::Either(own) => !is_error && text.contains(own),
        });
        match place {
            Some(place) => drop(self.expected.swap_remove(place)),
            None if is_error => self.errors += 1,
            None => return false,
        }
        self.errors <= self.expected.iter().filter(|expected| matches!(expected, Expected::Either(_))).count()
    }

    fn is_done(&self) -> bool {
        self.expected.len() == self.errors
    }
}

/// A simulated CLI.
pub(super) struct Cli {
    lines: ManualCli,
    random: Random,
    trace: Trace,
    account: Account,
    next_id: u64,
    /// The ids of the hook callbacks.
    hooks: Vec<String>,
    /// The requests that the session must answer, with what the response must contain.
    open: BTreeMap<String, Owed>,
    /// Requests of the session that are answered later.
    unanswered: VecDeque<(Value, Value)>,
}

impl Cli {
    pub(super) fn new(lines: ManualCli, random: Random, trace: Trace, account: Account) -> Cli {
        let (hooks, open, unanswered) = (Vec::new(), BTreeMap::new(), VecDeque::new());
        Cli { lines, random, trace, account, next_id: 0, hooks, open, unanswered }
    }

    /// Answers the handshake, then does random things. The CLI exits at once (`true`) or lets everything proceed first.
    pub(super) async fn run(mut self, exits: bool) -> Result<(), String> {
        let outcome = self.proceed(exits).await;
        self.account.cli_has_ended();
        outcome
    }

    async fn proceed(&mut self, exits: bool) -> Result<(), String> {
        for _ in 0..80 {
            let deadline = Instant::now() + self.random.millis(30);
            while let Ok(line) = timeout(deadline - Instant::now(), self.lines.next_line()).await {
                let Some(line) = line else { return Ok(()) };
                self.receive(&line)?;
            }
            sleep_until(deadline).await;
            if !self.hooks.is_empty() {
                self.act();
            }
        }
        if exits {
            self.trace.note("the CLI exits");
            return Ok(());
        }
        self.finish().await
    }

    /// Waits for the response to every request, until the session closes the input.
    async fn finish(&mut self) -> Result<(), String> {
        for id in self.open.keys().cloned().collect::<Vec<_>>() {
            self.cancel(&id);
        }
        self.trace.note("the CLI waits");
        loop {
            while let Some((id, answer)) = self.unanswered.pop_front() {
                self.respond(&id, &answer);
            }
            let line = match self.open.is_empty() {
                true => self.lines.next_line().await,
                false => match timeout(LOST, self.lines.next_line()).await {
                    Ok(line) => line,
                    Err(_) => return Err(format!("no response to {:?}", self.open)),
                },
            };
            let Some(line) = line else { return Ok(()) };
            self.receive(&line)?;
        }
    }

    /// A line of the session.
    fn receive(&mut self, line: &[u8]) -> Result<(), String> {
        let frame: Value = serde_json::from_slice(line).map_err(|error| format!("the session sent no JSON: {error}"))?;
        match frame["type"].as_str() {
            Some("control_response") => self.judge(&frame["response"]),
            Some("control_request") => {
                self.asked(&frame);
                Ok(())
            }
            Some("control_cancel_request") => {
                self.trace.note("< cancel");
                Ok(())
            }
            other => Err(format!("unexpected line of type {other:?}")),
        }
    }

    /// Checks a response: each request gets one, with its own content.
    fn judge(&mut self, response: &Value) -> Result<(), String> {
        let id = response["request_id"].as_str().unwrap_or_default().to_owned();
        let text = response.to_string();
        self.trace.note(format_args!("< {id} {}", response["subtype"]));
        let Some(owed) = self.open.get_mut(&id) else { return Err(format!("a response to no open request: {text}")) };
        if !owed.take(response["subtype"] == "error", &text) {
            return Err(format!("a response with other content than {owed:?}: {text}"));
        }
        if owed.is_done() {
            self.open.remove(&id);
        }
        Ok(())
    }

    /// A request of the session is answered now or later.
    fn asked(&mut self, frame: &Value) {
        let (id, request) = (frame["request_id"].clone(), &frame["request"]);
        if request["subtype"] == "initialize" {
            let hooks = request["hooks"]["PreToolUse"][0]["hookCallbackIds"].as_array().cloned().unwrap_or_default();
            self.hooks = hooks.iter().filter_map(|id| id.as_str().map(str::to_owned)).collect();
            self.respond(&id, &json!({}));
            return;
        }
        if request["subtype"] == "interrupt" {
            self.trace.note("< interrupt");
            self.account.interrupt();
        }
        let answer = json!({"n": request["n"]});
        match self.random.chance(2) {
            true => self.respond(&id, &answer),
            false => self.unanswered.push_back((id, answer)),
        }
    }

    /// One random event.
    fn act(&mut self) {
        match self.random.below(16) {
            0..2 => self.permission(),
            2 => self.hook(),
            3..7 => self.call(),
            7 => self.ask(json!({"subtype": "of_a_newer_version"}), Expected::Error),
            8 => self.misbehave(),
            9 if !self.open.is_empty() => {
                let ids: Vec<String> = self.open.keys().cloned().collect();
                let id = self.random.pick(&ids);
                self.cancel(&id);
            }
            10 if !self.unanswered.is_empty() => {
                let index = self.random.below(self.unanswered.len());
                if let Some((id, answer)) = self.unanswered.remove(index) {
                    self.respond(&id, &answer);
                    // Answered twice.
                    if self.random.chance(4) {
                        self.respond(&id, &json!({"n": -1}));
                    }
                }
            }
            11..13 => self.messages(1),
            13 => self.messages(15),
            14 => {
                let line = cut_line(&mut self.random);
                self.trace.note(format_args!("> {} bytes of a line that was cut", line.len()));
                self.lines.send_line(line);
            }
            _ => self.send(&json!({"type": "keep_alive"})),
        }
    }

    /// Sends some messages.
    fn messages(&mut self, most: usize) {
        for _ in 0..=self.random.below(most) {
            let message = self.account.send(&mut self.random);
            self.trace.note(format_args!("> {}", message.line));
            self.lines.send_line(message.line);
        }
    }

    fn permission(&mut self) {
        let (number, ms) = (self.next_id, self.random.next() % 60);
        let input = json!({"ms": ms, "number": number});
        let request =
            json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": input, "tool_use_id": format!("use-{number}")});
        self.ask(request, Expected::Success(format!(r#""toolUseID":"use-{number}""#)));
    }

    fn hook(&mut self) {
        let (callback, ms) = (self.hooks[0].clone(), self.random.next() % 60);
        let input =
            json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"ms": ms}, "tool_use_id": "u"});
        self.ask(
            json!({"subtype": "hook_callback", "callback_id": callback, "input": input}),
            Expected::Success("success".to_owned()),
        );
    }

    /// A call of a tool of the mounted server.
    fn call(&mut self) {
        let tool = self.random.pick(&["echo", "nap", "nap", "hang"]);
        let text = format!("text {}", self.next_id);
        let params = json!({"name": tool, "arguments": {"text": text, "ms": self.random.next() % 60}});
        let message = json!({"jsonrpc": "2.0", "id": self.next_id, "method": "tools/call", "params": params});
        let request = json!({"subtype": "mcp_message", "server_name": "tools", "message": message});
        self.ask(request, Expected::Success(format!(r#""text":"{text}""#)));
    }

    /// Sends a request, sometimes with the id of an open one.
    fn ask(&mut self, request: Value, expected: Expected) {
        self.next_id += 1;
        let ids: Vec<String> = self.open.keys().cloned().collect();
        let (id, expected) = match self.random.chance(10) && !ids.is_empty() && request["subtype"] != "of_a_newer_version" {
            true => (self.random.pick(&ids), expected.or_error()),
            false => (format!("cli-{}", self.next_id), expected),
        };
        self.open.entry(id.clone()).or_default().expected.push(expected);
        self.send(&json!({"type": "control_request", "request_id": id, "request": request}));
    }

    /// Cancels a request. It still gets one response.
    fn cancel(&mut self, id: &str) {
        if let Some(owed) = self.open.get_mut(id) {
            for expected in &mut owed.expected {
                *expected = expected.clone().or_error();
            }
        }
        self.send(&json!({"type": "control_cancel_request", "request_id": id}));
    }

    /// Lines that the protocol does not allow.
    fn misbehave(&mut self) {
        let lines: [&[u8]; 5] = [
            b"not JSON",
            b"[1, 2]",
            br#"{"type":"control_response","response":{"subtype":"success","request_id":"unknown"}}"#,
            br#"{"type":"control_cancel_request","request_id":"unknown"}"#,
            b"\xff\xfe",
        ];
        let line = self.random.pick(&lines);
        self.lines.send_line(line);
    }

    fn respond(&mut self, id: &Value, answer: &Value) {
        let response = json!({"subtype": "success", "request_id": id, "response": answer});
        self.send(&json!({"type": "control_response", "response": response}));
    }

    fn send(&mut self, frame: &Value) {
        self.trace.note(format_args!("> {frame}"));
        self.lines.send_line(frame.to_string());
    }
}
