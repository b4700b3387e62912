//! Opens the browser of the user.

use std::io::Write;
use std::process::Stdio;
use std::sync::Arc;

use tokio::process::Command;
use url::Url;

use crate::authorize::AuthorizeError;
use crate::transport::Boxed;

/// Opens a page for the user.
pub(super) type Browser = Arc<dyn Fn(Url) -> Boxed<'static, Result<(), AuthorizeError>> + Send + Sync>;

/// Prints the URL to standard error, and opens it with the program of the system.
pub(super) fn system() -> Browser {
    Arc::new(|url| {
        Box::pin(async move {
            let _ = writeln!(std::io::stderr(), "Log in with the browser: {url}");
            // Without a browser on this machine, the user opens the printed URL.
            if let Err(error) = opener(&url).spawn() {
                tracing::debug!(%error, "cannot open a browser");
            }
            Ok(())
        })
    })
}

/// Returns the command that opens a URL.
///
/// The URL is https, or http to this machine, so these programs cannot take it for an option or a file name.
fn opener(url: &Url) -> Command {
    let mut command = match () {
        () if cfg!(target_os = "macos") => Command::new("open"),
        () if cfg!(windows) => {
            let mut command = Command::new("rundll32");
            command.arg("url.dll,FileProtocolHandler");
            command
        }
        () => Command::new("xdg-open"),
    };
    command.arg(url.as_str()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}
