//! A server process over real sockets: signals, and floods of connections and sessions.

#[cfg(target_os = "linux")]
mod floods;
#[cfg_attr(windows, allow(dead_code, reason = "the tests of signals use the rest"))]
mod server;
#[cfg(unix)]
mod shutdown;
#[cfg(windows)]
mod windows;
