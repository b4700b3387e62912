//! The programs whose effect is known from their arguments, with the options that are known to be harmless.

use crate::sys::HAS_GNU_SED;

/// A program that runs no other program, does not interpret text as a program, and opens only the files that its arguments
/// name.
struct Program {
    name: &'static str,
    /// Short options without a value.
    flags: &'static str,
    /// Short options with a value that is not a file.
    valued: &'static str,
    /// Long options, with or without a value that is not a file.
    long: &'static [&'static str],
}

const fn program(name: &'static str, flags: &'static str, valued: &'static str, long: &'static [&'static str]) -> Program {
    Program { name, flags, valued, long }
}

const PROGRAMS: &[Program] = &[
    program("base64", "d", "w", &["decode", "wrap"]),
    program("basename", "az", "s", &["multiple", "suffix", "zero"]),
    program("cat", "AbeEnstTuv", "", &["number", "number-nonblank", "show-all", "squeeze-blank"]),
    program("cmp", "bls", "in", &["bytes", "print-bytes", "quiet", "silent", "verbose"]),
    program("comm", "123z", "", &[]),
    program("cp", "finpruvRT", "", &["force", "no-clobber", "recursive", "update", "verbose"]),
    program("cut", "snz", "bcdf", &["bytes", "characters", "delimiter", "fields", "only-delimited"]),
    program("date", "uRI", "d", &["date", "iso-8601", "universal", "utc"]),
    program("df", "ahHikT", "", &["human-readable", "total"]),
    program("diff", "aBbdEeHiNnpqrstuwyZ", "CUW", DIFF),
    program("dirname", "z", "", &["zero"]),
    program("du", "abchHkmsSx", "d", &["all", "human-readable", "max-depth", "summarize", "total"]),
    program("egrep", GREP_FLAGS, GREP_VALUED, GREP),
    program("fgrep", GREP_FLAGS, GREP_VALUED, GREP),
    program("file", "bhiL", "", &["brief", "dereference", "mime", "mime-encoding", "mime-type"]),
    program("fold", "bs", "w", &["bytes", "spaces", "width"]),
    program("grep", GREP_FLAGS, GREP_VALUED, GREP),
    program("head", "qv0123456789", "cn", &["bytes", "lines", "quiet", "silent", "verbose"]),
    program("id", "Ggnru", "", &[]),
    program("ln", "finrsvT", "", &["force", "no-dereference", "relative", "symbolic", "verbose"]),
    program("ls", "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1", "", LS),
    program("md5sum", "btz", "", &[]),
    program("mkdir", "pv", "m", &["mode", "parents", "verbose"]),
    program("mv", "finuvT", "", &["force", "no-clobber", "update", "verbose"]),
    program("nl", "p", "bdfhilnsvw", &[]),
    program("nproc", "", "", &["all"]),
    program("paste", "sz", "d", &["delimiters", "serial"]),
    program("pwd", "LP", "", &[]),
    program("readlink", "efmnz", "", &["canonicalize"]),
    program("realpath", "ePmsz", "", &["relative-base", "relative-to"]),
    program("rev", "", "", &[]),
    program("rmdir", "pv", "", &["parents", "verbose"]),
    program("seq", "w", "fs", &["equal-width", "format", "separator"]),
    program("sha1sum", "btz", "", &[]),
    program("sha256sum", "btz", "", &[]),
    program("sha512sum", "btz", "", &[]),
    program("sleep", "", "", &[]),
    program("sort", "bcCdfghiMmnrRsuVz", "kt", SORT),
    program("stat", "Lft", "c", &["dereference", "file-system", "format", "printf", "terse"]),
    program("tac", "", "", &[]),
    program("tail", "fFqv0123456789", "cns", &["bytes", "follow", "lines", "quiet", "silent", "verbose"]),
    program("tee", "a", "", &["append"]),
    program("touch", "acm", "dt", &["date", "no-create", "time"]),
    program("tr", "cCdst", "", &["complement", "delete", "squeeze-repeats", "truncate-set1"]),
    program("uname", "aimnoprsv", "", &["all"]),
    program("uniq", "cdDiuz", "fsw", &["count", "ignore-case", "repeated", "unique"]),
    program("wc", "clLmw", "", &["bytes", "chars", "lines", "max-line-length", "words"]),
    program("which", "as", "", &[]),
    program("whoami", "", "", &[]),
];

const DIFF: &[&str] = &["brief", "color", "ignore-all-space", "ignore-case", "side-by-side", "unified"];

const GREP_FLAGS: &str = "abcEFGHhiLlnoPqsTvwxyz0123456789";

const GREP_VALUED: &str = "ABCem";

const GREP: &[&str] = &[
    "after-context",
    "before-context",
    "color",
    "context",
    "count",
    "extended-regexp",
    "files-with-matches",
    "fixed-strings",
    "ignore-case",
    "invert-match",
    "line-number",
    "max-count",
    "no-filename",
    "only-matching",
    "quiet",
    "regexp",
    "with-filename",
    "word-regexp",
];

/// Options of `grep` with which it opens files that its arguments do not name.
const GREP_RECURSIVE: &[&str] = &["exclude", "exclude-dir", "include", "recursive"];

const LS: &[&str] = &["all", "almost-all", "color", "directory", "human-readable", "recursive", "reverse", "size", "sort"];

const SORT: &[&str] =
    &["field-separator", "human-numeric-sort", "key", "numeric-sort", "reverse", "stable", "unique", "version-sort"];

/// Programs that have no option with which they open other files, so that a glob may expand to an option.
const ANY_OPTION: &[&str] = &["cat", "head", "ls", "tail"];

/// The words that `test` and `[` may have as operators.
const TEST: &[&str] = &[
    "-L", "-a", "-d", "-e", "-ef", "-eq", "-f", "-ge", "-gt", "-h", "-le", "-lt", "-n", "-ne", "-nt", "-o", "-ot", "-r",
    "-s", "-w", "-x", "-z",
];

/// The subcommands of `git` that are understood, with their options.
const GIT: &[(&str, &[&str])] = &[
    ("add", &["--all", "--update", "-A", "-u", "-v"]),
    ("branch", &["--all", "--list", "--show-current", "-D", "-a", "-d", "-m", "-r", "-v", "-vv"]),
    ("commit", &["--all", "--amend", "--message", "--no-edit", "--quiet", "--signoff", "-a", "-am", "-m", "-q", "-s"]),
    ("diff", &["--cached", "--name-only", "--name-status", "--numstat", "--shortstat", "--staged", "--stat"]),
    ("log", &["--all", "--decorate", "--graph", "--name-only", "--name-status", "--oneline", "--reverse", "--stat", "-n"]),
    ("show", &["--name-only", "--name-status", "--oneline", "--stat"]),
    ("status", &["--branch", "--porcelain", "--short", "-b", "-s", "-sb"]),
];

/// Returns whether the effect of a command is known from its words. If `files` is set, rules deny files, so that a command
/// must not open a file that it does not name.
pub(super) fn is_understood(words: &[&str], files: bool) -> bool {
    let Some((&name, rest)) = words.split_first() else { return true };
    let options = || rest.iter().filter(|word| word.starts_with('-') && word.len() > 1);
    match name {
        ":" | "cd" | "echo" | "exit" | "false" | "true" | "type" => true,
        "printf" => {
            !rest.first().is_some_and(|word| word.starts_with("-v") || may_be_option(word))
                && !rest.iter().any(|word| may_assign(word))
        }
        "test" | "[" => options().all(|word| TEST.contains(word)) && !rest.iter().any(|word| may_be_option(word)),
        "git" => is_understood_git(rest),
        "sed" => is_understood_sed(rest),
        // With one file, the link gets its name and is created in the working directory.
        "ln" if rest.iter().filter(|word| !word.starts_with('-')).count() < 2 => false,
        _ => PROGRAMS.iter().find(|program| program.name == name).is_some_and(|program| {
            let is_known = |word: &&str| program.has(word, files);
            let may_expand = |word: &str| !ANY_OPTION.contains(&name) && may_be_option(word);
            options().all(is_known) && (name == "tr" || !rest.iter().any(|word| may_expand(word)))
        }),
    }
}

/// Returns whether a program of the table has an option that is not in the table. With it the program may open files that its
/// arguments do not name: `grep --rec`, `grep -d recurse`, `sort --files0=list`.
pub(crate) fn has_unknown_option(words: &[&str]) -> bool {
    let Some((first, rest)) = words.split_first() else { return false };
    let is_option = |word: &&&str| word.starts_with('-') && word.len() > 1;
    PROGRAMS
        .iter()
        .find(|program| program.name == super::name(first))
        .is_some_and(|program| !rest.iter().filter(is_option).all(|word| program.has(word, true)))
}

/// Returns whether a `sed` command has one script that neither runs a command nor opens a file. `rest` are its arguments.
fn is_understood_sed(rest: &[&str]) -> bool {
    let options = rest.iter().filter(|word| word.starts_with('-'));
    let is_known = |word: &&str| *word == "-n" || (*word == "-i" && HAS_GNU_SED);
    let script = rest.iter().find(|word| !word.starts_with('-'));
    options.copied().all(|word| is_known(&word))
        && script.is_some_and(|script| is_plain_sed_script(script))
        && !rest.iter().any(|word| may_be_option(word))
}

/// Returns whether a script of `sed` only prints or drops lines by their numbers, or is one plain substitution.
pub(super) fn is_plain_sed_script(script: &str) -> bool {
    script.chars().all(|c| c.is_ascii_digit() || matches!(c, 'p' | 'd' | ',' | '$')) || is_sed_substitution(script)
}

/// Returns whether a script of `sed` is one substitution that neither runs a command nor writes a file.
fn is_sed_substitution(script: &str) -> bool {
    let Some(rest) = script.strip_prefix('s') else { return false };
    let Some(delimiter) = rest.chars().next().filter(|c| matches!(c, '/' | '|' | '#' | ',' | ':')) else { return false };
    let parts: Vec<&str> = rest[1..].split(delimiter).collect();
    let flags = parts.get(2).copied().unwrap_or_default();
    parts.len() == 3
        && !script.contains(['\\', '\n'])
        && flags.chars().all(|c| c.is_ascii_digit() || matches!(c, 'g' | 'p' | 'i' | 'I'))
}

/// Returns whether a format of `printf` may assign to a variable: `%n` stores the number of printed characters.
fn may_assign(format: &str) -> bool {
    let is_modifier = |c: char| c.is_ascii_digit() || "#'-+ .*$hjlLtz".contains(c);
    format.split('%').skip(1).any(|conversion| conversion.trim_start_matches(is_modifier).starts_with('n'))
}

/// Returns whether the shell may expand a word to an option.
fn may_be_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with(['*', '?', '['])
}

