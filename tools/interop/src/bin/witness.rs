//! Stands between a client and a server and writes down what they say: `witness FOLDER SERVER [ARGUMENT...]`.
//!
//! A message is written down before it is passed on, so the record holds all that either side can have seen, even where
//! the client ends its server without a word. The environment cannot carry the settings: most clients do not pass it on.

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
    let folder = PathBuf::from(arguments.next().expect("a folder for the record"));
    let server = arguments.next().expect("a server to start");
    let mut child = Command::new(server).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let record: &'static Record = Box::leak(Box::new(Record::new(folder)?));

    let mut to_server = child.stdin.take().expect("stdin is piped");
    thread::spawn(move || {
        // Ends with the client's input, and by dropping the pipe tells the server so.
        pass(record, "client", io::stdin().lock(), &mut to_server)
    });
    let from_server = BufReader::new(child.stdout.take().expect("stdout is piped"));
    pass(record, "server", from_server, &mut io::stdout().lock())?;

    let status = child.wait()?;
    record.write(&json!({"exit": status.code().unwrap_or(-1)}))?;
    process::exit(status.code().unwrap_or(1))
}

fn pass(record: &Record, who: &str, mut from: impl BufRead, to: &mut impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        record.write(&json!({who: String::from_utf8_lossy(&line).trim_end()}))?;
        // A side that no longer listens is no reason to miss what the other says.
        let _ = to.write_all(&line).and_then(|()| to.flush());
        line.clear();
    }
    Ok(())
}

struct Record(Mutex<File>);

impl Record {
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
