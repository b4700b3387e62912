//! Changes of a session on a full disk.
//!
//! The limit for the size of files is set by a shell, so the test runs this program again under it.
// Not on Windows: it has no limit for the size of files.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use mcp_agent_history::{Fork, History};

const SESSION: &str = "11111111-1111-4111-8111-111111111111";

/// The variable with the folder of the history, set for the program under the limit.
const FOLDER: &str = "HISTORY_ON_A_FULL_DISK";

/// The size of the session's file: 10 bytes less than the limit of one block.
const SIZE: usize = 512 - 10;

#[test]
fn a_change_that_does_not_fit_on_the_disk_is_an_error_and_leaves_the_session_as_it_was() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return under_the_limit(Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("projects/-code");
    fs::create_dir_all(&project).unwrap();
    let file = project.join(format!("{SESSION}.jsonl"));
    let head = format!(
        r#"{{"type":"user","uuid":"00000001-0000-4000-8000-000000000000","parentUuid":null,"sessionId":"{SESSION}","cwd":"/code","timestamp":"2026-01-01T00:00:00.000Z","message":{{"role":"user","content":""#
    );
    let before = format!("{head}{}\"}}}}\n", "x".repeat(SIZE - head.len() - "\"}}\n".len()));
    fs::write(&file, &before).unwrap();
    let test = "a_change_that_does_not_fit_on_the_disk_is_an_error_and_leaves_the_session_as_it_was";
    let mut command = Command::new("sh");
    // Without the trap, the system ends a process at the limit. The output of the test is a pipe, which has no limit.
    command.args(["-c", r#"trap "" XFSZ; ulimit -f 1; exec "$0" "$@""#]).arg(std::env::current_exe().unwrap());
    let output = command.args(["--exact", test, "--nocapture"]).env(FOLDER, folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    assert_eq!(fs::read_dir(&project).unwrap().count(), 1, "a fork that failed leaves no file");
    let history = History::at(folder.path());
    history.rename(SESSION, "with space").unwrap();
    assert_eq!(history.session(SESSION).unwrap().label(), Some("with space"));
}

/// Runs in a process that cannot write files of more than one block.
fn under_the_limit(folder: &Path) {
    let history = History::at(folder);
    assert_eq!(history.sessions().unwrap().len(), 1);
    let full = |error: mcp_agent_history::HistoryError| assert!(error.to_string().contains(SESSION), "{error}");
    full(history.rename(SESSION, "a title that does not fit").unwrap_err());
    full(history.tag(SESSION, Some("a tag that does not fit")).unwrap_err());
    history.fork(SESSION, &Fork::new()).unwrap_err();
    assert_eq!(history.read(SESSION).unwrap().count(), 1);
}