/// Returns whether a `git` command only does what its subcommand says. `rest` are its arguments.
pub(super) fn is_understood_git(rest: &[&str]) -> bool {
    let Some((subcommand, rest)) = rest.split_first() else { return true };
    let Some((_, known)) = GIT.iter().find(|(name, _)| name == subcommand) else { return false };
    let is_known = |word: &&str| {
        let option = word.split_once('=').filter(|_| word.starts_with("--")).map_or(*word, |(option, _)| option);
        let is_count = *subcommand == "log" && word[1..].bytes().all(|byte| byte.is_ascii_digit());
        *word == "--" || known.contains(&option) || is_count
    };
    rest.iter().filter(|word| word.starts_with('-')).all(is_known) && !rest.iter().any(|word| may_be_option(word))
}

impl Program {
    /// Returns whether all options in a word are known to be harmless.
    fn has(&self, word: &str, files: bool) -> bool {
        let recurses = !files && self.name.ends_with("grep");
        if let Some(long) = word.strip_prefix("--") {
            let long = long.split_once('=').map_or(long, |(long, _)| long);
            return long.is_empty() || self.long.contains(&long) || (recurses && GREP_RECURSIVE.contains(&long));
        }
        for flag in word.chars().skip(1) {
            if self.valued.contains(flag) {
                return true;
            }
            if !(self.flags.contains(flag) || (recurses && matches!(flag, 'r' | 'R'))) {
                return false;
            }
        }
        true
    }
}
