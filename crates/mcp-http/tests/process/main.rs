//! A server process over real sockets: signals, and floods of connections and sessions.

#[cfg(target_os = "linux")]
mod floods;
#[cfg(unix)]
mod server;
#[cfg(unix)]
mod shutdown;
