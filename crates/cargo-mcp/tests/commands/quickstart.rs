//! Runs every command of `docs/first-tool.md` and compares the output.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::project::{target, workspace};

/// A fenced code block: the text after the fence, and the content.
struct Block {
    info: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let fenced = page.split("\n```").skip(1).step_by(2);
    let block = |block: &str| {
        let (info, text) = block.split_once('\n').expect("the info line of a code block");
        Block { info: info.to_owned(), text: text.to_owned() }
    };
    fenced.map(block).collect()
}

/// A user with a shell and an empty home folder.
struct User {
    home: tempfile::TempDir,
    folder: PathBuf,
}

impl User {
    fn new() -> User {
        let home = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(workspace(), home.path().join("mcp")).unwrap();
        User { folder: home.path().to_owned(), home }
    }

    fn types(&mut self, line: &str) -> Output {
        // Each line runs in a new shell, so `cd` must change the folder of the next ones.
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
        // What `cargo install` builds is used for seconds, and optimising it would take minutes.
        shell.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
        // Tests run offline, with crates that are already downloaded.
        shell.env("CARGO_NET_OFFLINE", "true").env("CARGO_INSTALL_ROOT", self.home.path()).env("CARGO_TARGET_DIR", target());
        shell.env_remove("RUSTUP_TOOLCHAIN").env("RUSTUP_TOOLCHAIN", toolchain()).output().unwrap()
    }
}

fn home() -> PathBuf {
    std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default()
}

/// Returns the toolchain of this workspace. The new project has no `rust-toolchain.toml`.
fn toolchain() -> String {
    let file = fs::read_to_string(workspace().join("rust-toolchain.toml")).unwrap();
    file.lines().find_map(|line| line.strip_prefix("channel = ")).unwrap().trim_matches('"').to_owned()
}

#[test]
fn every_command_of_the_first_tool_page_works_and_prints_the_shown_output() {
    let page = fs::read_to_string(workspace().join("docs/first-tool.md")).unwrap();
    let (mut user, mut shown, mut lines) = (User::new(), String::new(), 0);
    for Block { info, text } in blocks(&page) {
        match info.split_once(' ').unwrap_or((&info, "")) {
            ("sh", _) => {
                shown.clear();
                for line in text.lines().filter(|line| !line.is_empty()) {
                    let output = user.types(line);
                    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
                    assert!(output.status.success(), "{line}\n{out}{err}");
                    // A page shows the output of the last command only. It can be on either stream.
                    shown = format!("{err}{out}");
                    lines += 1;
                }
            }
            ("text", _) => assert_eq!(shown.trim(), text.trim()),
            ("rust" | "json", file) => fs::write(user.folder.join(file), text).unwrap(),
            other => panic!("unexpected code block {other:?}"),
        }
    }
    assert!(lines >= 9, "{lines}");
    let config = fs::read_to_string(user.home.path().join(".claude.json")).unwrap();
    assert!(config.contains("my-server"), "{config}");
    assert!(Path::new(&user.home.path().join("bin/cargo-mcp")).exists());
}
