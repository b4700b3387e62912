//! Two servers with equal folders: this one, and the npm package.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use interop::{Node, Sandbox};
use mcp_client::Client;
use mcp_core::ask::Root;
use serde_json::{Value, json};
use test_env::needs;

/// A running server and its folder.
pub(crate) struct Peer {
    pub(crate) client: Client,
    pub(crate) folder: PathBuf,
}

pub(crate) struct Pair {
    pub(crate) own: Peer,
    pub(crate) npm: Peer,
    _sandbox: Sandbox,
}

impl Pair {
    /// Starts both servers. `roots` are folders in theirs; without any the client has no roots. `None` if npm is missing.
    pub(crate) async fn start(test: &str, roots: &[&str]) -> Option<Pair> {
        // Installing runs a runtime of its own.
        let node = needs(tokio::task::spawn_blocking(Node::servers).await.unwrap())?;
        let sandbox = Sandbox::new(test, "", Path::new(""));
        let home = fs::canonicalize(sandbox.temporary()).unwrap();
        let own = sandbox.command(Path::new(env!("CARGO_BIN_EXE_files-server")));
        let npm = node.program("@modelcontextprotocol/server-filesystem/dist/index.js", &sandbox);
        let own = Peer::start(own, &home.join("own"), roots).await;
        let npm = Peer::start(npm, &home.join("npm"), roots).await;
        Some(Pair { own, npm, _sandbox: sandbox })
    }
}

impl Peer {
    async fn start(mut command: Command, home: &Path, roots: &[&str]) -> Peer {
        let folder = home.join("root");
        fill(&folder);
        fs::create_dir(home.join("outside")).unwrap();
        fs::write(home.join("outside/secret"), "secret").unwrap();
        command.arg(&folder);
        let mut builder = Client::spawn(command).timeout(Duration::from_secs(60)).connect_timeout(Duration::from_secs(60));
        if !roots.is_empty() {
            builder = builder.roots(roots.iter().map(|root| Root::new(format!("file://{}/{root}", folder.display()))));
        }
        let client = builder.await.unwrap();
        let peer = Peer { client, folder };
        // The npm package asks for the roots after the handshake and does not say when it has them.
        while !roots.is_empty() && !text(&peer, "list_allowed_directories").await.ends_with("root/deep") {
            tokio::task::yield_now().await;
        }
        peer
    }
}

async fn text(peer: &Peer, tool: &str) -> String {
    peer.client.call(tool, json!({})).await.unwrap().to_text()
}

/// Creates the files that both servers get.
fn fill(folder: &Path) {
    fs::create_dir_all(folder.join("deep/er")).unwrap();
    let long: String = (0..1000).map(|number| format!("line {number}\n")).collect();
    for (name, text) in [
        ("a.txt", "one\ntwo\nthree\n"),
        ("b.txt", "b"),
        ("a b%.txt", "blank"),
        ("no-newline.txt", "one\ntwo"),
        ("windows.txt", "one\r\ntwo\r\nthree\r\n"),
        ("code.rs", "fn x() {\n    if a {\n        b();\n    }\n}\n"),
        ("empty", ""),
        ("script.sh", "old"),
        ("deep/notes.md", "# Notes\n"),
        ("deep/long.txt", &long),
        ("deep/er/.hidden.txt", "hidden"),
        ("long.txt", &long),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    fs::write(folder.join("binary.bin"), b"\xff\xfe\x00binary\xe2\x82").unwrap();
    fs::write(folder.join("picture.PNG"), b"\x89PNG").unwrap();
    fs::write(folder.join("sound.mp3"), b"ID3").unwrap();
    fs::set_permissions(folder.join("script.sh"), fs::Permissions::from_mode(0o750)).unwrap();
    symlink(folder.join("b.txt"), folder.join("link-inside")).unwrap();
    symlink("../outside", folder.join("link-outside")).unwrap();
    symlink("nowhere", folder.join("dangling")).unwrap();
}

/// Calls a tool. In the outcome the folder is `ROOT`, entries are sorted, and times and the words of the operating system are left
/// out.
pub(crate) async fn outcome(peer: &Peer, tool: &str, arguments: &Value) -> Value {
    let root = peer.folder.display().to_string();
    let arguments: Value =
        serde_json::from_str(&arguments.to_string().replace("ROOT", &root).replace("OUTSIDE", "outside")).unwrap();
    let result = peer.client.call(tool, arguments).await.unwrap();
    let text = result.to_text().replace(&root, "ROOT");
    if result.is_error {
        return json!({"isError": true, "text": comparable_error(&text)});
    }
    let structured: Value = result.structured_as().unwrap();
    if tool == "read_media_file" {
        let content = serde_json::to_string(&result.content).unwrap().replace(&root, "ROOT");
        assert_eq!(structured, json!({"content": result.content}));
        return serde_json::from_str(&content).unwrap();
    }
    assert_eq!(structured["content"].as_str().map(|text| text.replace(&root, "ROOT")), Some(text.clone()), "{tool}");
    json!({"text": comparable(tool, &text)})
}

/// Messages of the npm package itself are compared, those of Node.js, of the SDK and of Rust are not.
fn comparable_error(text: &str) -> String {
    let own = [
        "Access denied - ",
        "Parent directory does not exist",
        "Destination already exists",
        "Cannot specify",
        "Could not find",
    ];
    let is_own = own.iter().any(|beginning| text.starts_with(beginning));
    // A link to outside is named with its own path, which is not in the folder.
    let text = text.replace("/own/outside", "/outside").replace("/npm/outside", "/outside");
    let shortened = text.find("/outside").map_or(text.as_str(), |at| &text[at..]);
    if is_own { shortened.to_owned() } else { "an error".to_owned() }
}

fn comparable(tool: &str, text: &str) -> Value {
    match tool {
        "directory_tree" => sorted(serde_json::from_str(text).unwrap()),
        "list_directory" | "search_files" => {
            let mut lines: Vec<&str> = text.lines().collect();
            lines.sort_unstable();
            json!(lines)
        }
        "get_file_info" => {
            let is_time = |line: &&str| ["created", "modified", "accessed"].iter().any(|name| line.starts_with(name));
            json!([text.lines().filter(|line| !is_time(line)).collect::<Vec<_>>(), text.lines().filter(is_time).count()])
        }
        "read_multiple_files" => json!(text.lines().filter(|line| !line.contains("outside")).collect::<Vec<_>>()),
        _ => json!(text),
    }
}

fn sorted(mut tree: Value) -> Value {
    for entry in tree.as_array_mut().into_iter().flatten() {
        if let Some(children) = entry.get_mut("children") {
            *children = sorted(children.take());
        }
    }
    if let Some(entries) = tree.as_array_mut() {
        entries.sort_by_key(|entry| entry["name"].to_string());
    }
    tree
}

/// All files in a folder with their contents and permissions. Links are named and not followed.
pub(crate) fn tree(folder: &Path) -> BTreeMap<String, (u32, Vec<u8>)> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            let content = if metadata.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
            files.insert(name, (metadata.permissions().mode(), content));
            if metadata.is_dir() {
                folders.push(path);
            }
        }
    }
    files
}
