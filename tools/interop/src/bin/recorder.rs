//! Runs a server and records the messages between it and its client: `recorder FOLDER SERVER [ARGUMENT...]`.
//!
//! A message is recorded before it is passed on. So the recording is complete even if the client kills its server. The folder
//! is an argument because most clients do not pass environment variables on to their servers.

use std::{
    env,
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::PathBuf,
    process::{self, Command, Stdio},
    sync::Mutex,
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

use serde_json::json;

fn main() -> io::Result<()> {
    let mut arguments = env::args_os().skip(1);
    let folder = PathBuf::from(arguments.next().expect("the first argument is a folder"));
    let server = arguments.next().expect("the second argument is a server");
    let mut child = Command::new(server).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let recording: &'static Recording = Box::leak(Box::new(Recording::new(folder)?));

    let mut to_server = child.stdin.take().expect("stdin is piped");
    thread::spawn(move || {
        // At the end of the client's input this closes the pipe to the server.
        forward(recording, "client", io::stdin().lock(), &mut to_server)
    });
    let from_server = BufReader::new(child.stdout.take().expect("stdout is piped"));
    forward(recording, "server", from_server, &mut io::stdout().lock())?;

    let status = child.wait()?;
    recording.write(&json!({"exit": status.code().unwrap_or(-1)}))?;
    process::exit(status.code().unwrap_or(1))
}

fn forward(recording: &Recording, sender: &str, mut from: impl BufRead, to: &mut impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        recording.write(&json!({sender: String::from_utf8_lossy(&line).trim_end()}))?;
        // If the receiver has closed its end, the sender is still recorded.
        let _ = to.write_all(&line).and_then(|()| to.flush());
        line.clear();
    }
    Ok(())
}

struct Recording(Mutex<File>);

impl Recording {
    /// The names of the files sort by the start of their processes.
    fn new(folder: PathBuf) -> io::Result<Self> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let file = File::create_new(folder.join(format!("{now:020}-{}.jsonl", process::id())))?;
        Ok(Self(Mutex::new(file)))
    }

    fn write(&self, entry: &serde_json::Value) -> io::Result<()> {
        let mut file = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.write_all(format!("{entry}\n").as_bytes())
    }
}
