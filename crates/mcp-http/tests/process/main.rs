//! A server process over real sockets: signals, and floods of connections and sessions.

// Not on Windows: clients of many addresses connect over the loopback network of Linux.
#[cfg(target_os = "linux")]
mod floods;
#[cfg_attr(windows, allow(dead_code, reason = "the tests of signals use the rest"))]
mod server;
// Windows: process/windows.rs
#[cfg(unix)]
mod shutdown;
#[cfg(windows)]
mod windows;
