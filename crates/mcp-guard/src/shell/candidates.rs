//! Lists the commands that a command line might run.

use super::lexer::{is_assignment, parse};
use super::{Script, Simple, name};

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
pub(super) const READERS: &[&str] = &[
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

/// Those of [`READERS`] that run commands in their arguments, and none from their input or from a file.
pub(super) const RUN_NO_INPUT: &[&str] = &["docker", "eval", "hyperfine", "kubectl", "podman", "trap", "watch"];

/// The maximum nesting depth of command lines that are parsed.
const DEPTH: u8 = 8;

/// The length in bytes of the longest line whose commands are listed.
const LONGEST: usize = 8 * 1024;

/// The number of words of the longest line whose commands are listed.
const MOST_WORDS: usize = 200;

/// The number of commands after which no more lines inside of a line are parsed.
const MOST_COMMANDS: usize = 2000;

/// Returns every command that the line might run, each as one line without quotes. The list may contain commands that the
/// line does not run, because deny rules must not miss one.
///
/// Marks the script as dynamic if a line inside of it is, such as `sh -c 'cat $1'`.
///
/// A line that is too long is dynamic, and only the commands that it shows are listed, so that the answer is quick.
pub(crate) fn candidates(text: &str, script: &mut Script) -> Vec<String> {
    let mut found = Vec::new();
    if is_too_long(text) {
        script.is_dynamic = true;
        script.is_understood = false;
        for simple in &script.commands {
            found.push(simple.line());
            found.push(name(&simple.line()).to_owned());
        }
    } else {
        let is_dynamic = collect(text, script, DEPTH, &mut found);
        script.is_dynamic |= is_dynamic;
        script.is_understood &= !is_dynamic;
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn is_too_long(text: &str) -> bool {
    text.len() > LONGEST
        || text.split(|c: char| !c.is_alphanumeric()).count() > 4 * MOST_WORDS
        || text.split_whitespace().count() > MOST_WORDS
}

/// Collects the commands of a line. Returns whether the line or a line inside of it is dynamic.
fn collect(text: &str, script: &Script, depth: u8, found: &mut Vec<String>) -> bool {
    if found.len() > MOST_COMMANDS {
        return true;
    }
    let mut is_dynamic = script.is_dynamic;
    for simple in &script.commands {
        is_dynamic |= of_simple(simple, depth, found);
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
    is_dynamic
}

fn of_simple(simple: &Simple, depth: u8, found: &mut Vec<String>) -> bool {
    // Redirections are listed like commands: `> file` and `< file`.
    found.extend(simple.redirects.iter().map(|to| format!("{} {}", if to.writes { ">" } else { "<" }, to.file)));
    of_words(&simple.words, found);
    let runs_a_line = simple.words.iter().any(|word| READERS.contains(&name(word)));
    let mut is_dynamic = simple.words.iter().any(|word| is_expanded_later(word));
    if runs_a_line {
        let Some(depth) = depth.checked_sub(1) else { return true };
        // A shell alone may run anything, which ends at the maximum depth.
        let is_itself = |word: &String| simple.words.len() == 1 && RUN_NO_INPUT.contains(&name(word));
        for word in simple.words.iter().filter(|word| !is_itself(word)) {
            is_dynamic |= collect(word, &parse(word), depth, found);
        }
        // `eval rm -rf x` joins its arguments.
        if let Some((_, rest)) = simple.words.split_first() {
            let line = rest.join(" ");
            is_dynamic |= collect(&line, &parse(&line), depth, found);
        }
    }
    is_dynamic
}

/// Returns whether a word without its quotes is text that the shell may expand later: a substitution, as in
/// `test -v 'a[$(x)]'` or `PS4='$(x)'`, or the value of a variable that makes a program run something.
fn is_expanded_later(word: &str) -> bool {
    const VARIABLES: &[&str] = &[
        "BASH_ENV",
        "EDITOR",
        "ENV",
        "GIT_",
        "LD_",
        "LESS",
        "MANPAGER",
        "NODE_OPTIONS",
        "PAGER",
        "PATH",
        "PERL5",
        "PROMPT_COMMAND",
        "PS4",
        "PYTHON",
        "RUBY",
        "SHELL",
        "VISUAL",
    ];
    word.contains("$(")
        || word.contains('`')
        || (is_assignment(word) && VARIABLES.iter().any(|variable| word.starts_with(variable)))
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
    // `sed` has no subcommands; without its options, a file name would look like its script.
    if name(first) != "sed" && rest.first().is_some_and(|word| word.starts_with('-')) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_dynamic_and_has_few_candidates() {
        let nested = |depth: usize| (0..depth).fold("rm".to_owned(), |line, _| format!("eval {line} {line}"));
        for line in [
            format!("env{}", " rm".repeat(3000)),
            format!("echo {}", "a".repeat(LONGEST)),
            format!("echo {}", "(rm x)".repeat(800)),
            "env rm;".repeat(1000),
            nested(6),
        ] {
            let mut script = parse(&line);
            let found = candidates(&line, &mut script);
            let bytes: usize = found.iter().map(String::len).sum();
            assert!(script.is_dynamic && !script.is_understood, "{} bytes", line.len());
            assert!(found.len() <= 3 * MOST_COMMANDS && bytes <= 64 * LONGEST, "{} candidates, {bytes} bytes", found.len());
        }
        let line = format!("env{}", " a".repeat(100));
        let found = candidates(&line, &mut parse(&line));
        assert!(found.contains(&"a a".to_owned()), "a line of usual length is looked into");
    }
}
