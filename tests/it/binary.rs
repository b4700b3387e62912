//! Built examples, and a child process that one talks with.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Long enough for a loaded machine; a test that waits this long has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The built example of that name.
pub(crate) fn example(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let folder = BUILT.get_or_init(|| {
        // This test binary is target/PROFILE/deps/it-HASH.
        let this = std::env::current_exe().expect("a test knows its own path");
        let profile = this.parent().and_then(Path::parent).expect("target/PROFILE/deps");
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", env!("CARGO_PKG_NAME"), "--examples"]);
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo runs").success(), "the examples do not build");
        profile.join("examples")
    });
    folder.join(name)
}

/// A server in a process of its own.
pub(crate) struct Served {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Served {
    pub(crate) fn start(example_name: &str) -> Served {
        let mut child = Command::new(example(example_name))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the example starts");
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        thread::spawn(move || {
            for line in stdout.lines() {
                if sender.send(line.expect("a server writes UTF-8")).is_err() {
                    break;
                }
            }
        });
        Served { stdin: child.stdin.take(), child, lines }
    }

    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().expect("open"), "{line}").expect("the server reads");
    }

    pub(crate) fn receive(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the server answers")
    }

    /// Closes its input; gives back its exit status.
    pub(crate) fn end(mut self) -> Option<i32> {
        drop(self.stdin.take());
        self.child.wait().expect("it was started").code()
    }
}
