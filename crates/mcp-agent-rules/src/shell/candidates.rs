//! What a command line might run.

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

/// Commands that read a command line from their arguments.
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

/// Whether one of the commands runs program text or a file of commands that is not looked into here.
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

/// How often a command line may be in another before it is no longer looked into.
const DEPTH: u8 = 8;

/// Every command that the line might run, each as one line without quotes; rather too many than too few.
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
        // What was not understood is cut at everything that may begin a command.
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
    // Files of redirections count like arguments.
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

/// A command by its words: without variables before it, without its directory, behind what wraps it, without options
/// before its sub-command.
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

/// A command without its directory.
fn name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}
