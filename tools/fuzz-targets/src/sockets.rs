//! Raw bytes to a program that listens on the loopback interface.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// How long to wait for more output of a request that may be incomplete.
const QUIET_TIMEOUT: Duration = Duration::from_millis(30);

/// How long to wait for the response to a complete request.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(20);

/// Sends the bytes and returns what comes back, until the program closes the connection or is silent for a moment.
pub(crate) fn exchange(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    talk(address, bytes, QUIET_TIMEOUT)
}

/// Sends a complete request that closes its connection, and returns the response.
pub(crate) fn request(address: SocketAddr, bytes: &[u8]) -> String {
    String::from_utf8_lossy(&talk(address, bytes, RESPONSE_TIMEOUT)).into_owned()
}

fn talk(address: SocketAddr, bytes: &[u8], read_timeout: Duration) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).expect("the program accepts connections");
    stream.set_read_timeout(Some(read_timeout)).expect("a valid timeout");
    // The program may close the connection before it has read everything.
    let _ = stream.write_all(bytes);
    let (mut output, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        match stream.read(&mut buffer) {
            Ok(length) if length > 0 => output.extend_from_slice(&buffer[..length]),
            // The end, silence, or a connection that was reset because bytes were left unread.
            Ok(_) | Err(_) => break,
        }
    }
    let _ = stream.shutdown(Shutdown::Both);
    output
}

/// Returns the status of each response in the output.
///
/// # Panics
/// If the output does not begin with a response.
pub(crate) fn statuses(output: &[u8]) -> Vec<u16> {
    assert!(output.is_empty() || output.starts_with(b"HTTP/1."), "no HTTP: {}", String::from_utf8_lossy(output));
    let text = String::from_utf8_lossy(output);
    let heads = text.split("HTTP/1.").skip(1);
    heads.filter_map(|head| head.split(' ').nth(1)?.split(' ').next()?.trim().parse().ok()).collect()
}
