//! The rules of the MCP registry for `server.json`: those of its schema, and those that its validators add.

use serde_json::Value;

/// The schema that the registry validates entries with.
pub const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// The maximum length of a title and of a description.
pub const MAX_TEXT: usize = 100;
const MAX_NAME: usize = 200;
const MAX_VERSION: usize = 255;

/// A part of an entry that the registry would reject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The field of `server.json`, such as `websiteUrl`.
    pub field: &'static str,
    /// What is wrong with the field: `has 120 characters, and the registry accepts 1 to 100`.
    pub reason: String,
}

/// Returns what the registry would reject in an entry.
pub fn faults(entry: &Value) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut check = |field: &'static str, reason: Option<String>| {
        faults.extend(reason.map(|reason| Fault { field, reason }));
    };
    check("name", name(&entry["name"]));
    check("description", text(&entry["description"]));
    check("title", entry.get("title").and_then(text));
    check("version", version(&entry["version"]));
    check("websiteUrl", entry.get("websiteUrl").and_then(address));
    check("repository", entry.get("repository").and_then(repository));
    let list = |field: &str| entry[field].as_array().map(Vec::as_slice).unwrap_or_default();
    for package in list("packages") {
        check("packages", bundle(package));
    }
    for remote in list("remotes") {
        check("remotes", remote_server(remote));
    }
    if list("packages").is_empty() && list("remotes").is_empty() {
        check("packages", Some("is empty, and there are no remotes either".to_owned()));
    }
    faults.dedup();
    faults
}

/// A name is `namespace/name`. The allowed characters are from the schema. That each part has two characters and begins and ends with
/// a letter or a digit is from the validators.
pub(crate) fn name(name: &Value) -> Option<String> {
    let Some(name) = name.as_str() else {
        return Some("is missing".to_owned());
    };
    let is_part = |text: &str, punctuation: &str| {
        let is_alphanumeric = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        text.len() >= 2
            && is_alphanumeric(text.chars().next())
            && is_alphanumeric(text.chars().next_back())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || punctuation.contains(c))
    };
    let is_name = name.len() <= MAX_NAME
        && name.split_once('/').is_some_and(|(namespace, name)| is_part(namespace, ".-") && is_part(name, "._-"));
    (!is_name).then(|| format!("is `{name}`, which is not a name such as io.github.you/your-server"))
}

/// A title and a description have 1 to 100 characters, and not only spaces.
fn text(text: &Value) -> Option<String> {
    let Some(text) = text.as_str() else {
        return Some("is missing".to_owned());
    };
    let length = text.chars().count();
    if text.trim().is_empty() {
        Some("is empty".to_owned())
    } else {
        (length > MAX_TEXT).then(|| format!("has {length} characters, and the registry accepts 1 to {MAX_TEXT}"))
    }
}

/// A version is a single one: no range, no wildcard, and not `latest`.
fn version(version: &Value) -> Option<String> {
    let version = version.as_str().unwrap_or_default();
    let is_range = version.starts_with(['^', '~', '<', '>', '='])
        || version.contains(['*', ' ', '|'])
        || version.split('.').any(|part| part.eq_ignore_ascii_case("x"));
    let is_valid = !version.is_empty() && version.len() <= MAX_VERSION && version != "latest" && !is_range;
    (!is_valid).then(|| format!("is `{version}`, which is not a single version such as 1.2.3"))
}

fn address(address: &Value) -> Option<String> {
    let address = address.as_str().unwrap_or_default();
    (!address.starts_with("https://")).then(|| format!("is `{address}`, which does not begin with https://"))
}

/// A repository is one on GitHub or GitLab.
fn repository(repository: &Value) -> Option<String> {
    let (url, source) = (repository["url"].as_str().unwrap_or_default(), &repository["source"]);
    let path = url.split_once("://").map_or("", |(_, rest)| rest).trim_start_matches("www.").trim_end_matches('/');
    let mut parts = path.split('/');
    let is_known = match parts.next() {
        Some("github.com") => source == "github" && parts.clone().count() == 2,
        Some("gitlab.com") => source == "gitlab" && parts.clone().count() >= 2,
        _ => false,
    };
    let is_valid = is_known
        && parts.all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c)));
    (!is_valid).then(|| format!("is `{url}`, which is not the address of a repository on GitHub or GitLab"))
}

/// A bundle has an address that can be downloaded. Its text has `mcp` in it, as the ending `.mcpb` has.
fn bundle(package: &Value) -> Option<String> {
    if package["registryType"] != "mcpb" {
        return None;
    }
    let Some(url) = package["identifier"].as_str() else {
        return Some("have a bundle without an address".to_owned());
    };
    let is_valid = url.starts_with("https://") && url.to_ascii_lowercase().contains("mcp") && !url.contains(' ');
    (!is_valid).then(|| {
        format!("have a bundle with the address `{url}`, which must begin with https://, contain `mcp` and have no spaces")
    })
}

