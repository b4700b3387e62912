//! A process that takes its standard streams. The test starts itself in the role of that process and of its child.

#![cfg(windows)]

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use mcp_os_windows::take_standard_streams;

const ROLE: &str = "MCP_TEST_ROLE";
const FOLDER: &str = "MCP_TEST_FOLDER";

/// Far more than any step takes.
const LONG: Duration = Duration::from_secs(60);

#[test]
fn prints_go_to_stderr_and_children_inherit_neither_stream() {
    match std::env::var(ROLE).as_deref() {
        Ok("process") => process(),
        Ok(_) => child(),
        Err(_) => test(),
    }
}

/// Starts this test in another role.
fn start(role: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "prints_go_to_stderr_and_children_inherit_neither_stream", "--nocapture"]);
    command.env(ROLE, role).env(FOLDER, folder);
    command
}

fn test() {
    let folder = std::env::temp_dir().join(format!("mcp-streams-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("running"), "").unwrap();
    let stderr = folder.join("stderr");
    let mut process = start("process", &folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(File::create(&stderr).unwrap())
        .spawn()
        .unwrap();
    process.stdin.take().unwrap().write_all(b"request\n").unwrap();
    // The end of the output comes although the child still runs, so the child has not inherited it.
    let mut output = String::new();
    process.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert!(folder.join("child").exists(), "the child has ended");
    fs::remove_file(folder.join("running")).unwrap();
    assert!(process.wait().unwrap().success());
    assert!(output.contains("response to request") && !output.contains("printed"), "{output}");
    let printed = fs::read_to_string(&stderr).unwrap();
    assert!(printed.contains("printed by the process") && printed.contains("printed by cmd"), "{printed}");
}

#[expect(clippy::print_stdout, reason = "the test checks where this output goes")]
fn process() {
    let folder = PathBuf::from(std::env::var_os(FOLDER).unwrap());
    let (mut input, mut output) = take_standard_streams().unwrap();
    println!("printed by the process");
    assert!(Command::new("cmd").args(["/c", "echo printed by cmd"]).status().unwrap().success());
    assert_eq!(io::copy(&mut io::stdin(), &mut io::sink()).unwrap(), 0, "standard input is empty");
    start("child", &folder).spawn().unwrap();
    let begin = Instant::now();
    while !folder.join("child").exists() {
        assert!(begin.elapsed() < LONG, "the child does not start");
        thread::sleep(Duration::from_millis(2));
    }
    let mut request = [0; 7];
    input.read_exact(&mut request).unwrap();
    writeln!(output, "response to {}", String::from_utf8_lossy(&request)).unwrap();
    std::process::exit(0);
}

/// Runs until the test has read the whole output of the process.
fn child() {
    let folder = PathBuf::from(std::env::var_os(FOLDER).unwrap());
    fs::write(folder.join("child"), "").unwrap();
    let begin = Instant::now();
    while folder.join("running").exists() && begin.elapsed() < LONG {
        thread::sleep(Duration::from_millis(2));
    }
    // Also after the timeout: then the test sees that the child no longer runs.
    fs::remove_file(folder.join("child")).unwrap();
    std::process::exit(0);
}
