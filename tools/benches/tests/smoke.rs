//! Runs the whole benchmark with few calls for the floor and this project, and writes the page.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn benches(arguments: &[&str], folder: &Path) -> Output {
    let mut benches = Command::new(env!("CARGO_BIN_EXE_benches"));
    benches.args(arguments).arg("--results").arg(folder.join("results")).arg("--docs").arg(folder.join("docs"));
    benches.output().expect("the harness starts")
}

fn records(folder: &Path, part: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("results").join(format!("{part}.jsonl"))).expect(part);
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn the_floor_and_this_project_are_measured_and_the_page_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let parts = ["calls", "starts", "memory", "tools", "in-flight", "clients", "agents", "turns", "mounts", "history"];
    let options = ["--smoke", "--dev", "--only", "floor,floor-batch,ours"];
    let output = benches(&[&["run"], &parts[..], &options[..]].concat(), folder.path());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");

    for part in parts {
        let records = records(folder.path(), part);
        assert!(!records.is_empty(), "{part}");
        for record in &records {
            assert!(record["error"].is_null(), "{part}: {record}");
            let metrics = record["metrics"].as_object().expect("metrics");
            // No call was rejected. A server without a process of its own has no memory to measure; everything else is above zero.
            // The difference between two short runs can be zero or less.
            let may_be_zero = ["refused", "turn_cpu", "agent_further"];
            let positive = |(name, value): (&String, &Value)| {
                may_be_zero.contains(&name.as_str()) || value.as_f64().is_some_and(|value| value > 0.0)
            };
            assert!(!metrics.is_empty() && metrics.iter().all(positive), "{part}: {record}");
        }
    }
    let calls = records(folder.path(), "calls");
    let count = |server: &str| calls.iter().filter(|record| record["server"] == server).count();
    assert_eq!([count("floor"), count("floor-batch"), count("ours")], [4, 4, 4], "two rounds, each also pinned");
    assert!(calls.iter().filter(|record| record["server"] == "ours").all(|record| record["metrics"]["sync_p50"].is_f64()));

    let page = fs::read_to_string(folder.path().join("docs/performance.md")).expect("the page");
    for row in [
        "| one call at a time, `async fn add`, p50 | 1.2 x floor |",
        "| 64 calls in flight | 1.1 x floor, batching |",
        "| client: one call at a time | 1.3 x a client by hand, on tokio |",
        "| client: a call in the same process | 3 x `Session::receive` |",
        "| agent: peak memory of each further session | 1 MiB |",
    ] {
        assert!(page.contains(row), "{row} is not in\n{page}");
    }
    // Rows of programs, with as many figures as they have columns.
    for (section, rows, figures) in [
        ("Clients", vec!["by hand, blocking", "by hand, on tokio", "this project"], 4),
        ("Agents", vec!["this project"], 8),
        ("Agents: long sessions", vec!["this project"], 2),
        ("Agents: many mounted servers", vec!["this project"], 2),
        ("Agents: many stored sessions", vec!["this project"], 2),
    ] {
        let text = page.split("\n## ").find(|text| text.starts_with(&format!("{section}\n"))).expect(section);
        for row in rows {
            let cells = text.lines().find_map(|line| line.strip_prefix(&format!("| {row} |"))).expect(row);
            let found = cells.split('|').filter(|cell| cell.contains(|letter: char| letter.is_ascii_digit())).count();
            assert!(found >= figures, "{section}: {row}: {cells}");
        }
    }
    for part in parts {
        assert!(page.contains(&format!("\n| {part} | 20")), "{part} has no date in\n{page}");
    }
    assert!(page.contains("Not measured: http, sessions, instructions, builds, contents."), "{page}");
    assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
    let plots = page.matches("](performance/").count();
    assert!(plots >= 11, "{page}");
    for plot in fs::read_dir(folder.path().join("docs/performance")).expect("the plots") {
        let svg = fs::read_to_string(plot.expect("a plot").path()).expect("a plot");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{svg}");
    }
}

#[test]
fn a_page_without_any_figures_says_how_to_get_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = benches(&["report"], folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(folder.path().join("docs/performance.md")).expect("the page");
    assert!(page.contains("cargo run --release --package benches -- run"));
}

#[test]
fn a_wrong_command_line_is_answered_with_the_right_ones() {
    let output = Command::new(env!("CARGO_BIN_EXE_benches")).arg("walk").output().expect("the harness starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("usage: benches run"));
}
