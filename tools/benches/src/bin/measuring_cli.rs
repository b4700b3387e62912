//! Takes the place of the Claude Code CLI and measures the program that started it.
//!
//! It speaks the control protocol over its standard streams: it connects to the mounted server `bench`, and for each prompt sends
//! the requests of its plan, checks every answer, and writes one line of JSON with the times to a file in a folder. The plan and
//! the folder come from the environment:
//!
//! - `BENCH_PLAN`: six numbers: calls one at a time, rounds of 20 parallel calls, calls with 1 MiB of arguments and result, hooks,
//!   permission requests, and stream events.
//! - `BENCH_RESULTS`: the folder.

use std::io::{self, BufRead, StdinLock, StdoutLock, Write};
use std::time::Instant;
use std::{env, fs, process};

use serde_json::{Value, json};

/// How many calls are in flight in a parallel round.
const PARALLEL: usize = 20;
const LARGE: usize = 1 << 20;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    if env::args().any(|argument| argument == "--version" || argument == "-v") {
        println(&mut io::stdout().lock(), "2.1.327 (Claude Code)")?;
        return Ok(());
    }
    Cli { input: io::stdin().lock(), output: io::stdout().lock(), next: 0, hook: None, prompts: 0, waiting: 0 }.run()
}

fn println(output: &mut impl Write, line: &str) -> io::Result<()> {
    writeln!(output, "{line}")?;
    output.flush()
}

struct Cli {
    input: StdinLock<'static>,
    output: StdoutLock<'static>,
    /// The number of the next request.
    next: u64,
    /// The callback of the program's hook, if it has one.
    hook: Option<String>,
    /// The prompts so far, and those that arrived while an answer was expected.
    prompts: u64,
    waiting: usize,
}

/// What is sent for a prompt.
struct Plan {
    calls: usize,
    parallel: usize,
    large: usize,
    hooks: usize,
    permissions: usize,
    events: usize,
}

impl Plan {
    fn read() -> Outcome<Plan> {
        let text = env::var("BENCH_PLAN")?;
        let numbers: Vec<usize> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let [calls, parallel, large, hooks, permissions, events] = numbers[..] else {
            return Err("BENCH_PLAN has six numbers".into());
        };
        Ok(Plan { calls, parallel, large, hooks, permissions, events })
    }
}

impl Cli {
    fn run(&mut self) -> Outcome<()> {
        while let Some(message) = self.read()? {
            match message["type"].as_str() {
                Some("control_request") => self.serve(&message)?,
                Some("user") => self.waiting += 1,
                _ => {}
            }
            while self.waiting > 0 {
                self.waiting -= 1;
                self.prompt()?;
            }
        }
        Ok(())
    }

    fn read(&mut self) -> Outcome<Option<Value>> {
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        Ok(Some(serde_json::from_slice(&line)?))
    }

    fn write(&mut self, message: &Value) -> Outcome<()> {
        Ok(println(&mut self.output, &message.to_string())?)
    }

    /// Answers a request of the program.
    fn serve(&mut self, message: &Value) -> Outcome<()> {
        let request = &message["request"];
        let mut response = json!({});
        if request["subtype"] == "initialize" {
            self.hook = request["hooks"]["PreToolUse"][0]["hookCallbackIds"][0].as_str().map(str::to_owned);
            response = json!({
                "commands": [], "agents": [], "output_style": "default", "available_output_styles": ["default"], "models": [],
                "account": {}, "pid": process::id(), "claude_code_version": "2.1.327", "current_permission_mode": "default",
                "hook_on_failure_supported": true, "capabilities": [],
            });
        }
        self.write(&json!({
            "type": "control_response",
            "response": {"subtype": "success", "request_id": message["request_id"], "response": response},
        }))?;
        if request["subtype"] == "initialize" { self.connect() } else { Ok(()) }
    }

