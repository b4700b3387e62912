//! A server with tools that misbehave, for the hostile clients of `torture.py`.
//!
//! ```sh
//! cargo build --release --package torture --example torture
//! tools/torture/torture.py --strict -- target/release/examples/torture
//! ```
//!
//! `--serve` uses `mcp_stdio::serve` on its own runtime instead of `run`. `--patient` waits for pending calls at shutdown without
//! a limit. `--stubborn` does not end with its input. `--outlive` keeps running after its parent process has exited. `--broken` has
//! two tools with one name. `--behind` starts the server in a child process. `--print`, `--copy` and `--sleep` are child processes
//! of tools. With `RUST_LOG` set, logs at debug level go to stderr.

use std::future::Future;
use std::io;
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use mcp_core::{Builder, Context, Server, ToolSpec, tool, tool_fn, tools};
use serde_json::Value;

/// Return the text.
#[tool]
async fn echo(text: String) -> String {
    text
}

/// Return that many bytes of text.
#[tool]
async fn flood(bytes: usize) -> String {
    "x".repeat(bytes)
}

/// Sleep without blocking the thread.
#[tool]
async fn slow(ms: u64) -> &'static str {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    "slept"
}

/// Sleep and block the thread.
#[tool]
fn block(ms: u64) -> &'static str {
    thread::sleep(Duration::from_millis(ms));
    "blocked"
}

/// Sleep and block the thread in an async function.
#[tool]
async fn freeze(ms: u64) -> &'static str {
    thread::sleep(Duration::from_millis(ms));
    "frozen"
}

/// Sleep and block the thread, with a timeout.
#[tool(timeout = "50ms")]
fn block_shortly(ms: u64) -> &'static str {
    thread::sleep(Duration::from_millis(ms));
    "blocked"
}

/// Block the thread until the call is cancelled. Prints to stderr before and after.
#[tool]
#[allow(clippy::print_stderr, reason = "the tests read it")]
fn block_until_cancelled(cx: &Context) {
    eprintln!("waits for the cancel");
    while !cx.is_cancelled() {
        thread::sleep(Duration::from_millis(1));
    }
    eprintln!("saw the cancel");
}

/// Report progress twice, then block the thread.
#[tool]
fn report(ms: u64, cx: &Context) {
    cx.progress(1, 3, "one");
    thread::sleep(Duration::from_millis(150));
    cx.progress(2, 3, "two");
    thread::sleep(Duration::from_millis(ms));
}

/// Panic.
#[tool]
fn panic() {
    panic!("secret-in-panic");
}

/// Panic in an async function.
#[tool]
async fn panic_async() {
    panic!("secret-in-panic");
}

/// Print to stdout, also from a child process, and let a child read all of stdin.
#[tool]
#[allow(clippy::print_stdout, reason = "its purpose is to print to stdout")]
fn pollute() -> Result<usize, std::io::Error> {
    println!("printed by a tool");
    print!("unfinished");
    let this = std::env::current_exe()?;
    Command::new(&this).arg("--print").status()?;
    Ok(Command::new(&this).arg("--copy").output()?.stdout.len())
}

/// Start a child process that runs for a minute, and do not wait for it. Returns its id.
#[tool]
fn leave_child() -> Result<u32, std::io::Error> {
    let child = Command::new(std::env::current_exe()?).arg("--sleep").stderr(Stdio::null()).spawn()?;
    Ok(child.id())
}

/// Sleep, in the child process of `leave_child`.
fn sleep() -> ExitCode {
    thread::sleep(Duration::from_secs(60));
    ExitCode::SUCCESS
}

/// Serve in a child process with the same standard streams, and wait for it.
fn serve_behind() -> ExitCode {
    let this = std::env::current_exe().expect("a program knows its own path");
    let served = Command::new(this).args(std::env::args_os().skip(2)).status();
    ExitCode::from(u8::from(!served.is_ok_and(|status| status.success())))
}

/// Print, in a child process of `pollute`.
#[allow(clippy::print_stdout, reason = "its purpose is to print to stdout")]
fn print() -> ExitCode {
    println!("printed by a child");
    ExitCode::SUCCESS
}

/// Copy standard input to standard output, in a child process of `pollute`.
fn copy() -> ExitCode {
    ExitCode::from(u8::from(io::copy(&mut io::stdin(), &mut io::stdout()).is_err()))
}

/// Call `run` while the server is running.
#[tool]
fn serve_again() -> bool {
    own_options().run(server()) == ExitCode::from(2)
}

fn server() -> Builder {
    Server::builder("torture", "1.0.0")
        .tools(tools![echo, flood, slow, block, freeze, block_shortly, block_until_cancelled, report])
        .tools(tools![panic, panic_async, pollute, leave_child, serve_again])
        .tools(tool_fn(ToolSpec::new("panic_early", "Panic before a future is returned."), panic_early))
}

#[allow(clippy::panic, reason = "its purpose is to panic")]
fn panic_early(_: Value, _: Context) -> impl Future<Output = ()> + Send {
    if thread::panicking() { std::future::ready(()) } else { panic!("secret-in-panic") }
}

/// Serves without the commands of a server binary, which reject the options of this program.
fn own_options() -> mcp_stdio::Stdio {
    mcp_stdio::Stdio::new().command_line(false)
}

fn main() -> ExitCode {
    if std::env::var_os("RUST_LOG").is_some() {
        let log = tracing_subscriber::fmt().with_max_level(tracing_subscriber::filter::LevelFilter::DEBUG);
        log.with_ansi(false).with_writer(std::io::stderr).init();
    }
    match std::env::args().nth(1).as_deref() {
        Some("--serve") => {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
            let runtime = runtime.expect("threads can be started");
            let served = runtime.block_on(mcp_stdio::serve(server()));
            runtime.shutdown_background();
            if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Some("--patient") => own_options().grace(Duration::from_secs(3600)).run(server()),
        Some("--outlive") => own_options().watch_parent(false).run(server()),
        Some("--stubborn") => {
            own_options().run(server());
            sleep()
        }
        Some("--broken") => own_options().run(server().tools(tools![echo, panic])),
        Some("--print") => print(),
        Some("--copy") => copy(),
        Some("--sleep") => sleep(),
        Some("--behind") => serve_behind(),
        _ => mcp_stdio::run(server()),
    }
}
