//! Files of sessions on disk: every line is read once, and nothing panics.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use mcp_agent_history::History;

const SESSION: &str = "11111111-1111-4111-8111-111111111111";

/// The folder of this process. It stays after the end of the process, in the temporary folder of the system.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("fuzz-history-{}", std::process::id()));
    fs::create_dir_all(folder.join("projects/-code")).expect("a writable temporary folder");
    folder
});

/// The input is the file of a session.
///
/// # Panics
/// If more records come out than the file has lines, or if a conversation has more messages than records.
pub fn history(data: &[u8]) {
    let file = FOLDER.join("projects/-code").join(format!("{SESSION}.jsonl"));
    fs::write(&file, data).expect("a writable file");
    let history = History::at(FOLDER.as_path());
    let lines = data.split(|byte| *byte == b'\n').count();
    let records = history.read(SESSION).map(|records| records.take(lines + 1).count());
    let count = records.unwrap_or_default();
    assert!(count <= lines, "{count} records in {lines} lines");
    // Whether the file is listed as a session depends on its content.
    for session in history.sessions().unwrap_or_default() {
        let _ = session.label();
    }
    if let Ok(conversation) = history.conversation(SESSION) {
        let (shown, all) = (conversation.messages().count(), conversation.all().len());
        assert!(shown <= all && all <= lines, "{shown} of {all} messages in {lines} lines");
    }
}
