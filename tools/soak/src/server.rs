//! A server under load, and the requests that it has not answered yet.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Time limit for the last responses.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A server, and a thread that reads its output.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    account: Arc<Mutex<Account>>,
    reader: JoinHandle<()>,
    next: u64,
}

#[derive(Debug, Default)]
struct Account {
    /// The pending calls, and whether each was cancelled.
    open: HashMap<u64, bool>,
    /// The number of pending calls that were not cancelled.
    waiting: usize,
    sent: u64,
    answered: u64,
    cancelled: u64,
    refused: u64,
    faults: Vec<String>,
}

impl Server {
    pub(crate) fn start(command: &[&str]) -> Server {
        let mut child = Command::new(command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let (account, output) = (Arc::new(Mutex::new(Account::default())), child.stdout.take().expect("piped"));
        let reader = thread::spawn({
            let account = account.clone();
            move || {
                for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                    lock(&account).take(&line);
                }
            }
        });
        let input = child.stdin.take();
        let mut server = Server { child, input, account, reader, next: 0 };
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}});
        server.request("initialize", &params);
        server
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn send(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("open");
        let written = input.write_all(line).and_then(|()| input.write_all(b"\n"));
        written.expect("the server reads");
        lock(&self.account).sent += 1;
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.request("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    fn request(&mut self, method: &str, params: &Value) -> u64 {
        self.next += 1;
        let mut account = lock(&self.account);
        account.open.insert(self.next, false);
        account.waiting += 1;
        drop(account);
        self.send(json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}).to_string().as_bytes());
        self.next
    }

    pub(crate) fn cancel(&mut self, id: u64) {
        let mut account = lock(&self.account);
        if account.open.insert(id, true).is_some() {
            account.waiting -= 1;
        } else {
            account.open.remove(&id);
        }
        drop(account);
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        self.send(cancel.to_string().as_bytes());
    }

    /// The number of pending calls that were not cancelled.
    pub(crate) fn open(&self) -> usize {
        lock(&self.account).waiting
    }

    /// Waits until all pending calls are answered, and drops the cancelled ones.
    pub(crate) fn settle(&mut self) {
        // All earlier responses are read before the response to this.
        self.request("ping", &json!({}));
        let start = Instant::now();
        while self.open() > 0 && start.elapsed() < TIMEOUT {
            thread::sleep(Duration::from_millis(5));
        }
        let mut account = lock(&self.account);
        let (open, cancelled) = account.open.drain().partition::<Vec<_>, _>(|(_, cancelled)| !cancelled);
        account.cancelled += cancelled.len() as u64;
        account.waiting = 0;
        account.faults.extend(open.iter().map(|(id, _)| format!("no response to call {id}")));
    }

    pub(crate) fn score(&self) -> String {
        let account = lock(&self.account);
        let Account { sent, answered, cancelled, refused, .. } = &*account;
        let open = account.open.len();
        format!("{sent} sent, {answered} answered, {cancelled} cancelled, {refused} errors without id, {open} open")
    }

    /// Stops the server and returns all faults.
    pub(crate) fn end(mut self) -> Vec<String> {
        self.input = None;
        let status = self.child.wait().expect("the server was started");
        let _ = self.reader.join();
        let mut faults = std::mem::take(&mut lock(&self.account).faults);
        if !status.success() {
            faults.push(format!("the server exited with {status}"));
        }
        faults
    }
}

impl Account {
    /// Removes a pending call. Returns whether it was pending.
    fn close(&mut self, id: u64) -> bool {
        let cancelled = self.open.remove(&id);
        self.waiting -= usize::from(cancelled == Some(false));
        cancelled.is_some()
    }

    fn take(&mut self, line: &[u8]) {
        let Ok(reply) = serde_json::from_slice::<Value>(line) else {
            return self.faults.push(format!("not JSON: {}", String::from_utf8_lossy(&line[..line.len().min(100)])));
        };
        match reply["id"].as_u64() {
            None if reply["error"].is_object() => self.refused += 1,
            Some(id) if self.close(id) => self.answered += 1,
            _ => self
                .faults
                .push(format!("response without a request: {}", &reply.to_string().chars().take(100).collect::<String>())),
        }
    }
}

fn lock(account: &Mutex<Account>) -> MutexGuard<'_, Account> {
    account.lock().unwrap_or_else(PoisonError::into_inner)
}
