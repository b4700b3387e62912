//! The same commit gives the same bytes: a small project is released at two paths, with the release profile.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The program of the project. It prints a manifest, as a server does, and the places of its source code.
const MAIN: &str = r#"fn main() {
    let places = [file!(), inner::PLACE, outer::PLACE];
    println!("{{\"places\": {places:?}, \"of_user\": {}, \"also_of_user\": {}}}", cfg!(of_user), cfg!(also_of_user));
}
"#;

const MANIFEST: &str = r#"[package]
name = "tiny"
version = "0.1.0"
edition = "2024"
description = "A tiny server"
repository = "https://github.com/ada/tiny"

[dependencies]
inner = { path = "inner" }
outer = { path = "OUTER" }

[lints.rust]
unexpected_cfgs = "allow"

[workspace]
"#;

/// A project with a dependency inside of it and one in `home/outer`.
struct Tiny {
    project: PathBuf,
}

impl Tiny {
    fn at(home: &Path, place: &str) -> Tiny {
        let (project, outer) = (home.join(place), home.join("outer"));
        write(&project.join("Cargo.toml"), &MANIFEST.replace("OUTER", &outer.display().to_string()));
        write(&project.join("src/main.rs"), MAIN);
        for folder in [project.join("inner"), outer] {
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            write(
                &folder.join("Cargo.toml"),
                &format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
            );
            write(&folder.join("src/lib.rs"), "pub const PLACE: &str = file!();\n");
        }
        let mut lock = Command::new(env!("CARGO"));
        let locked = lock.args(["generate-lockfile", "--offline"]).current_dir(&project).output().unwrap();
        assert!(locked.status.success(), "{}", text(&locked));
        Tiny { project }
    }

    /// Releases the project. Returns the bundle and what was printed.
    fn release(&self, variables: &[(&str, &str)]) -> (Vec<u8>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-mcp"));
        command.args(["mcp", "release", "--out", "out"]).current_dir(&self.project).env("CARGO", env!("CARGO"));
        for name in ["CARGO_TARGET_DIR", "CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS"] {
            command.env_remove(name);
        }
        let output = command.env("CARGO_NET_OFFLINE", "true").envs(variables.iter().copied()).output().unwrap();
        assert!(output.status.success(), "{}", text(&output));
        let files = fs::read_dir(self.project.join("out")).unwrap().map(|entry| entry.unwrap().path());
        let bundle = files.into_iter().find(|file| file.extension().is_some_and(|ending| ending == "mcpb")).unwrap();
        (fs::read(bundle).unwrap(), text(&output))
    }
}

fn write(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Returns what the program printed, and the program.
fn unpacked(bundle: &[u8]) -> (Value, Vec<u8>) {
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(bundle)).unwrap();
    let mut read = |index: usize| {
        let mut bytes = Vec::new();
        zip.by_index(index).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    };
    (serde_json::from_slice(&read(0)).unwrap(), read(1))
}

/// Whether there is no cargo where the tests run: under Wine.
fn has_no_cargo() -> bool {
    let is_wine = std::env::var_os("EXAMPLES_ARE_BUILT").is_some();
    if is_wine {
        test_env::skip("cargo xtask windows runs no cargo under Wine");
    }
    is_wine
}

#[test]
fn a_release_build_has_the_same_bytes_at_another_path_and_contains_no_path() {
    if has_no_cargo() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let (first, printed) = Tiny::at(home.path(), "one").release(&[]);
    let (second, _) = Tiny::at(home.path(), "another/longer").release(&[]);
    assert!(!printed.contains("warning: the program contains"), "{printed}");
    let (manifest, program) = unpacked(&first);
    let places: Vec<&str> = manifest["places"].as_array().unwrap().iter().map(|place| place.as_str().unwrap()).collect();
    assert!(places[2].starts_with("/dependencies/outer-0.1.0"), "{places:?}");
    let path = home.path().as_os_str().as_encoded_bytes();
    assert!(!program.windows(path.len()).any(|window| window == path), "the program contains {}", home.path().display());
    assert!(first == second, "the bytes differ");
}

#[test]
fn a_release_build_has_the_flags_of_the_user_too() {
    if has_no_cargo() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let tiny = Tiny::at(home.path(), "project");
    let flags = |variables: &[(&str, &str)]| {
        let (manifest, _) = unpacked(&tiny.release(variables).0);
        let is_named = manifest["places"][2].as_str().unwrap().starts_with("/dependencies/outer");
        (manifest["of_user"] == true, manifest["also_of_user"] == true, is_named)
    };
    assert_eq!(flags(&[]), (false, false, true));
    assert_eq!(flags(&[("RUSTFLAGS", "--cfg of_user  --cfg also_of_user")]), (true, true, true));
    assert_eq!(flags(&[("CARGO_ENCODED_RUSTFLAGS", "--cfg\u{1f}of_user")]), (true, false, true));
    let configuration = tiny.project.join(".cargo/config.toml");
    write(&configuration, "[build]\nrustflags = [\"--cfg\", \"of_user\"]\n");
    assert_eq!(flags(&[]), (true, false, true));
    // Cargo takes the flags of targets then, and joins them.
    write(
        &configuration,
        "[build]\nrustflags = [\"--cfg\", \"of_user\"]\n[target.'cfg(all())']\nrustflags = \"--cfg also_of_user\"\n",
    );
    assert_eq!(flags(&[]), (false, true, true));
}

#[test]
fn a_program_that_contains_a_path_all_the_same_is_warned_about() {
    if has_no_cargo() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let tiny = Tiny::at(home.path(), "project");
    write(&home.path().join("outer/src/lib.rs"), "pub const PLACE: &str = env!(\"CARGO_MANIFEST_DIR\");\n");
    let (_, printed) = tiny.release(&[]);
    let outer = fs::canonicalize(home.path().join("outer")).unwrap();
    let warning = format!("warning: the program contains the path {} of this machine", outer.display());
    assert!(printed.contains(&warning), "{printed}");
}
