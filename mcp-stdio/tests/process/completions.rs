//! The completions of shells: in a real bash, zsh and fish, and what the scripts call.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::client::example;
use crate::tmux::Terminal;

fn candidates(name: &str, words: &[&str]) -> Vec<String> {
    let output = Command::new(example(name)).arg("__complete").args(words).stdin(Stdio::null()).output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn commands_tools_arguments_and_values_are_completed() {
    assert_eq!(candidates("tools", &["ca"]), ["call"]);
    assert_eq!(candidates("tools", &["call", "say"]), ["say_hello", "say_goodbye"]);
    assert_eq!(candidates("tools", &["call", "around", ""]), ["place=", "area=", "order="]);
    assert_eq!(candidates("tools", &["call", "around", "order=far", "p"]), ["place="]);
    assert_eq!(candidates("tools", &["call", "around", "order="]), ["order=near", "order=far"]);
    assert_eq!(candidates("tools", &["call", "search", "whole_words=t"]), ["whole_words=true"]);
    assert_eq!(candidates("tools", &["check", "--"]), ["--strict", "--json", "--for", "--against", "--help"]);
    assert_eq!(candidates("notes", &["get", "work_on", "title=egg"]), ["title=egg-cups", "title=eggs"]);
    assert_eq!(candidates("notes", &["completions", "z"]), ["zsh"]);
    assert_eq!(candidates("notes", &["install", "cu"]), ["cursor"]);
    assert_eq!(candidates("notes", &["nothing", ""]), Vec::<String>::new());
}

/// Types words in a shell that has loaded the completions, and presses the Tab key after each.
fn complete_in(terminal: &Terminal) {
    for (typed, completed) in [
        ("tools cal", "tools call "),
        ("tools call aro", "tools call around "),
        ("tools call around ord", "tools call around order="),
        ("tools call around order=n", "tools call around order=near "),
    ] {
        terminal.press("C-u");
        terminal.keys(typed);
        terminal.wait_for(typed);
        terminal.press("Tab");
        terminal.wait_for(completed.trim_end());
        // What is typed next shows whether a space was added.
        terminal.keys("%");
        terminal.wait_for(&format!("{completed}%"));
    }
}

/// The environment of a shell: only the examples are on its search path, besides the programs of the system.
fn environment() -> String {
    format!("env -i TERM=screen LC_ALL=C.UTF-8 PATH={}:/usr/bin:/bin", example("").display())
}

#[test]
fn the_tab_key_completes_in_bash() {
    let Some(terminal) = Terminal::open("bash") else {
        return;
    };
    if Command::new("bash").arg("--version").output().is_err() {
        return test_env::skip("bash is not installed");
    }
    terminal.enter(&format!("{} PS1='bash> ' bash --norc --noprofile", environment()));
    terminal.wait_for("bash>");
    terminal.enter("source <(tools completions bash); echo rea''dy");
    terminal.wait_for("ready");
    complete_in(&terminal);
}

#[test]
fn the_tab_key_completes_in_zsh() {
    let (Some(terminal), Some(root)) = (Terminal::open("zsh"), shells()) else {
        return;
    };
    let (home, libraries) = (root.join("home"), libraries(&root));
    std::fs::create_dir_all(&home).unwrap();
    // Without these paths zsh looks for its modules and functions where the package would be installed.
    let functions: Vec<String> =
        ["", "/Completion", "/Completion/Base", "/Completion/Unix", "/Completion/Zsh", "/Misc", "/Zle"]
            .map(|folder| format!("{}/usr/share/zsh/functions{folder}", root.display()))
            .to_vec();
    let paths = format!("module_path=({}/zsh/5.9)\nfpath=({})\n", libraries.display(), functions.join(" "));
    std::fs::write(home.join(".zshenv"), paths).unwrap();
    std::fs::write(home.join(".zshrc"), "PS1='zsh> '\n").unwrap();
    let home = format!("HOME={0} ZDOTDIR={0}", home.display());
    terminal.enter(&format!("{} {home} {}/bin/zsh -d", environment(), root.display()));
    terminal.wait_for("zsh>");
    terminal.enter("source <(tools completions zsh); echo rea''dy");
    terminal.wait_for("ready");
    complete_in(&terminal);
}

#[test]
fn the_tab_key_completes_in_fish() {
    let (Some(terminal), Some(root)) = (Terminal::open("fish"), shells()) else {
        return;
    };
    let home = root.join("home");
    let libraries = format!("LD_LIBRARY_PATH={} HOME={}", libraries(&root).display(), home.display());
    let prompt = "-C \"function fish_prompt; printf 'fish> '; end\"";
    terminal.enter(&format!("{} {libraries} {}/usr/bin/fish --private {prompt}", environment(), root.display()));
    terminal.wait_for("fish> ");
    terminal.enter("tools completions fish | source; echo rea''dy");
    terminal.wait_for("ready");
    complete_in(&terminal);
}

/// zsh and fish from the packages of Debian, unpacked under the target folder. `None` if they cannot be downloaded.
fn shells() -> Option<PathBuf> {
    let packages = ["zsh", "zsh-common", "fish", "fish-common", "libpcre2-32-0"];
    let download = |folder: &Path| {
        let mut fetch = Command::new("apt-get");
        fetch.args(["download", "--quiet"]).args(packages).current_dir(folder);
        test_env::run_step("Debian packages", fetch)
    };
    let folder = test_env::install_once("debian-shells", &packages.join("\n"), |folder| {
        // The list of packages may be outdated or absent. Only root can update it.
        download(folder).or_else(|_| {
            let mut update = Command::new("apt-get");
            update.args(["update", "--quiet"]);
            test_env::run_step("Debian packages", update)?;
            download(folder)
        })?;
        for entry in std::fs::read_dir(folder).expect("the target folder is readable") {
            let package = entry.expect("the target folder is readable").path();
            if package.extension().is_some_and(|extension| extension == "deb") {
                let mut unpack = Command::new("dpkg");
                unpack.arg("--extract").arg(&package).arg(folder.join("root"));
                test_env::run_step("Debian packages", unpack)?;
            }
        }
        Ok(())
    });
    test_env::needs(folder).map(|folder| folder.join("root"))
}

fn libraries(root: &Path) -> PathBuf {
    let machine = if cfg!(target_arch = "aarch64") { "aarch64" } else { "x86_64" };
    root.join(format!("usr/lib/{machine}-linux-gnu"))
}

#[test]
fn each_shell_has_a_script_with_the_name_of_the_program_and_others_are_refused() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let output = Command::new(example("calculator")).args(["completions", shell]).output().unwrap();
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(
            script.contains("calculator") && script.contains("__complete") && !script.contains("NAME"),
            "{shell}: {script}"
        );
    }
    let output = Command::new(example("calculator")).args(["completions", "fihs"]).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("did you mean `fish`?"));
}
