//! A server process over HTTP.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

/// The process is killed when this value is dropped.
pub(crate) struct Server {
    process: Child,
    pub(crate) url: String,
}

impl Server {
    /// Starts a command with a free port as its argument.
    pub(crate) fn start(path: &str, command: impl FnOnce(u16) -> Command) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        drop(listener);
        let mut command = command(port);
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        Server { process, url: format!("http://127.0.0.1:{port}/{path}") }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to do.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
