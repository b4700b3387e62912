//! `cargo mcp dev`: one pipe to the client, and behind it a server that is built anew whenever its source changes.
//!
//! The client sees one server that never goes away: its handshake is had again with every new process, lists are announced as
//! changed, and what was in flight when a process went is answered with an error. Compile errors are the author's business.

mod build;
mod child;
mod proxy;
mod watch;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Failure, tell};
use build::{Build, Built};
use child::Child;
use proxy::Proxy;

/// Changes that come this close together are one: editors write several files, and some of them twice.
const SETTLED: Duration = Duration::from_millis(120);

/// How long a server may take to answer what is left when it is swapped or when the client is gone.
const GRACE: Duration = Duration::from_secs(3);

/// Something that happened.
#[derive(Debug)]
pub(crate) enum Happening {
    /// The client said something.
    Client(String),
    /// The client is gone.
    ClientGone,
    /// The server process of that number said something.
    Server(u64, String),
    /// That process is gone.
    ServerGone(u64),
    /// Source was changed.
    Changed,
    /// A build is over.
    Built(Built),
}

pub(crate) fn run(words: &[String]) -> Result<(), Failure> {
    let build = Build::new(words)?;
    let (sender, happenings) = channel();
    let _watch = watch::watch(&build.folders()?, sender.clone())?;
    thread::spawn({
        let sender = sender.clone();
        move || read_client(&sender)
    });
    Dev { build, sender, proxy: Proxy::default(), child: None, next: 1, building: false, again: false, ready: None }
        .serve(&happenings);
    Ok(())
}

fn read_client(sender: &Sender<Happening>) {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        if sender.send(Happening::Client(line)).is_err() {
            return;
        }
    }
    let _ = sender.send(Happening::ClientGone);
}

/// The state of it all; only one thread has it.
struct Dev {
    build: Build,
    sender: Sender<Happening>,
    proxy: Proxy,
    child: Option<Child>,
    /// The number of the next process.
    next: u64,
    building: bool,
    /// Something changed while a build ran.
    again: bool,
    /// What the last good build made.
    ready: Option<Built>,
}

impl Dev {
    fn serve(mut self, happenings: &Receiver<Happening>) {
        self.start_build();
        while let Ok(happening) = happenings.recv() {
            match happening {
                Happening::ClientGone => break,
                Happening::Client(line) => self.client_said(&line),
                Happening::Server(number, line) => self.server_said(number, &line),
                Happening::ServerGone(number) => self.server_gone(number),
                Happening::Changed => {
                    let gone = self.settle(happenings);
                    self.start_build();
                    if gone {
                        break;
                    }
                }
                Happening::Built(built) => self.built(built),
            }
        }
        self.end(happenings);
    }

    /// Waits until nothing has changed for a moment, and goes on with everything else meanwhile. True if the client went.
    fn settle(&mut self, happenings: &Receiver<Happening>) -> bool {
        let mut until = Instant::now() + SETTLED;
        loop {
            match happenings.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Happening::Changed) => until = Instant::now() + SETTLED,
                Ok(Happening::Client(line)) => self.client_said(&line),
                Ok(Happening::Server(number, line)) => self.server_said(number, &line),
                Ok(Happening::ServerGone(number)) => self.server_gone(number),
                Ok(Happening::Built(built)) => self.built(built),
                Ok(Happening::ClientGone) | Err(RecvTimeoutError::Disconnected) => return true,
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
            // Cargo has said why, on stderr. The client goes on with the server that it has.
            return tell("that does not build; the server stays as it was");
        }
        let is_other = self.ready.as_ref().is_none_or(|ready| *ready != built);
        self.ready = Some(built);
        if is_other || self.child.is_none() {
            self.swap();
        }
    }

    /// Puts a new process in the place of the one that runs.
    fn swap(&mut self) {
        let Some(program) = self.ready.as_ref().and_then(|built| built.program.clone()) else {
            return;
        };
        if let Some(old) = self.child.take() {
            // What it still answers counts, until it is gone.
            old.retire();
        }
        let number = self.next;
        self.next += 1;
        match Child::start(&program, &self.build.arguments, number, self.sender.clone()) {
            Ok(mut child) => {
                tell(&format!("serving {} ({number})", program.display()));
                for line in self.proxy.introduce(number) {
                    child.send(&line);
                }
                self.child = Some(child);
                for line in self.proxy.announce() {
                    to_client(&line);
                }
            }
            Err(error) => tell(&format!("{} does not start: {error}", program.display())),
        }
    }

    fn client_said(&mut self, line: &str) {
        let number = self.child.as_ref().map(Child::number);
        self.proxy.heard(line, number);
        match &mut self.child {
            Some(child) => child.send(line),
            // A server that went by itself is started again when it is wanted; the first one is still being built.
            None if self.ready.is_some() => {
                self.proxy.hold(line);
                self.swap();
            }
            None => self.proxy.hold(line),
        }
    }

    fn server_said(&mut self, number: u64, line: &str) {
        for line in self.proxy.answered(number, line) {
            to_client(&line);
        }
    }

    fn server_gone(&mut self, number: u64) {
        for line in self.proxy.lost(number) {
            to_client(&line);
        }
        if self.child.as_ref().is_some_and(|child| child.number() == number) {
            self.child = None;
            tell("the server has ended; it is started again when it is wanted");
        }
    }

    /// The client is gone: the server may answer what is left, and ends.
    fn end(mut self, happenings: &Receiver<Happening>) {
        let Some(child) = self.child.take() else {
            return;
        };
        let number = child.number();
        child.retire();
        let until = Instant::now() + GRACE;
        while let Ok(happening) = happenings.recv_timeout(until.saturating_duration_since(Instant::now())) {
            match happening {
                Happening::Server(from, line) => self.server_said(from, &line),
                Happening::ServerGone(from) if from == number => return,
                _ => {}
            }
        }
    }
}

fn to_client(line: &str) {
    // A client that does not read any more is about to be gone.
    let _ = writeln!(io::stdout(), "{line}");
}
