//! Opens a denied file under many names on Windows: a name that opens it is not allowed.
#![cfg(windows)]

use std::env;
use std::fs;
use std::os::windows::fs::{symlink_dir, symlink_file};
use std::path::Path;
use std::process::Command;

use mcp_guard::{Behavior, Layer, Rules};
use serde_json::{Value, json};

const SECRET: &str = "s3cr3t-content";

/// Returns the short form of a file name, which `dir /x` prints before the name.
fn short_name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let output = Command::new("cmd").args(["/c", "dir", "/x"]).arg(path.parent()?).output().ok()?;
    let listing = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = listing.lines().find_map(|line| line.trim_end().strip_suffix(name))?;
    line.split_whitespace().next_back().filter(|short| short.contains('~')).map(str::to_owned)
}

/// Names that mean the file `name` in the directory `work`, which is also the working directory, on some system.
fn spellings(work: &Path, name: &str) -> Vec<String> {
    let absolute = work.join(name).to_str().unwrap().to_owned();
    let (drive, rooted) = absolute.split_at(2);
    let upper = name.to_uppercase();
    let mut found = vec![name.to_owned(), upper.clone(), absolute.clone(), rooted.to_owned(), absolute.to_uppercase()];
    for form in
        ["{}.", "{} ", "{}. .", "{}...", "{}::$DATA", "{}::$data", "{}:", ".\\{}", "./{}", "sub\\..\\{}", "sub/../{}"]
    {
        found.push(form.replace("{}", name));
        found.push(form.replace("{}", &absolute));
    }
    for prefix in ["\\\\?\\", "\\\\.\\", "//?/", "//./", "\\??\\", "\\\\?\\GLOBALROOT\\??\\"] {
        found.push(format!("{prefix}{absolute}"));
        found.push(format!("{prefix}{}", absolute.to_uppercase()));
    }
    let letter = &drive[..1];
    found.push(format!("{drive}{name}"));
    found.push(format!("\\\\localhost\\{letter}${rooted}"));
    found.push(format!("\\\\127.0.0.1\\{letter}${rooted}"));
    found.push(format!("\\\\?\\UNC\\localhost\\{letter}${rooted}"));
    found.push(format!("/{letter}{}", rooted.replace('\\', "/")));
    found.push(absolute.replace('\\', "/"));
    found.push(absolute.replace('\\', "\\\\"));
    found.push(format!("{}\\.\\{name}", work.display()));
    found.push(format!("{}.\\{name}", work.display()));
    found.push(format!("{} \\{name}", work.display()));
    if let Some(short) = short_name(&work.join(name)) {
        found.push(Path::new(name).with_file_name(&short).to_str().unwrap().to_owned());
        found.push(work.join(name).with_file_name(&short).to_str().unwrap().to_owned());
    }
    if let Some(short) = short_name(work) {
        found.push(work.with_file_name(short).join(name).to_str().unwrap().to_owned());
    }
    found.extend(["link.txt", "linked\\.env", "linked\\secret\\x"].map(str::to_owned));
    found
}

fn behavior(rules: &Rules, tool: &str, input: Value) -> Behavior {
    rules.resolve(tool, &input).behavior
}

/// Rules that allow everything but the denied files.
fn rules(directory: &Path) -> Rules {
    let allowed = ["Bash", "Read", "Write"]
        .into_iter()
        .fold(Rules::new(directory), |rules, rule| rules.allow(Layer::Session, rule).unwrap());
    ["Read(.env)", "Read(./secret/**)", "Read(./a long*)", "Edit(.env)", "Edit(./secret/**)", "Edit(./a long*)"]
        .into_iter()
        .fold(allowed, |rules, rule| rules.deny(Layer::User, rule).unwrap())
}

