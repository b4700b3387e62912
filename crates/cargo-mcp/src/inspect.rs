//! `cargo mcp inspect SERVER`: opens a page in the browser that shows and calls a server.

use mcp_cli::Arguments;
use mcp_inspect::Inspector;
use url::Url;

use crate::client::options::{Options, usage};
use crate::{Failure, say, tell};

/// Runs the command with the words that follow it.
pub(crate) fn run(words: &[String]) -> Result<(), Failure> {
    let mut arguments = Arguments::new(words.to_vec());
    let opens = !arguments.flag("--no-open");
    let port = arguments.value("--port").map_err(usage)?.map(|text| port(&text)).transpose()?.unwrap_or(0);
    let options = Options::parse(&mut arguments)?;
    arguments.finish("inspect").map_err(usage)?;
    // A fault of the options is reported now, not in the page.
    drop(options.builder()?);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(format!("cannot start threads: {error}")))?;
    runtime.block_on(serve(options, port, opens))
}

async fn serve(options: Options, port: u16, opens: bool) -> Result<(), Failure> {
    let server = options.target.describe();
    let connect = move || options.builder().map_err(|failure| failure.reason);
    let inspector = Inspector::bind(port, server, connect).await;
    let inspector =
        inspector.map_err(|error| Failure::new(format!("cannot listen on port {port} of 127.0.0.1: {error}")))?;
    let url = inspector.url();
    say(&format!("{url}\n"))?;
    tell("the inspector runs at the address above, which nobody else should know; Ctrl-C ends it");
    let opened = if opens { Url::parse(&url).map(|url| mcp_client::open_browser(&url)).ok() } else { None };
    if let Some(Err(error)) = opened {
        tell(&format!("cannot open the browser ({error}): open the address yourself"));
    }
    let ended = inspector.serve(tokio::signal::ctrl_c()).await;
    ended.map_err(|error| Failure::new(format!("the inspector failed: {error}")))
}

fn port(text: &str) -> Result<u16, Failure> {
    text.parse().map_err(|_| Failure::usage(format!("`{text}` is not a port: use a number up to 65535")))
}
