//! Lists and reads a generated history of one gigabyte, and prints the time and the peak memory of each step.
//!
//! ```sh
//! cargo run --release -p mcp-agent-history --example gigabyte
//! ```
#![allow(clippy::print_stdout, reason = "a program prints its results")]

use std::fs;
use std::io::{BufWriter, Write as _};
use std::time::Instant;

use mcp_agent_history::{History, Record};

const BYTES: u64 = 1 << 30;
const SESSIONS: u64 = 64;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let home = tempfile::tempdir()?;
    let project = home.path().join(".claude/projects/-work");
    fs::create_dir_all(&project)?;
    for number in 0..SESSIONS {
        // The first session is as large as all others together.
        let bytes = if number == 0 { BYTES / 2 } else { BYTES / 2 / (SESSIONS - 1) };
        let mut file = BufWriter::new(fs::File::create(project.join(format!("session-{number}.jsonl")))?);
        let mut written = 0;
        for line in 0_u64.. {
            let size = if line % 100 == 7 { 200_000 } else { 400 };
            let text = "a word or two and ".repeat(size / 18);
            let line = format!(
                r#"{{"type":"user","uuid":"{number}-{line}","sessionId":"session-{number}","message":{{"content":"{text}"}}}}"#
            );
            written += line.len() as u64 + 1;
            writeln!(file, "{line}")?;
            if written >= bytes {
                break;
            }
        }
        file.into_inner()?.sync_all()?;
    }
    println!("written: {} MB, peak {} MB", size(&project)? >> 20, peak()?);

    let history = History::of_home(home.path());
    let start = Instant::now();
    let sessions = history.sessions()?;
    println!("listed: {} sessions in {:?}, peak {} MB", sessions.len(), start.elapsed(), peak()?);

    let start = Instant::now();
    let mut messages = 0_u64;
    for session in &sessions {
        for record in history.read(&session.id)? {
            messages += u64::from(matches!(record?, Record::Message(_)));
        }
    }
    println!("read: {messages} messages in {:?}, peak {} MB", start.elapsed(), peak()?);
    Ok(())
}

fn size(folder: &std::path::Path) -> std::io::Result<u64> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.metadata()?.len())).sum()
}

/// Returns the peak memory of this process, in megabytes.
fn peak() -> Result<u64, Box<dyn std::error::Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM")?;
    Ok(line.trim().trim_end_matches("kB").trim().parse::<u64>()? >> 10)
}
