//! Serving over HTTP.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;

use mcp_core::Server;
use mcp_http::{Http, Listener, Protection};

use crate::address::{is_local, reachable, resolve};
use crate::fail;
use crate::options::HttpOptions;
use crate::token::{Source, Token, VARIABLE};

/// Serves until a signal stops the process. Returns the exit status.
pub(crate) fn serve(server: Server, options: &HttpOptions) -> ExitCode {
    let prepared = Token::read(options.token_file.as_deref()).and_then(|token| {
        let addresses = resolve(&options.address)?;
        refuse_public(&addresses, token.as_ref())?;
        Ok((token, addresses))
    });
    let (token, addresses) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return fail(&error, 2),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&format!("cannot start threads: {error}"), 1),
    };
    let outcome = runtime.block_on(listen(server, options, token, &addresses));
    // Blocking functions that ignore their cancellation must not keep the process alive.
    runtime.shutdown_background();
    outcome.map_or_else(|error| fail(&error, 1), |()| ExitCode::SUCCESS)
}

/// Returns an error if other machines could call tools without a token.
fn refuse_public(addresses: &[SocketAddr], token: Option<&Token>) -> Result<(), String> {
    match addresses.iter().find(|address| !is_local(**address)) {
        Some(address) if token.is_none() => Err(format!(
            "other machines can reach {address}, so a token is needed: add `--token-file FILE` or set {VARIABLE}, or listen on \
             127.0.0.1"
        )),
        _ => Ok(()),
    }
}

async fn listen(
    server: Server,
    options: &HttpOptions,
    token: Option<Token>,
    addresses: &[SocketAddr],
) -> Result<(), String> {
    let name = server.info().name.clone();
    let source = token.as_ref().map(|token| token.source().clone());
    let mut http = Http::new().allow_hosts(options.hosts.clone()).allow_origins(options.origins.clone());
    // A literal address cannot be the domain name of an attacker.
    http = http.allow_hosts(addresses.iter().map(|address| host_of(*address)));
    if let Some(token) = token {
        let protection = Protection::new(resource(options, addresses), token).map_err(|error| error.to_string())?;
        http = http.protect(protection.name(name.clone()));
    }
    let signal = mcp_http::shutdown_signal().map_err(|error| format!("cannot handle signals: {error}"))?;
    let listener = http
        .listen(server, addresses)
        .await
        .map_err(|error| format!("cannot listen on {}: {}", options.address, with_source(&error)))?;
    announce(&listener, &name, source.as_ref(), options);
    listener.serve_until(signal).await;
    Ok(())
}

/// Returns the URL that identifies this server in the metadata for OAuth clients.
fn resource(options: &HttpOptions, addresses: &[SocketAddr]) -> String {
    match (options.hosts.first(), addresses.first()) {
        (Some(host), _) => format!("https://{host}/mcp"),
        (None, Some(address)) => format!("http://{}/mcp", reachable(*address)),
        (None, None) => "http://localhost/mcp".to_owned(),
    }
}

/// Returns the IP address as it is in the header `Host`.
fn host_of(address: SocketAddr) -> String {
    match address {
        SocketAddr::V4(address) => address.ip().to_string(),
        SocketAddr::V6(address) => format!("[{}]", address.ip()),
    }
}

/// Prints the URL and how to add the server to Claude Code.
fn announce(listener: &Listener, name: &str, token: Option<&Source>, options: &HttpOptions) {
    let url = format!("http://{}/mcp", reachable(listener.address()));
    let header = match token {
        None => String::new(),
        Some(Source::Environment) => format!(" --header \"Authorization: Bearer ${VARIABLE}\""),
        Some(Source::File(path)) => format!(" --header \"Authorization: Bearer $(cat '{}')\"", path.display()),
    };
    let mut text = format!(
        "listening on {url}\nAdd it to Claude Code:  claude mcp add --transport http {name} {url}{header}\nctrl-c stops it.\n"
    );
    if listener.address().ip().is_unspecified() && options.hosts.is_empty() {
        text += "Only requests to localhost are accepted: list the names of this machine with --allow-host.\n";
    }
    // A write fails if standard error is closed. The server then runs all the same.
    let _ = io::stderr().write_all(text.as_bytes());
}

fn with_source(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
