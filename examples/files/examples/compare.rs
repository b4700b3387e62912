//! Measures this server beside the npm package: time to start, memory, and latency of calls.
//!
//! ```sh
//! cargo build --release -p files-server
//! cargo run --release -p files-server --example compare
//! cargo run --release -p files-server --example compare -- --quick    # few calls, to see that it works
//! ```

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use interop::{Node, Sandbox};
use mcp_client::Client;
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What was measured of one server.
struct Figures {
    /// From the start of the process to the answer of `tools/list`, the median.
    start: Duration,
    /// Resident memory after the start and after the calls, in kB.
    memory: (u64, u64),
    /// The median and the 99th percentile of each call.
    calls: Vec<(&'static str, Duration, Duration)>,
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let quick = std::env::args().any(|word| word == "--quick");
    let (starts, calls) = if quick { (2, 20) } else { (20, 2000) };
    let node = tokio::task::spawn_blocking(Node::servers).await?.map_err(|missing| format!("{missing:?}"))?;
    let sandbox = Sandbox::new("files-compare", "", Path::new(""));
    let folder = sandbox.temporary().join("root");
    fill(&folder)?;
    // target/release/examples/compare
    let own = std::env::current_exe()?.ancestors().nth(2).map(|folder| folder.join("files-server")).ok_or("no folder")?;
    if !own.exists() {
        return Err(format!("{} does not exist: run cargo build --release -p files-server", own.display()).into());
    }
    let npm = || node.program("@modelcontextprotocol/server-filesystem/dist/index.js", &sandbox);
    let mut out = std::io::stdout();
    writeln!(out, "| server | start | memory after start | memory after calls |{}", calls_header())?;
    for (name, command) in
        [("files-server", &(|| sandbox.command(&own)) as &dyn Fn() -> Command), ("server-filesystem", &npm)]
    {
        let figures = measure(command, &folder, starts, calls).await?;
        write!(out, "| {name} | {:.1?} | {:.1} MB | {:.1} MB |", figures.start, mb(figures.memory.0), mb(figures.memory.1))?;
        for (_, median, most) in &figures.calls {
            write!(out, " {median:.0?}, {most:.0?} |")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

const CALLS: [&str; 4] = ["read_text_file", "list_directory", "search_files", "write_file"];

fn calls_header() -> String {
    CALLS.iter().map(|name| format!(" {name} (median, p99) |")).collect()
}

fn arguments(tool: &str, folder: &Path) -> Value {
    match tool {
        "read_text_file" => json!({"path": folder.join("file-7.txt")}),
        "list_directory" => json!({"path": folder}),
        "search_files" => json!({"path": folder, "pattern": "**/*7.txt"}),
        _ => json!({"path": folder.join("written.txt"), "content": "x".repeat(1000)}),
    }
}

async fn measure(command: &dyn Fn() -> Command, folder: &Path, starts: usize, calls: usize) -> Outcome<Figures> {
    let mut times = Vec::new();
    for _ in 0..starts {
        let start = Instant::now();
        let client = connect(command, folder).await?;
        times.push(start.elapsed());
        client.close().await;
    }
    let client = connect(command, folder).await?;
    let memory = memory(&client)?;
    let mut figures = Vec::new();
    for tool in CALLS {
        let arguments = arguments(tool, folder);
        let mut times = Vec::new();
        for _ in 0..calls {
            let start = Instant::now();
            let result = client.call(tool, &arguments).await?;
            times.push(start.elapsed());
            if result.is_error {
                return Err(format!("{tool}: {}", result.to_text()).into());
            }
        }
        figures.push((tool, percentile(&mut times, 50), percentile(&mut times, 99)));
    }
    let figures = Figures { start: percentile(&mut times, 50), memory: (memory, self::memory(&client)?), calls: figures };
    client.close().await;
    Ok(figures)
}

async fn connect(command: &dyn Fn() -> Command, folder: &Path) -> Outcome<Client> {
    let mut command = command();
    command.arg(folder);
    let client = Client::spawn(command).await?;
    client.tools().all().await?;
    Ok(client)
}

/// Returns the resident memory of the server in kB, read from `/proc`. Other systems than Linux have no such file.
fn memory(client: &Client) -> Outcome<u64> {
    let id = client.process_id().ok_or("the server has no process")?;
    let status = fs::read_to_string(format!("/proc/{id}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

fn percentile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    times[(times.len() * percent / 100).min(times.len() - 1)]
}

/// 200 files of 1 kB in the folder, and 800 in folders below it.
fn fill(folder: &Path) -> Outcome<()> {
    for number in 0..1000 {
        let place = if number < 200 { folder.to_path_buf() } else { folder.join(format!("folder-{}", number % 20)) };
        fs::create_dir_all(&place)?;
        fs::write(place.join(format!("file-{number}.txt")), "x".repeat(1000))?;
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "one digit is shown")]
fn mb(kilobytes: u64) -> f64 {
    kilobytes as f64 / 1024.0
}
