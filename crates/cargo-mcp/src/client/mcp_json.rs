//! Servers by name, from the `.mcp.json` of a project.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use mcp_cli::parts::nearest;
use serde::Deserialize;
use serde_json::Value;

use super::expand::expand;
use super::target::{Target, find_program};
use crate::Failure;

/// The maximum size of a file in bytes.
const LARGEST: u64 = 4 << 20;

/// A `.mcp.json` file.
#[derive(Debug)]
pub(super) struct McpJson {
    pub(super) path: PathBuf,
    servers: BTreeMap<String, Value>,
}

/// One entry of `mcpServers`, before its variables are expanded.
#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "type")]
    kind: Option<String>,
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
}

impl McpJson {
    /// Finds the `.mcp.json` of the project: in this folder, or in a folder above it up to the root of the git repository.
    ///
    /// Folders above the repository are not read, because others may be able to write there.
    pub(super) fn find(folder: &Path) -> Result<Option<McpJson>, Failure> {
        let root = folder.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(folder);
        let project = folder.ancestors().take_while(|folder| folder.starts_with(root));
        match project.map(|folder| folder.join(".mcp.json")).find(|path| path.is_file()) {
            Some(path) => McpJson::read(&path).map(Some),
            None => Ok(None),
        }
    }

    pub(super) fn read(path: &Path) -> Result<McpJson, Failure> {
        let failed = |reason: &dyn std::fmt::Display| Failure::new(format!("cannot read {}: {reason}", path.display()));
        let mut text = String::new();
        fs::File::open(path).and_then(|file| file.take(LARGEST).read_to_string(&mut text)).map_err(|error| {
            if error.kind() == ErrorKind::NotFound { failed(&"there is no such file") } else { failed(&error) }
        })?;
        // Some Windows editors write a byte order mark at the start of a file.
        let json: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| failed(&error))?;
        let servers = json["mcpServers"].as_object().ok_or_else(|| failed(&"it has no object `mcpServers`"))?;
        let servers = servers.iter().map(|(name, entry)| (name.clone(), entry.clone())).collect();
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Ok(McpJson { path, servers })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.servers.contains_key(name)
    }

    /// Returns the names of all servers, or a name that is similar to `word`, as the end of an error message.
    pub(super) fn advice(&self, word: &str) -> String {
        let names = || self.servers.keys().map(String::as_str);
        let path = self.path.display();
        match nearest(word, names()) {
            Some(near) => format!("did you mean `{near}` of {path}?"),
            None if self.servers.is_empty() => format!("{path} has no servers"),
            None => format!("the servers of {path} are: {}", names().collect::<Vec<_>>().join(", ")),
        }
    }

    /// Returns the server of that name. Only the variables of this entry are expanded.
    pub(super) fn server(&self, name: &str, value: &dyn Fn(&str) -> Option<String>) -> Result<Target, Failure> {
        let failed = |reason: String| Failure::new(format!("the server `{name}` of {}: {reason}", self.path.display()));
        let entry: Entry = serde_json::from_value(self.servers[name].clone()).map_err(|error| failed(error.to_string()))?;
        let text = |text: &str| {
            expand(text, value).map_err(|variable| {
                failed(format!("the variable {variable} is not set: set it, or give it a default with ${{{variable}:-..}}"))
            })
        };
        let texts = |map: &BTreeMap<String, String>| {
            map.iter().map(|(name, value)| Ok((name.clone(), text(value)?))).collect::<Result<Vec<_>, Failure>>()
        };
        match (entry.kind.as_deref(), &entry.command, &entry.url) {
            (None | Some("stdio"), Some(command), _) => {
                let folder = self.path.parent().unwrap_or(Path::new("."));
                let program = find_program(&text(command)?, folder).map_err(failed)?;
                let arguments = entry.args.iter().map(|argument| text(argument)).collect::<Result<_, _>>()?;
                let (env, folder) = (texts(&entry.env)?, Some(folder.to_owned()));
                Ok(Target::Process { program, arguments, env, folder, inherits: false })
            }
            (Some("http" | "streamable-http") | None, _, Some(url)) => {
                Ok(Target::Http { url: text(url)?, headers: texts(&entry.headers)? })
            }
            (Some("sse"), _, Some(url)) => Ok(Target::Sse { url: text(url)?, headers: texts(&entry.headers)? }),
            (Some(kind), _, _) if !matches!(kind, "stdio" | "http" | "streamable-http" | "sse") => {
                Err(failed(format!("its type `{kind}` is unknown; the types are stdio, http and sse")))
            }
            (Some("stdio"), ..) => Err(failed("it has no `command`".to_owned())),
            (Some(_), ..) => Err(failed("it has no `url`".to_owned())),
            (None, ..) => Err(failed("it has neither a `command` nor a `url`".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> (tempfile::TempDir, McpJson) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".mcp.json"), text).unwrap();
        let json = McpJson::find(folder.path()).unwrap().unwrap();
        (folder, json)
    }

    #[test]
    fn only_the_variables_of_the_named_server_are_expanded() {
        let (_folder, json) = file(
            r#"{"mcpServers": {"web": {"type": "http", "url": "https://${HOST:-example.com}/mcp", "headers": {"X": "${KEY}"}},
            "other": {"type": "http", "url": "https://evil.test/${SECRET}"}}}"#,
        );
        let asked = std::cell::RefCell::new(Vec::new());
        let value = |name: &str| {
            asked.borrow_mut().push(name.to_owned());
            (name == "KEY").then(|| "k".to_owned())
        };
        let Target::Http { url, headers } = json.server("web", &value).unwrap() else { panic!("not HTTP") };
        assert_eq!((url.as_str(), headers), ("https://example.com/mcp", vec![("X".to_owned(), "k".to_owned())]));
        assert_eq!(asked.into_inner(), ["HOST", "KEY"]);
    }

    #[test]
    fn faults_of_an_entry_are_named() {
        let (_folder, json) = file(
            r#"{"mcpServers": {"a": {"type": "ws", "url": "x"}, "b": {}, "c": {"type": "http"}, "d": {"command": 1},
            "e": {"url": "${NO}"}, "f": {"type": "stdio"}, "g": {"command": "no-such-program-of-mcp"}}}"#,
        );
        for (name, fault) in [
            ("a", "type `ws` is unknown"),
            ("b", "neither a `command` nor a `url`"),
            ("c", "no `url`"),
            ("d", "expected a string"),
            ("e", "the variable NO is not set"),
            ("f", "no `command`"),
            ("g", "no program `no-such-program-of-mcp`"),
        ] {
            let error = json.server(name, &|_| None).unwrap_err();
            assert!(error.reason.contains(fault) && error.reason.contains(&format!("`{name}`")), "{error:?}");
        }
    }

    #[test]
    fn the_file_is_searched_up_to_the_root_of_the_repository_only() {
        let home = tempfile::tempdir().unwrap();
        let inner = home.path().join("repository/inner");
        fs::create_dir_all(&inner).unwrap();
        fs::write(home.path().join(".mcp.json"), "{}").unwrap();
        assert!(McpJson::find(&inner).unwrap().is_none(), "without a repository only the folder itself is searched");
        fs::create_dir(home.path().join("repository/.git")).unwrap();
        assert!(McpJson::find(&inner).unwrap().is_none());
        fs::write(home.path().join("repository/.mcp.json"), r#"{"mcpServers": {}}"#).unwrap();
        assert!(McpJson::find(&inner).unwrap().is_some());
    }
}
