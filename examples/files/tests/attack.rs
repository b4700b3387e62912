//! Another program swaps a folder and a link while the server reads and writes in it.
// Not on Windows: links need a privilege there.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use mcp_client::Client;
use serde_json::{Value, json};

/// How often calls must succeed, and how often they must be refused, before the attack ends.
const TIMES: usize = 200;

/// `root` is what the server may use: `root/door` is a folder, or a link to `outside`.
struct Folders {
    _home: tempfile::TempDir,
    root: PathBuf,
    outside: PathBuf,
}

fn folders() -> Folders {
    let home = tempfile::tempdir().unwrap();
    let path = fs::canonicalize(home.path()).unwrap();
    let (root, outside) = (path.join("root"), path.join("outside"));
    for (folder, text) in [(root.join("door"), "inside"), (outside.clone(), "secret")] {
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("file"), text).unwrap();
    }
    symlink(&outside, root.join("link")).unwrap();
    Folders { root, outside, _home: home }
}

/// Makes `door` the link and then the folder again, until the attack ends.
fn swap(root: &Path, ended: &AtomicBool) {
    let rename = |from: &str, to: &str| fs::rename(root.join(from), root.join(to)).unwrap();
    while !ended.load(Ordering::Relaxed) {
        rename("door", "folder");
        rename("link", "door");
        thread::yield_now();
        rename("door", "link");
        rename("folder", "door");
        thread::yield_now();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_that_another_program_swaps_for_a_link_never_leads_out() {
    let folders = folders();
    let mut command = Command::new(env!("CARGO_BIN_EXE_files-server"));
    command.arg(&folders.root);
    let client = Client::spawn(command).await.unwrap();
    let ended = AtomicBool::new(false);
    let counts = thread::scope(|scope| {
        let attacker = scope.spawn(|| swap(&folders.root, &ended));
        let counts = tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(attacked(&client)));
        ended.store(true, Ordering::Relaxed);
        attacker.join().unwrap();
        counts
    });
    assert!(counts.0 >= TIMES && counts.1 >= TIMES, "{counts:?}");
    let outside: Vec<PathBuf> = fs::read_dir(&folders.outside).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(outside, [folders.outside.join("file")], "nothing was created outside");
    assert_eq!(fs::read_to_string(folders.outside.join("file")).unwrap(), "secret", "nothing was changed outside");
    assert!(fs::read_to_string(folders.root.join("door/file")).unwrap().starts_with("inside"));
}

/// Reads, writes, lists and moves in `door`. Returns how many calls succeeded and how many failed.
async fn attacked(client: &Client) -> (usize, usize) {
    let (mut succeeded, mut failed, mut number) = (0, 0, 0);
    while succeeded < TIMES || failed < TIMES {
        number += 1;
        let calls: [(&str, Value); 6] = [
            ("read_text_file", json!({"path": "door/file"})),
            ("write_file", json!({"path": "door/file", "content": format!("inside {number}")})),
            ("write_file", json!({"path": format!("door/new-{}", number % 8), "content": "new"})),
            ("list_directory", json!({"path": "door"})),
            ("search_files", json!({"path": ".", "pattern": "**/file"})),
            ("move_file", json!({"source": "door/new-0", "destination": format!("door/moved-{}", number % 8)})),
        ];
        for (tool, arguments) in calls {
            let result = client.call(tool, arguments).await.unwrap();
            let text = result.to_text();
            assert!(!text.contains("secret"), "{tool}: {text}");
            *if result.is_error { &mut failed } else { &mut succeeded } += 1;
        }
    }
    (succeeded, failed)
}
