//! `cargo mcp dev`: keeps one connection to the client, and rebuilds and restarts the server when its source changes.
//!
//! The client sees one server. The handshake is repeated with each new process, the client is notified that lists have
//! changed, and requests that were in flight when a process ended get an error response. Compile errors are shown on
//! stderr.

mod before_first_build;
mod build;
mod child;
mod proxy;
mod running_copy;
mod watch;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use mcp_core::protocol::Implementation;

use crate::{Failure, tell};
use build::{Build, Built};
use child::Child;
use proxy::Proxy;

/// A build starts when no file has changed for this time: editors write several files, and some files twice.
const DEBOUNCE: Duration = Duration::from_millis(120);

/// How long `server/discover` waits for the first build. Then it is refused, so that the client sends `initialize`.
const DISCOVERY_TIMEOUT: Duration = Duration::from_secs(3);

/// How long a request for a list waits for the first build. Then it gets an empty list; the client is notified of the real one.
const LIST_TIMEOUT: Duration = Duration::from_secs(20);

/// How long the server may take to finish pending requests after the client has disconnected.
const GRACE: Duration = Duration::from_secs(3);

/// The input of the main loop.
#[derive(Debug)]
pub(crate) enum Event {
    /// A line from the client.
    Client(String),
    /// The client closed the standard input of this program.
    ClientGone,
    /// A line from the server process of that number.
    Server(u64, String),
    /// The server process of that number has ended.
    ServerGone(u64),
    /// A source file was changed.
    Changed,
    /// A build has finished.
    Built(Built),
    /// This time has passed since the start.
    Waited(Duration),
}

pub(crate) fn run(words: &[String]) -> Result<(), Failure> {
    let build = Build::new(words)?;
    let (sender, events) = channel();
    let _watch = watch::watch(&build.folders()?, sender.clone())?;
    thread::spawn({
        let sender = sender.clone();
        move || read_client(&sender)
    });
    for timeout in [DISCOVERY_TIMEOUT, LIST_TIMEOUT] {
        let sender = sender.clone();
        thread::spawn(move || {
            thread::sleep(timeout);
            let _ = sender.send(Event::Waited(timeout));
        });
    }
    let (package, proxy, waited) = (build.package(), Proxy::default(), Duration::ZERO);
    let dev =
        Dev { build, package, sender, proxy, waited, child: None, next: 1, building: false, again: false, ready: None };
    dev.serve(&events);
    Ok(())
}

fn read_client(sender: &Sender<Event>) {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        if sender.send(Event::Client(line)).is_err() {
            return;
        }
    }
    let _ = sender.send(Event::ClientGone);
}

/// The state of the main loop. Only the main thread uses it.
struct Dev {
    build: Build,
    sender: Sender<Event>,
    /// The name that the client sees before there is a server.
    package: Implementation,
    proxy: Proxy,
    /// How long this program has run, in steps of [`Event::Waited`].
    waited: Duration,
    child: Option<Child>,
    /// The number of the next process.
    next: u64,
    building: bool,
    /// A file changed during the build: build again afterwards.
    again: bool,
    /// The result of the last successful build.
    ready: Option<Built>,
}

impl Dev {
    fn serve(mut self, events: &Receiver<Event>) {
        self.start_build();
        while let Ok(event) = events.recv() {
            match event {
                Event::ClientGone => break,
                Event::Client(line) => self.client_said(&line),
                Event::Server(number, line) => self.server_said(number, &line),
                Event::ServerGone(number) => self.server_gone(number),
                Event::Changed => {
                    let gone = self.wait_for_quiet(events);
                    self.start_build();
                    if gone {
                        break;
                    }
                }
                Event::Built(built) => self.built(built),
                Event::Waited(time) => self.waited(time),
            }
        }
        self.end(events);
    }