#[test]
fn a_name_that_opens_a_denied_file_is_not_allowed() {
    let folder = tempfile::Builder::new().prefix("a long name").tempdir().unwrap();
    let work = folder.path().to_path_buf();
    fs::create_dir_all(work.join("sub")).unwrap();
    fs::create_dir_all(work.join("secret")).unwrap();
    fs::write(work.join("notes.txt"), "nothing").unwrap();
    // Creating links needs a right that not every user has.
    let links = [symlink_file(".env", work.join("link.txt")), symlink_dir(&work, work.join("linked"))];
    println!("links: {links:?}");
    env::set_current_dir(&work).unwrap();
    // The short name of the working directory is another name of everything in it.
    let short = short_name(&work).map(|short| work.with_file_name(short));
    let real = work.canonicalize().unwrap();
    new_files_cannot_be_created(&rules(&work), &work);
    existing_files_cannot_be_opened(&rules(&work), &work, &[".env", "secret\\x", "a long secret name.txt"]);
    for directory in [real].into_iter().chain(short) {
        let rules = rules(&directory);
        existing_files_cannot_be_opened(&rules, &work, &[".env"]);
        for name in
            ["notes.txt", "NOTES.TXT", ".\\notes.txt", "sub\\..\\notes.txt", work.join("notes.txt").to_str().unwrap()]
        {
            assert_eq!(behavior(&rules, "Read", json!({"file_path": name})), Behavior::Allow, "{name}");
        }
    }
}

fn existing_files_cannot_be_opened(rules: &Rules, work: &Path, names: &[&str]) {
    let (mut opened, mut passed) = (0, Vec::new());
    for name in names {
        fs::write(work.join(name), SECRET).unwrap();
        for spelling in spellings(work, name) {
            if fs::read_to_string(&spelling).ok().as_deref() != Some(SECRET) {
                continue;
            }
            opened += 1;
            let decided = [
                behavior(rules, "Read", json!({"file_path": spelling})),
                behavior(rules, "Write", json!({"file_path": spelling, "content": "x"})),
                behavior(rules, "Bash", json!({"command": format!("cat '{spelling}'")})),
            ];
            if decided.contains(&Behavior::Allow) {
                passed.push(format!("{spelling}: {decided:?}"));
            }
        }
    }
    println!("{opened} names open a denied file");
    assert!(passed.is_empty(), "{passed:#?}");
    assert!(opened >= 20 * names.len(), "only {opened} names open a denied file");
}

/// Like above for files that do not exist, so that the file system does not say which file a name means.
fn new_files_cannot_be_created(rules: &Rules, work: &Path) {
    let (mut created, mut passed) = (0, Vec::new());
    for name in [".env", "secret\\x"] {
        for spelling in spellings(work, name) {
            let _ = fs::remove_file(work.join(name));
            let decided = [
                behavior(rules, "Write", json!({"file_path": spelling, "content": "x"})),
                behavior(rules, "Bash", json!({"command": format!("echo x > '{spelling}'")})),
            ];
            let _ = fs::write(&spelling, "x");
            if fs::read_to_string(work.join(name)).ok().as_deref() != Some("x") {
                continue;
            }
            created += 1;
            if decided.contains(&Behavior::Allow) {
                passed.push(format!("{spelling}: {decided:?}"));
            }
        }
    }
    println!("{created} names create a denied file");
    assert!(passed.is_empty(), "{passed:#?}");
    assert!(created >= 20, "only {created} names create a denied file");
}

#[test]
fn an_allowed_directory_is_compared_like_windows_compares_names() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Rules::new(folder.path()).allow(Layer::User, "Edit(./Src/**)").unwrap();
    let write = |path: &Path| behavior(&rules, "Write", json!({"file_path": path, "content": "x"}));
    assert_eq!(write(&folder.path().join("SRC\\a.rs")), Behavior::Allow);
    assert_eq!(write(&folder.path().join("src\\..\\a.rs")), Behavior::Ask);
}

#[test]
fn an_absolute_pattern_names_a_drive() {
    let rules = Rules::new("C:\\work").allow(Layer::Session, "Read").unwrap();
    let rules = ["Read(//c/one/**)", "Read(//C:/two/**)", "Read(C:\\three\\**)"]
        .into_iter()
        .fold(rules, |rules, rule| rules.deny(Layer::User, rule).unwrap());
    let read = |path: &str| behavior(&rules, "Read", json!({"file_path": path}));
    for path in ["C:\\one\\x", "c:/two/x", "\\THREE\\x"] {
        assert_eq!(read(path), Behavior::Deny, "{path}");
    }
    assert_eq!(read("D:\\one\\x"), Behavior::Allow);
}
