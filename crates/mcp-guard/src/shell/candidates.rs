//! Lists the commands that a command line might run.

use super::lexer::{is_assignment, parse};
use super::{Script, Simple};

/// Commands that run the command in their arguments.
const WRAPPERS: &[&str] = &[
    "!",
    "[[",
    "builtin",
    "busybox",
    "bwrap",
    "case",
    "cgexec",
    "chpst",
    "chroot",
    "chrt",
    "command",
    "coproc",
    "csh",
    "dbus-launch",
    "dbus-run-session",
    "do",
    "doas",
    "docker",
    "elif",
    "else",
    "entr",
    "env",
    "exec",
    "expect",
    "fakeroot",
    "faketime",
    "fd",
    "fdfind",
    "find",
    "firejail",
    "flock",
    "for",
    "function",
    "gdb",
    "hyperfine",
    "i386",
    "if",
    "ionice",
    "ip",
    "kubectl",
    "linux32",
    "linux64",
    "ltrace",
    "newgrp",
    "nice",
    "nohup",
    "npx",
    "nsenter",
    "numactl",
    "parallel",
    "perf",
    "pkexec",
    "pnpm",
    "podman",
    "prlimit",
    "proot",
    "proxychains",
    "proxychains4",
    "rlwrap",
    "run-parts",
    "runuser",
    "screen",
    "script",
    "select",
    "setarch",
    "setpriv",
    "setsid",
    "sg",
    "softlimit",
    "ssh-agent",
    "start-stop-daemon",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "systemd-run",
    "taskset",
    "tcsh",
    "then",
    "time",
    "timeout",
    "tmux",
    "torsocks",
    "unbuffer",
    "unshare",
    "until",
    "uv",
    "uvx",
    "valgrind",
    "watch",
    "while",
    "xargs",
    "xvfb-run",
    "{",
];

/// Commands that run a command line given as an argument.
const READERS: &[&str] = &[
    "ash",
    "bash",
    "busybox",
    "csh",
    "dash",
    "docker",
    "entr",
    "eval",
    "expect",
    "fish",
    "hyperfine",
    "ksh",
    "kubectl",
    "parallel",
    "pkexec",
    "podman",
    "runuser",
    "screen",
    "script",
    "sg",
    "sh",
    "source",
    "ssh",
    "su",
    "tcsh",
    "tmux",
    "trap",
    "watch",
    "zsh",
];

/// Interpreters, which run whatever program text they are given.
const INTERPRETERS: &[&str] = &[
    "awk",
    "bun",
    "deno",
    "gawk",
    "lua",
    "mawk",
    "node",
    "osascript",
    "perl",
    "php",
    "pwsh",
    "python",
    "python2",
    "python3",
    "ruby",
    "tclsh",
];

/// Returns whether one of the commands runs a program or script that is not parsed here.
///
/// Such a command may run any other command.
pub(crate) fn may_run_more(candidates: &[String]) -> bool {
    candidates.iter().any(|line| {
        let mut words = line.split_whitespace();
        let Some(first) = words.next().map(name) else { return false };
        let rest: Vec<&str> = words.collect();
        let shell = READERS.contains(&first) && !matches!(first, "eval" | "trap" | "watch" | "parallel");
        let has_text = rest.iter().any(|word| word.starts_with('-') && word.contains(['c', 'e', 'r', 'E', 'p']));
        match first {
            "." | "source" => true,
            // The script of `sed` can run commands (`e`); one that only prints or drops lines by number cannot.
            "sed" => {
                let script = rest.iter().find(|word| !word.starts_with('-'));
                let options = rest.iter().take_while(|word| word.starts_with('-')).all(|word| matches!(*word, "-n" | "-i"));
                let is_plain =
                    |script: &&str| script.chars().all(|c| c.is_ascii_digit() || matches!(c, 'p' | 'd' | ',' | '$'));
                !(options
                    && script.is_some_and(is_plain)
                    && !rest.iter().any(|word| word.starts_with("-e") || word.starts_with("-f")))
            }
            _ if INTERPRETERS.contains(&first) => {
                has_text || rest.is_empty() || rest.contains(&"-") || first.ends_with("awk")
            }
            // A shell that reads its commands from its input or from a file.
            _ if shell => !rest.iter().any(|word| word.starts_with('-') && word.contains('c')),
            _ => false,
        }
    })
}

/// The maximum nesting depth of command lines that are parsed.
const DEPTH: u8 = 8;

/// Returns every command that the line might run, each as one line without quotes. The list may contain commands that the
/// line does not run, because deny rules must not miss one.
pub(crate) fn candidates(text: &str, script: &Script) -> Vec<String> {
    let mut found = Vec::new();
    collect(text, script, DEPTH, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

fn collect(text: &str, script: &Script, depth: u8, found: &mut Vec<String>) {
    for simple in &script.commands {
        of_simple(simple, depth, found);
    }
    if !script.is_plain {
        // The line was not parsed completely, so it is split at every character after which a command may start.
        let pieces = text.split(|c: char| {
            matches!(c, ';' | '&' | '|' | '\n' | '\r' | '(' | ')' | '{' | '}' | '`' | '$' | '<' | '>' | '"' | '\'')
        });
        for piece in pieces {
            let words: Vec<String> = piece.split_whitespace().map(|word| word.replace('\\', "")).collect();
            of_words(&words, found);
        }
        let braces: Vec<String> = text.replace(['{', '}', ','], " ").split_whitespace().map(str::to_owned).collect();
        of_words(&braces, found);
    }
}

fn of_simple(simple: &Simple, depth: u8, found: &mut Vec<String>) {
    // Redirections are listed like commands: `> file` and `< file`.
    found.extend(simple.redirects.iter().map(|to| format!("{} {}", if to.writes { ">" } else { "<" }, to.file)));
    of_words(&simple.words, found);
    let runs_a_line = simple.words.iter().any(|word| READERS.contains(&name(word)));
    if let (true, Some(depth)) = (runs_a_line, depth.checked_sub(1)) {
        for word in &simple.words {
            collect(word, &parse(word), depth, found);
        }
        // `eval rm -rf x` joins its arguments.
        if let Some((_, rest)) = simple.words.split_first() {
            let line = rest.join(" ");
            collect(&line, &parse(&line), depth, found);
        }
    }
}

/// Adds the variants of a command: without leading assignments, without the directory of the program, without the command
/// that wraps it, and without the options before its subcommand.
fn of_words(words: &[String], found: &mut Vec<String>) {
    let start = words.iter().position(|word| !is_assignment(word)).unwrap_or(words.len());
    let words = &words[start..];
    let Some((first, rest)) = words.split_first() else { return };
    found.push(words.join(" "));
    let mut short = vec![name(first)];
    short.extend(rest.iter().map(String::as_str));
    found.push(short.join(" "));
    if rest.first().is_some_and(|word| word.starts_with('-')) {
        found.extend((1..rest.len()).map(|from| [&short[..1], &short[1 + from..]].concat().join(" ")));
    }
    if WRAPPERS.contains(&name(first)) {
        for from in 0..rest.len() {
            found.push(rest[from..].join(" "));
            let mut short = vec![name(&rest[from])];
            short.extend(rest[from + 1..].iter().map(String::as_str));
            found.push(short.join(" "));
        }
    }
}

/// Returns the name of a program without its directory.
fn name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}