    /// Handles events until no file has changed for [`DEBOUNCE`]. Returns `true` if the client is gone.
    fn wait_for_quiet(&mut self, events: &Receiver<Event>) -> bool {
        let mut until = Instant::now() + DEBOUNCE;
        loop {
            match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Event::Changed) => until = Instant::now() + DEBOUNCE,
                Ok(Event::Client(line)) => self.client_said(&line),
                Ok(Event::Server(number, line)) => self.server_said(number, &line),
                Ok(Event::ServerGone(number)) => self.server_gone(number),
                Ok(Event::Built(built)) => self.built(built),
                Ok(Event::Waited(time)) => self.waited(time),
                Ok(Event::ClientGone) | Err(RecvTimeoutError::Disconnected) => return true,
                Err(RecvTimeoutError::Timeout) => return false,
            }
        }
    }

    fn start_build(&mut self) {
        if self.building {
            self.again = true;
            return;
        }
        (self.building, self.again) = (true, false);
        self.build.start(self.sender.clone());
    }

    fn built(&mut self, built: Built) {
        self.building = false;
        if self.again {
            return self.start_build();
        }
        if built.program.is_none() {
            // Cargo has printed the errors to stderr. The client keeps the running server.
            return tell(match self.ready {
                Some(_) => "the build failed; the previous server keeps running",
                None => "the build failed; it is repeated when a source file changes",
            });
        }
        let is_other = self.ready.as_ref().is_none_or(|ready| *ready != built);
        self.ready = Some(built);
        if is_other || self.child.is_none() {
            self.replace_process();
        }
    }

    /// Starts a new process in place of the running one.
    fn replace_process(&mut self) {
        let Some(program) = self.ready.as_ref().and_then(|built| built.program.clone()) else {
            return;
        };
        if let Some(old) = self.child.take() {
            // Its responses to pending requests are still forwarded until it ends.
            old.close_input();
        }
        let number = self.next;
        self.next += 1;
        match Child::start(&program, &self.build.arguments, number, self.sender.clone()) {
            Ok(mut child) => {
                tell(&format!("serving {} ({number})", program.display()));
                for line in self.proxy.messages_for_new_process(number) {
                    child.send(&line);
                }
                self.child = Some(child);
                for line in self.proxy.change_notifications() {
                    to_client(&line);
                }
            }
            Err(error) => tell(&format!("cannot start {}: {error}", program.display())),
        }
    }

    fn client_said(&mut self, line: &str) {
        let number = self.child.as_ref().map(Child::number);
        self.proxy.client_message(line, number);
        match &mut self.child {
            Some(child) => child.send(line),
            // The server has ended: restart it for this message. Without a finished build, the message waits for the
            // first one.
            None if self.ready.is_some() => {
                self.proxy.queue(line);
                self.replace_process();
            }
            None => {
                let answer = self.proxy.early_message(line, &self.package);
                answer.iter().for_each(|answer| to_client(answer));
                self.answer_timed_out_requests();
            }
        }
    }

    fn waited(&mut self, time: Duration) {
        self.waited = self.waited.max(time);
        if self.ready.is_none() {
            self.answer_timed_out_requests();
        }
    }

    /// Answers requests that have waited for the first build for too long.
    fn answer_timed_out_requests(&mut self) {
        let mut answers = Vec::new();
        if self.waited >= DISCOVERY_TIMEOUT {
            answers.extend(self.proxy.answer_kept(before_first_build::no_discovery));
        }
        if self.waited >= LIST_TIMEOUT {
            answers.extend(self.proxy.answer_kept(before_first_build::nothing));
        }
        answers.iter().for_each(|answer| to_client(answer));
    }

    fn server_said(&mut self, number: u64, line: &str) {
        for line in self.proxy.server_message(number, line) {
            to_client(&line);
        }
    }

    fn server_gone(&mut self, number: u64) {
        for line in self.proxy.process_ended(number) {
            to_client(&line);
        }
        if self.child.as_ref().is_some_and(|child| child.number() == number) {
            self.child = None;
            tell("the server has ended; the next message of the client starts it again");
        }
    }

    /// Shuts the server down after the client is gone: waits up to [`GRACE`] for pending responses.
    fn end(mut self, events: &Receiver<Event>) {
        let Some(child) = self.child.take() else {
            return;
        };
        let number = child.number();
        child.close_input();
        let until = Instant::now() + GRACE;
        while let Ok(event) = events.recv_timeout(until.saturating_duration_since(Instant::now())) {
            match event {
                Event::Server(from, line) => self.server_said(from, &line),
                Event::ServerGone(from) if from == number => return,
                _ => {}
            }
        }
    }
}

fn to_client(line: &str) {
    // If the client no longer reads, `ClientGone` follows.
    let _ = writeln!(io::stdout(), "{line}");
}