/// A remote is a server on the internet.
fn remote_server(remote: &Value) -> Option<String> {
    if remote["type"] != "streamable-http" && remote["type"] != "sse" {
        return Some(format!("have the type {}: it must be streamable-http or sse", remote["type"]));
    }
    let url = remote["url"].as_str().unwrap_or_default();
    let host = url.strip_prefix("https://").unwrap_or_default().split(['/', ':', '?']).next().unwrap_or_default();
    let is_local = host.is_empty() || host == "127.0.0.1" || host == "localhost" || host.ends_with(".localhost");
    let is_valid = !is_local && !url.contains([' ', '{', '}']);
    (!is_valid).then(|| {
        format!("have the address `{url}`: it must begin with https://, be on the internet and have no variables or spaces")
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// An entry without faults.
    fn entry() -> Value {
        json!({
            "name": "io.github.you/calc",
            "description": "Adds numbers",
            "title": "Calculator",
            "version": "1.2.3-alpha.1",
            "websiteUrl": "https://example.com",
            "repository": {"url": "https://github.com/you/calc", "source": "github"},
            "packages": [{"registryType": "mcpb", "identifier": "https://example.com/calc.mcpb"},
                {"registryType": "cargo", "identifier": "calc"}],
            "remotes": [{"type": "streamable-http", "url": "https://mcp.example.com/mcp"}],
        })
    }

    /// The fields with faults after one value was replaced.
    fn faulty(pointer: &str, value: Value) -> Vec<&'static str> {
        let mut entry = entry();
        *entry.pointer_mut(pointer).unwrap() = value;
        faults(&entry).into_iter().map(|fault| fault.field).collect()
    }

    #[test]
    fn each_value_that_the_registry_accepts_has_no_fault() {
        let name = format!("io.github.you/{}", "x".repeat(MAX_NAME - 14));
        for (pointer, values) in [
            ("/name", json!(["ab/cd", "com.example/my_calc-2.x", name])),
            ("/description", json!(["x", "é".repeat(MAX_TEXT)])),
            ("/title", json!(["x", "é".repeat(MAX_TEXT)])),
            ("/version", json!(["1", "v1.2.3", "2026-11-19", "1.2.3+x86", "1".repeat(MAX_VERSION)])),
            ("/websiteUrl", json!(["https://example.com/a"])),
            (
                "/repository",
                json!([{"url": "https://gitlab.com/a/b/c/", "source": "gitlab"}, {"url": "http://www.github.com/a/b.c", "source": "github"}]),
            ),
            ("/packages/0/identifier", json!(["https://mcp.example.com/calc.zip"])),
            ("/remotes/0/type", json!(["sse"])),
        ] {
            for value in values.as_array().unwrap() {
                assert_eq!(faulty(pointer, value.clone()), Vec::<&str>::new(), "{pointer}: {value}");
            }
        }
    }

    #[test]
    fn each_value_that_the_registry_rejects_is_a_fault() {
        let name = format!("io.github.you/{}", "x".repeat(MAX_NAME - 13));
        for (pointer, field, values) in [
            ("/name", "name", json!([null, "calc", "/calc", "ab/", "ab/cd/ef", "a b/cd", "a_b/cd", "a/cd", "ab/c", name])),
            ("/name", "name", json!(["io.github.you/-calc", "io.github./calc", "io.github.you/calc."])),
            ("/description", "description", json!([null, "", "  ", "x".repeat(MAX_TEXT + 1)])),
            ("/title", "title", json!(["", "  ", "x".repeat(MAX_TEXT + 1)])),
            ("/version", "version", json!(["", "latest", "^1.2", "~1", ">=1", "<2", "=1.0.0", "1.*", "1.x", "1.2.X"])),
            ("/version", "version", json!(["1 - 2", "1 || 2", "1".repeat(MAX_VERSION + 1)])),
            ("/websiteUrl", "websiteUrl", json!(["http://example.com", "example.com"])),
            (
                "/repository/url",
                "repository",
                json!(["https://codeberg.org/a/b", "https://github.com/a", "https://gitlab.com/a/b"]),
            ),
            ("/repository/source", "repository", json!(["gitlab"])),
            (
                "/packages/0/identifier",
                "packages",
                json!([null, "http://x/calc.mcpb", "https://example.com/calc.zip", "https://x/a b.mcpb"]),
            ),
            ("/remotes/0/type", "remotes", json!(["stdio", null])),
            (
                "/remotes/0/url",
                "remotes",
                json!([
                    "http://example.com",
                    "https://localhost/mcp",
                    "https://127.0.0.1:8080/mcp",
                    "https://a.localhost",
                    "https://{host}/mcp"
                ]),
            ),
        ] {
            for value in values.as_array().unwrap() {
                assert_eq!(faulty(pointer, value.clone()), [field], "{pointer}: {value}");
            }
        }
        let mut nothing = entry();
        nothing["packages"] = json!([]);
        nothing["remotes"] = json!([]);
        assert_eq!(faults(&nothing).len(), 1);
    }
}
