//! What the word SERVER of a command line means: a name of `.mcp.json`, a URL, or a command.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use mcp_client::{Builder, Client, FileStore, OAuth};
use serde_json::{Value, json};

use super::expand::expand;
use super::mcp_json::McpJson;
use super::split_command::split;
use crate::{Failure, tell};

/// A server to connect to.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Process {
        program: PathBuf,
        arguments: Vec<String>,
        env: Vec<(String, String)>,
        folder: Option<PathBuf>,
        /// Whether the process gets the whole environment of the user.
        inherits: bool,
    },
    Http {
        url: String,
        headers: Vec<(String, String)>,
    },
    Sse {
        url: String,
        headers: Vec<(String, String)>,
    },
}

impl Target {
    /// Finds the server that `word` names. `config` is the file to use instead of the `.mcp.json` of the project.
    pub(super) fn resolve(word: &str, config: Option<&Path>) -> Result<Target, Failure> {
        if word.starts_with("http://") || word.starts_with("https://") {
            return Ok(Target::Http { url: word.to_owned(), headers: Vec::new() });
        }
        let folder = env::current_dir().map_err(|error| Failure::new(format!("cannot open this folder: {error}")))?;
        let json = match config {
            Some(path) => Some(McpJson::read(path)?),
            None => McpJson::find(&folder)?,
        };
        if let Some(json) = json.as_ref().filter(|json| json.has(word)) {
            tell(&format!("`{word}` is a server of {}", json.path.display()));
            return json.server(word, &variable);
        }
        let words = split(word).map_err(Failure::usage)?;
        let is_command = words.len() > 1 || word.contains(['/', '\\']);
        match Target::command(&words) {
            Ok(target) => Ok(target),
            Err(failure) if is_command => Err(failure),
            Err(_) => Err(Failure::usage(unknown(word, json.as_ref()))),
        }
    }

    /// Creates the target for a command whose words are already separated.
    pub(super) fn command(words: &[String]) -> Result<Target, Failure> {
        let [program, arguments @ ..] = words else {
            return Err(Failure::usage("the command of the server is empty"));
        };
        let program = find_program(program, Path::new("")).map_err(Failure::usage)?;
        Ok(Target::Process { program, arguments: arguments.to_vec(), env: Vec::new(), folder: None, inherits: true })
    }

    /// Adds a header, in which variables are expanded: `Authorization: Bearer ${TOKEN}`.
    pub(super) fn add_header(&mut self, header: &str) -> Result<(), Failure> {
        let (Target::Http { headers, .. } | Target::Sse { headers, .. }) = self else {
            return Err(Failure::usage("`--header` is only for servers with a URL"));
        };
        let (name, value) = header
            .split_once(':')
            .ok_or_else(|| Failure::usage(format!("`{header}` is not a header: write --header 'Name: value'")))?;
        let value = expand(value.trim(), &variable)
            .map_err(|variable| Failure::usage(format!("the variable {variable} in `--header` is not set")))?;
        headers.push((name.trim().to_owned(), value));
        Ok(())
    }

    /// Adds an environment variable: `NAME=value`, or `NAME` for a variable of this process.
    pub(super) fn add_env(&mut self, assignment: &str) -> Result<(), Failure> {
        let Target::Process { env, .. } = self else {
            return Err(Failure::usage("`--env` is only for servers that are started"));
        };
        let (name, value) = match assignment.split_once('=') {
            Some((name, value)) => (name, value.to_owned()),
            None => {
                let value = variable(assignment);
                (assignment, value.ok_or_else(|| Failure::usage(format!("the variable {assignment} is not set")))?)
            }
        };
        env.push((name.to_owned(), value));
        Ok(())
    }

    /// Uses the HTTP transport of 2024-11-05 for a URL.
    pub(super) fn over_sse(self) -> Result<Target, Failure> {
        match self {
            Target::Http { url, headers } | Target::Sse { url, headers } => Ok(Target::Sse { url, headers }),
            Target::Process { .. } => Err(Failure::usage("`--sse` is only for servers with a URL")),
        }
    }

    /// Describes the server for the page of the inspector. Values of headers and variables may be secret, so only names are given.
    pub(crate) fn describe(&self) -> Value {
        let names = |headers: &[(String, String)]| headers.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        match self {
            Target::Process { program, arguments, .. } => {
                let words = [program.display().to_string()].into_iter().chain(arguments.iter().cloned());
                json!({"kind": "process", "words": words.collect::<Vec<_>>()})
            }
            Target::Http { url, headers } => json!({"kind": "http", "url": url, "headers": names(headers)}),
            Target::Sse { url, headers } => json!({"kind": "sse", "url": url, "headers": names(headers)}),
        }
    }

    /// Returns a client that is not connected yet. It logs in with the browser if a server over HTTP requires it.
    pub(crate) fn client(&self) -> Result<Builder, Failure> {
        let builder = match self {
            Target::Process { program, arguments, env, folder, inherits } => {
                let mut command = Command::new(program);
                command.args(arguments).envs(env.iter().map(|(name, value)| (name, value)));
                if let Some(folder) = folder {
                    command.current_dir(folder);
                }
                let builder = Client::spawn(command);
                if *inherits { builder.inherit_env() } else { builder }
            }
            Target::Http { url, headers } => with_headers(Client::http(url), headers)?,
            Target::Sse { url, headers } => with_headers(Client::sse(url), headers)?,
        };
        Ok(builder.name("cargo-mcp", env!("CARGO_PKG_VERSION")))
    }
}

fn with_headers(builder: Builder, headers: &[(String, String)]) -> Result<Builder, Failure> {
    let builder = headers.iter().fold(builder, |builder, (name, value)| builder.header(name, value));
    if headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization")) {
        return Ok(builder);
    }
    let store = FileStore::of_user().map_err(|error| Failure::new(error.to_string()))?;
    Ok(builder.authorize(OAuth::new().client_name("cargo mcp").store(store)))
}

/// Returns the path of a program. A relative path is relative to `folder`; a name is searched on `PATH`.
pub(super) fn find_program(name: &str, folder: &Path) -> Result<PathBuf, String> {
    if !name.contains(['/', '\\']) {
        return which::which(name).map_err(|_| format!("there is no program `{name}` on PATH"));
    }
    let path = folder.join(name);
    which::which(&path).map_err(|_| format!("`{}` is not a program", path.display()))
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok()
}

fn unknown(word: &str, json: Option<&McpJson>) -> String {
    let advice = json.map_or_else(
        || "this project has no .mcp.json; a server is a name in that file, a URL, or a command in quotes".to_owned(),
        |json| json.advice(word),
    );
    format!("`{word}` is neither a server of this project nor a program; {advice}")
}
