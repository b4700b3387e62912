//! A scripted CLI as a process: the program itself.

use std::env;
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::interpreter::{End, ScriptIo, run_script};
use super::script::Script;
use crate::sys::{die_by_signal, ignore_term};

/// The `main` function of a program that runs scripts.
///
/// The program reads its script from the file with its own path plus `.json`, and writes the lines that it receives to its
/// own path plus `.log`. [`ScriptedProgram`](crate::ScriptedProgram) creates these files. This crate contains such a
/// program, `scripted-cli`, but cargo does not build the programs of dependencies. Other crates add these lines as
/// `src/bin/scripted-cli.rs` or as an example:
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     mcp_agent_test::scripted_cli()
/// }
/// ```
#[must_use]
pub fn scripted_cli() -> ExitCode {
    let mut args = env::args_os().skip(1);
    if args.next().is_some_and(|first| first == GRANDCHILD) {
        return grandchild(&args.next().unwrap_or_default());
    }
    match run() {
        Ok(End::Exit(code)) => std::process::exit(code),
        Ok(End::Signal(signal)) => die_by_signal(signal),
        Err(error) => {
            let _ = writeln!(io::stderr(), "scripted CLI: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> io::Result<End> {
    let name = name();
    let script: Script = serde_json::from_slice(&std::fs::read(name.with_added_extension("json"))?)?;
    let log = OpenOptions::new().create(true).append(true).open(name.with_added_extension("log"))?;
    let mut io = Process { log };
    io.log(&invocation())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let end = runtime.block_on(async { run_script(&script, stdin(), &mut io).await });
    // Does not wait for the thread that reads standard input: it may be blocked in a read.
    runtime.shutdown_background();
    Ok(end)
}

/// Returns the path that the program was started with.
fn name() -> PathBuf {
    env::args_os().next().map(PathBuf::from).unwrap_or_default()
}

fn invocation() -> Value {
    let args: Vec<String> = env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    let env: serde_json::Map<String, Value> = env::vars_os().map(|(name, value)| (text(name), text(value).into())).collect();
    json!({"started": {"pid": std::process::id(), "args": args, "env": env, "cwd": env::current_dir().ok()}})
}

/// Reads standard input on a thread, at most one line ahead of the script. If the script does not read, the pipe fills up.
fn stdin() -> mpsc::Receiver<Vec<u8>> {
    let (sender, lines) = mpsc::channel(1);
    thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        let mut line = Vec::new();
        while stdin.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            line.pop_if(|last| *last == b'\n');
            if sender.blocking_send(std::mem::take(&mut line)).is_err() {
                break;
            }
        }
    });
    lines
}

struct Process {
    log: File,
}

impl Process {
    fn log(&mut self, entry: &Value) -> io::Result<()> {
        // A single write for each line, so that a kill leaves no partial line.
        self.log.write_all(format!("{entry}\n").as_bytes())
    }
}

impl ScriptIo for Process {
    fn received(&mut self, frame: &Value) -> io::Result<()> {
        self.log(&json!({"received": frame}))
    }

    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()
    }

    fn stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        io::stderr().lock().write_all(bytes)
    }

    fn ignore_term(&mut self) -> io::Result<()> {
        ignore_term()
    }

    fn grandchild(&mut self) -> io::Result<()> {
        let program = env::current_exe()?;
        let alive = name().with_added_extension("alive");
        let mut child =
            Command::new(program).arg(GRANDCHILD).arg(alive).stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        // It writes a line when it holds the lock.
        if let Some(output) = child.stdout.take() {
            io::BufReader::new(output).read_line(&mut String::new())?;
        }
        self.log(&json!({"grandchild": child.id()}))
    }
}

/// The argument that makes the program a child process of a script.
const GRANDCHILD: &str = "--grandchild-of-a-script";

/// Holds a lock of the file until it is killed, or for ten minutes.
fn grandchild(file: &OsStr) -> ExitCode {
    let held = File::create(file).and_then(|file| file.lock().map(|()| file));
    let _ = writeln!(io::stdout(), "started");
    thread::sleep(Duration::from_secs(600));
    ExitCode::from(u8::from(held.is_err()))
}
