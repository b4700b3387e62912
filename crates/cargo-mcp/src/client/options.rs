//! The options that all commands of the client share.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use mcp_cli::Arguments;
use mcp_cli::UsageError;
use mcp_cli::parts::ProgressBar;
use mcp_client::{Builder, Client, LogLevel, Revision};

use super::ask::Person;
use super::target::Target;
use super::text::in_one_line;
use crate::Failure;

/// The server, and how to connect to it.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) target: Target,
    pub(super) json: bool,
    verbose: bool,
    revision: Option<Revision>,
    timeout: Option<Duration>,
    /// The progress bar on the terminal. Everything else that goes to stderr is written through it.
    pub(super) bar: Arc<ProgressBar>,
}

impl Options {
    /// Takes the options and the word SERVER. The words after `--` are a command instead.
    pub(crate) fn parse(arguments: &mut Arguments) -> Result<Options, Failure> {
        let (json, verbose) = (arguments.flag("--json"), arguments.flag("--verbose"));
        let sse = arguments.flag("--sse");
        let config = arguments.value("--config").map_err(usage)?.map(PathBuf::from);
        let (headers, env) = (arguments.values("--header").map_err(usage)?, arguments.values("--env").map_err(usage)?);
        let revision = arguments.value("--revision").map_err(usage)?.map(|name| revision(&name)).transpose()?;
        let timeout = arguments.value("--timeout").map_err(usage)?.map(|text| seconds(&text)).transpose()?;
        let rest = arguments.rest();
        let mut target = if rest.is_empty() {
            let word = arguments.next_word().ok_or_else(|| {
                Failure::usage("name a server: a name in .mcp.json, a URL, or a command in quotes (see --help)")
            })?;
            Target::resolve(&word, config.as_deref())?
        } else {
            Target::command(&rest)?
        };
        if sse {
            target = target.over_sse()?;
        }
        headers.iter().try_for_each(|header| target.add_header(header))?;
        env.iter().try_for_each(|assignment| target.add_env(assignment))?;
        Ok(Options { target, json, verbose, revision, timeout, bar: Arc::default() })
    }

    /// Returns a client with these options that is not connected yet.
    pub(crate) fn builder(&self) -> Result<Builder, Failure> {
        let builder = self.target.client()?;
        let builder = match self.revision {
            Some(revision) => builder.revision(revision),
            None => builder,
        };
        Ok(match self.timeout {
            Some(timeout) => builder.timeout(timeout).connect_timeout(timeout),
            None => builder,
        })
    }

    /// Connects with a person at the terminal who answers the questions of the server.
    pub(super) async fn connect(&self) -> Result<Client, Failure> {
        let mut builder = self.builder()?.handler(Person::new(self.bar.clone()));
        if self.verbose {
            let bar = self.bar.clone();
            let lines = std::sync::Mutex::new(Lines::default());
            builder = builder.log_level(LogLevel::Debug).on_stderr(move |bytes| {
                let mut lines = lines.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                lines.push(bytes, |line| bar.write_line(&in_one_line(line)));
            });
        }
        let client = builder.await.map_err(|error| Failure::new(error.to_string()))?;
        if self.verbose {
            self.show_logs(&client).await;
        }
        Ok(client)
    }

    /// Prints the log messages of the server to stderr, until the client is closed.
    async fn show_logs(&self, client: &Client) {
        if let Ok(server) = client.server().await {
            let name = server.implementation.as_ref().map_or("the server", |server| &server.name);
            self.bar.write_line(&in_one_line(&format!("connected to {name}, revision {}", server.revision.as_str())));
            // In 2026-07-28 each request names the level. Before, it is set once, if the server has log messages.
            if server.capabilities.logging.is_some()
                && !server.revision.is_stateless()
                && let Err(error) = client.set_log_level(LogLevel::Debug).await
            {
                self.bar.write_line(&in_one_line(&format!("cannot set the log level: {error}")));
            }
        }
        let (mut logs, bar) = (client.logs(), self.bar.clone());
        tokio::spawn(async move {
            while let Some(log) = logs.next().await {
                let data = log.data.as_str().map_or_else(|| log.data.to_string(), str::to_owned);
                bar.write_line(&in_one_line(&format!("{}: {data}", log.level.as_str())));
            }
        });
    }
}

/// Splits bytes into lines of limited length.
#[derive(Debug, Default)]
struct Lines(Vec<u8>);

impl Lines {
    fn push(&mut self, bytes: &[u8], mut line: impl FnMut(&str)) {
        const LONGEST: usize = 16 << 10;
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.0.extend_from_slice(part);
            if part.ends_with(b"\n") || self.0.len() > LONGEST {
                line(String::from_utf8_lossy(&self.0).trim_end_matches(['\n', '\r']));
                self.0.clear();
            }
        }
    }
}

pub(crate) fn usage(error: UsageError) -> Failure {
    Failure::usage(error.to_string())
}

fn revision(name: &str) -> Result<Revision, Failure> {
    Revision::parse(name).ok_or_else(|| {
        let names = Revision::ALL.map(Revision::as_str).join(", ");
        Failure::usage(format!("`{name}` is not a revision of MCP; the revisions are {names}"))
    })
}

fn seconds(text: &str) -> Result<Duration, Failure> {
    let seconds: Option<f64> = text.parse().ok();
    let time = seconds.filter(|seconds| *seconds > 0.0).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| Failure::usage(format!("`{text}` is not a number of seconds")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_error_is_split_into_lines_of_limited_length() {
        let (mut lines, mut shown) = (Lines::default(), Vec::new());
        for part in ["one\ntw", "o\r\n", "\n", &"x".repeat(20_000), "y\nrest"] {
            lines.push(part.as_bytes(), |line| shown.push(line.to_owned()));
        }
        assert_eq!(shown.iter().map(String::len).collect::<Vec<_>>(), [3, 3, 0, 20_000, 1]);
    }
}
