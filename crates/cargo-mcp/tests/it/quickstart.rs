//! The first page of the documentation, typed in line by line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::project::{target, workspace};

/// A fenced block: what follows the fence, and what is in it.
struct Block {
    info: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let fenced = page.split("\n```").skip(1).step_by(2);
    let block = |block: &str| {
        let (info, text) = block.split_once('\n').expect("a fence is a line of its own");
        Block { info: info.to_owned(), text: text.to_owned() }
    };
    fenced.map(block).collect()
}

/// A newcomer at a shell, in a home where nothing is.
struct Newcomer {
    home: tempfile::TempDir,
    folder: PathBuf,
}

impl Newcomer {
    fn new() -> Newcomer {
        let home = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(workspace(), home.path().join("mcp")).unwrap();
        Newcomer { folder: home.path().to_owned(), home }
    }

    fn types(&mut self, line: &str) -> Output {
        // A shell for each line: where it goes must outlive it.
        let line = match line.strip_prefix("cd ") {
            Some(folder) => {
                self.folder = self.folder.join(folder);
                "pwd"
            }
            None => line,
        };
        let of = |name: &str, default: &str| std::env::var_os(name).unwrap_or_else(|| home().join(default).into());
        let mut path = self.home.path().join("bin").into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(&self.folder).env("HOME", self.home.path()).env("PATH", path);
        shell.env("CARGO_HOME", of("CARGO_HOME", ".cargo")).env("RUSTUP_HOME", of("RUSTUP_HOME", ".rustup"));
        // Where a newcomer has a network, a test has what is downloaded already.
        shell.env("CARGO_NET_OFFLINE", "true").env("CARGO_INSTALL_ROOT", self.home.path()).env("CARGO_TARGET_DIR", target());
        shell.env_remove("RUSTUP_TOOLCHAIN").env("RUSTUP_TOOLCHAIN", toolchain()).output().unwrap()
    }
}

fn home() -> PathBuf {
    std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default()
}

/// The toolchain of this workspace, which a fresh folder knows nothing of.
fn toolchain() -> String {
    let file = fs::read_to_string(workspace().join("rust-toolchain.toml")).unwrap();
    file.lines().find_map(|line| line.strip_prefix("channel = ")).unwrap().trim_matches('"').to_owned()
}

#[test]
fn every_line_of_the_first_page_works_and_shows_what_it_says() {
    let page = fs::read_to_string(workspace().join("docs/first-tool.md")).unwrap();
    let (mut newcomer, mut shown, mut lines) = (Newcomer::new(), String::new(), 0);
    for Block { info, text } in blocks(&page) {
        match info.split_once(' ').unwrap_or((&info, "")) {
            ("sh", _) => {
                shown.clear();
                for line in text.lines().filter(|line| !line.is_empty()) {
                    let output = newcomer.types(line);
                    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
                    assert!(output.status.success(), "{line}\n{out}{err}");
                    // Tests write to standard output, which nobody would show on a page.
                    shown = format!("{err}{out}");
                    lines += 1;
                }
            }
            ("text", _) => assert_eq!(shown.trim(), text.trim()),
            ("rust", file) => fs::write(newcomer.folder.join(file), text).unwrap(),
            other => panic!("nobody knows what to do with {other:?}"),
        }
    }
    assert!(lines >= 9, "{lines}");
    let config = fs::read_to_string(newcomer.home.path().join(".claude.json")).unwrap();
    assert!(config.contains("my-server"), "{config}");
    assert!(Path::new(&newcomer.home.path().join("bin/cargo-mcp")).exists());
}
