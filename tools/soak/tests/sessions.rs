//! Agent sessions at once: a small run of what `soak sessions 1000` does for longer.
// Not on other systems: memory and descriptors are read from /proc.
#![cfg(target_os = "linux")]

use std::process::{Command, Output};

/// Runs `soak` with the scripted CLI beside it.
fn soak(arguments: &[&str]) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_soak")).args(arguments).output().unwrap();
    (status.code(), String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr))
}

#[test]
fn fifty_sessions_at_once_are_answered_and_leave_neither_memory_nor_descriptors() {
    let (status, printed) = soak(&["sessions", "50"]);
    assert_eq!(status, Some(0), "{printed}");
    assert_eq!(printed.matches("50 sessions are open").count(), 4, "{printed}");
    assert!(printed.ends_with("memory and descriptors have not grown\n"), "{printed}");
}

#[test]
fn a_session_that_stays_open_is_found() {
    let (status, printed) = soak(&["sessions", "5", "leak", "1"]);
    assert_eq!(status, Some(1), "{printed}");
    assert!(printed.ends_with("memory and descriptors have GROWN\n"), "{printed}");
}
