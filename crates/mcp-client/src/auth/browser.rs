//! Opens the browser of the user.

use std::io::{self, ErrorKind, Write};
use std::process::Stdio;
use std::sync::Arc;

use tokio::process::Command;
use url::Url;

use crate::authorize::AuthorizeError;
use crate::sys;
use crate::transport::Boxed;

/// Opens a page for the user.
pub(super) type Browser = Arc<dyn Fn(Url) -> Boxed<'static, Result<(), AuthorizeError>> + Send + Sync>;

/// Prints the URL to standard error, and opens it with the program of the system.
pub(super) fn system() -> Browser {
    Arc::new(|url| {
        Box::pin(async move {
            let _ = writeln!(std::io::stderr(), "Log in with the browser: {url}");
            // Without a browser on this machine, the user opens the printed URL.
            if let Err(error) = open_browser(&url) {
                tracing::debug!(%error, "cannot open a browser");
            }
            Ok(())
        })
    })
}

/// Opens a page in the browser of the user, without waiting for it. The runtime must be that of tokio.
///
/// # Errors
/// If the URL is neither https nor http, or if the program that opens pages cannot be started.
pub fn open_browser(url: &Url) -> io::Result<()> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(io::Error::new(ErrorKind::InvalidInput, format!("`{}` is not the address of a web page", url.scheme())));
    }
    opener(url).spawn().map(drop)
}

/// Returns the command that opens a URL.
///
/// The URL is https or http, so these programs cannot take it for an option or a file name.
fn opener(url: &Url) -> Command {
    let (program, arguments) = sys::OPENER;
    let mut command = Command::new(program);
    command.args(arguments).arg(url.as_str()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}
