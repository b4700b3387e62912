//! What a command line might run.

use super::lexer::{is_assignment, parse};
use super::{Script, Simple};

/// Commands that run the command in their arguments.
const WRAPPERS: &[&str] = &[
    "!",
    "[[",
    "builtin",
    "busybox",
    "case",
    "chroot",
    "command",
    "coproc",
    "do",
    "doas",
    "elif",
    "else",
    "env",
    "exec",
    "find",
    "flock",
    "for",
    "function",
    "if",
    "ionice",
    "nice",
    "nohup",
    "parallel",
    "script",
    "select",
    "setsid",
    "stdbuf",
    "strace",
    "sudo",
    "su",
    "systemd-run",
    "then",
    "time",
    "timeout",
    "unshare",
    "until",
    "watch",
    "while",
    "xargs",
    "{",
];

/// Commands that read a command line from their arguments.
const READERS: &[&str] =
    &["ash", "bash", "dash", "eval", "fish", "ksh", "sh", "source", "ssh", "su", "watch", "zsh", "trap", "parallel"];

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