    /// The MCP handshake with the mounted server.
    fn connect(&mut self) -> Outcome<()> {
        let parameters = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "claude-code", "version": "2.1.327"},
        });
        self.ask(&mcp(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": parameters})))?;
        self.ask(&mcp(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})))?;
        let listed = self.ask(&mcp(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})))?;
        let names = &listed["mcp_response"]["result"]["tools"];
        if names.as_array().map(Vec::len) != Some(2) {
            return Err(format!("the server has other tools: {listed}").into());
        }
        Ok(())
    }

    /// Sends a request and returns its id.
    fn send(&mut self, request: &Value) -> Outcome<String> {
        self.next += 1;
        let id = format!("cli-{}", self.next);
        self.write(&json!({"type": "control_request", "request_id": id, "request": request}))?;
        Ok(id)
    }

    /// Reads the next answer of the program: its request id and its payload. Answers requests of the program in between.
    fn answer(&mut self) -> Outcome<(String, Value)> {
        loop {
            let mut message = self.read()?.ok_or("the program closed its end")?;
            match message["type"].as_str() {
                Some("control_response") => {
                    let response = message["response"].take();
                    if response["subtype"] != "success" {
                        return Err(format!("an error instead of an answer: {response}").into());
                    }
                    let id = response["request_id"].as_str().ok_or("no request id")?.to_owned();
                    return Ok((id, response["response"].clone()));
                }
                Some("control_request") => self.serve(&message)?,
                Some("user") => self.waiting += 1,
                _ => {}
            }
        }
    }

    /// Sends a request and returns the payload of its answer.
    fn ask(&mut self, request: &Value) -> Outcome<Value> {
        let sent = self.send(request)?;
        let (id, payload) = self.answer()?;
        if id == sent { Ok(payload) } else { Err(format!("answer to {id} instead of {sent}").into()) }
    }

    /// Sends requests one at a time, checks the answers, and returns the nanoseconds of each.
    fn times(
        &mut self,
        count: usize,
        request: impl Fn(usize) -> Value,
        check: impl Fn(usize, &Value) -> bool,
    ) -> Outcome<Vec<u64>> {
        let mut times = Vec::with_capacity(count);
        for at in 0..count {
            let request = request(at);
            let start = Instant::now();
            let answer = self.ask(&request)?;
            times.push(u64::try_from(start.elapsed().as_nanos())?);
            if !check(at, &answer) {
                return Err(format!("a wrong answer: {answer}").into());
            }
        }
        Ok(times)
    }

    /// Sends 20 calls at once, and returns the nanoseconds until all are answered.
    fn round(&mut self, at: usize) -> Outcome<u64> {
        let calls: Vec<Value> = (0..PARALLEL).map(|place| add(at * PARALLEL + place)).collect();
        let start = Instant::now();
        let mut waiting = Vec::new();
        for call in &calls {
            waiting.push(self.send(call)?);
        }
        for _ in 0..PARALLEL {
            let (id, answer) = self.answer()?;
            let place = waiting.iter().position(|sent| *sent == id).ok_or("an answer that comes twice")?;
            waiting[place].clear();
            if !is_sum(at * PARALLEL + place, &answer) {
                return Err(format!("a wrong answer: {answer}").into());
            }
        }
        Ok(u64::try_from(start.elapsed().as_nanos())?)
    }

    fn prompt(&mut self) -> Outcome<()> {
        let plan = Plan::read()?;
        self.prompts += 1;
        self.write(&json!({
            "type": "system", "subtype": "init", "session_id": "measured", "uuid": uuid(1), "cwd": "/", "tools": [], "mcp_servers": [],
            "model": "none", "permissionMode": "default", "slash_commands": [], "apiKeySource": "none", "output_style": "default",
            "claude_code_version": "2.1.327", "agents": [], "skills": [], "plugins": [],
        }))?;
        let hook = self.hook.clone();
        let text = "x".repeat(LARGE);
        // The first calls warm up the program.
        self.times(plan.calls / 10, add, is_sum)?;
        let calls = self.times(plan.calls, add, is_sum)?;
        let parallel = (0..plan.parallel).map(|at| self.round(at)).collect::<Outcome<Vec<u64>>>()?;
        let large = self.times(plan.large, |_| echo(&text), |_, answer| is_echo(&text, answer))?;
        let hooks = match hook {
            Some(id) => self.times(plan.hooks, |at| hook_callback(&id, at), |_, answer| answer.is_object())?,
            None => Vec::new(),
        };
        let permissions = self.times(plan.permissions, permission, |_, answer| answer["behavior"] == "allow")?;
        for _ in 0..plan.events {
            self.output.write_all(EVENT.as_bytes())?;
        }
        self.output.flush()?;
        self.write(&json!({
            "type": "result", "subtype": "success", "is_error": false, "result": "done", "num_turns": 1, "session_id": "measured",
            "duration_ms": 1, "duration_api_ms": 1, "total_cost_usd": 0, "usage": {}, "uuid": uuid(2), "stop_reason": "end_turn",
            "permission_denials": [], "modelUsage": {},
        }))?;
        self.write(&json!({
            "type": "system", "subtype": "session_state_changed", "state": "idle", "session_id": "measured", "uuid": uuid(4),
        }))?;
        let times =
            json!({"calls": calls, "parallel": parallel, "large": large, "hooks": hooks, "permissions": permissions});
        let folder = env::var("BENCH_RESULTS")?;
        fs::write(format!("{folder}/{}-{}.json", process::id(), self.prompts), times.to_string())?;
        Ok(())
    }
}

/// A message to the mounted server.
fn mcp(message: &Value) -> Value {
    json!({"subtype": "mcp_message", "server_name": "bench", "message": message})
}

fn call(id: usize, name: &str, arguments: &Value) -> Value {
    let meta = json!({"claudecode/toolUseId": format!("toolu_{id}"), "progressToken": id});
    mcp(&json!({
        "jsonrpc": "2.0", "id": id + 2, "method": "tools/call", "params": {"name": name, "arguments": arguments, "_meta": meta},
    }))
}

fn add(at: usize) -> Value {
    call(at, "add", &json!({"a": at, "b": 7}))
}

fn text(answer: &Value) -> Option<&str> {
    answer["mcp_response"]["result"]["content"][0]["text"].as_str()
}

fn is_sum(at: usize, answer: &Value) -> bool {
    text(answer).is_some_and(|text| text.parse() == Ok(at + 7))
}

fn echo(of: &str) -> Value {
    call(0, "echo", &json!({"text": of}))
}

fn is_echo(of: &str, answer: &Value) -> bool {
    text(answer) == Some(of)
}

fn hook_callback(id: &str, at: usize) -> Value {
    let input = json!({
        "session_id": "measured", "transcript_path": "/none", "cwd": "/", "permission_mode": "default", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": "ls", "description": "list"}, "tool_use_id": format!("toolu_{at}"),
    });
    json!({"subtype": "hook_callback", "callback_id": id, "tool_use_id": format!("toolu_{at}"), "input": input})
}

fn permission(at: usize) -> Value {
    json!({
        "subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "ls", "description": "list"},
        "permission_suggestions": [], "tool_use_id": format!("toolu_{at}"),
    })
}

fn uuid(number: u32) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

/// A frame of a partial message, as the CLI writes it for each few words of the model.
const EVENT: &str = concat!(
    r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a few words of "}},"#,
    r#""session_id":"measured","parent_tool_use_id":null,"uuid":"00000000-0000-4000-8000-000000000003"}"#,
    "\n",
);
