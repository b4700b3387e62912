//! Matching of deny and ask rules for files against shell commands.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use super::restrict::{RuleMatch, lines};
use super::rule::Rule;
use crate::paths::{BaseDirectories, PathPattern, Platform, is_glob, meanings, plain_name};
use crate::shell::{self, Script};

/// Commands that write to the files in their arguments, or can do so with an option.
const WRITERS: &[&str] = &[
    "awk", "chmod", "chown", "cp", "csplit", "dd", "ed", "ex", "gawk", "gpg", "gzip", "iconv", "install", "jq", "ln",
    "look", "mawk", "mkdir", "mv", "openssl", "patch", "pr", "rm", "rmdir", "rsync", "sed", "shred", "shuf", "sort",
    "split", "sponge", "tar", "tee", "touch", "truncate", "uniq", "unlink", "vi", "vim", "xxd", "zip",
];

/// Commands that only read the files in their arguments.
const READERS: &[&str] = &[
    ".",
    "ag",
    "base32",
    "base64",
    "bat",
    "cat",
    "cmp",
    "comm",
    "cut",
    "diff",
    "egrep",
    "expand",
    "fgrep",
    "file",
    "fmt",
    "fold",
    "grep",
    "head",
    "hexdump",
    "join",
    "less",
    "md5sum",
    "more",
    "nl",
    "od",
    "paste",
    "rev",
    "rg",
    "sha1sum",
    "sha256sum",
    "source",
    "strings",
    "sum",
    "tac",
    "tail",
    "wc",
    "zcat",
    "zgrep",
];

/// Commands whose arguments are text and not files, or that do not open the files they name.
const NO_FILES: &[&str] = &[
    "[", "alias", "basename", "dirname", "echo", "false", "kill", "ls", "mkdir", "printf", "pwd", "rmdir", "sleep", "test",
    "true",
];

/// Commands that make the files of a command line unknown: they change the working directory, or they read file names
/// from their input.
const SHIFTING: &[&str] = &[
    "afio",
    "cd",
    "chdir",
    "cpio",
    "entr",
    "fd",
    "fdfind",
    "find",
    "mapfile",
    "parallel",
    "pax",
    "popd",
    "pushd",
    "read",
    "readarray",
    "watchexec",
    "xargs",
];

/// Options that change the working directory of a command, or name a file that lists other files.
const UNNAMED_FILES: &[&str] = &[
    "-@",
    "-C",
    "-D",
    "-K",
    "-T",
    "--chdir",
    "--config",
    "--cwd",
    "--directory",
    "--files-from",
    "--files0-from",
    "--wd",
    "--work-tree",
    "--working-directory",
];

/// Returns whether a rule for files applies to a shell command.
///
/// [`RuleMatch::Yes`] if a command that opens files has a matching file as argument or redirection. [`RuleMatch::Perhaps`] if another
/// command has a matching file as argument, if the files are unknown (variables, braces, `cd`, program text, arguments from
/// a pipe), if a glob may expand to a matching file, if an argument is a directory that may contain one, or if the pattern
/// cannot be compiled.
pub(super) fn hit(
    script: &Script,
    candidates: &[String],
    rule: &Rule,
    pattern: &str,
    anchor: BaseDirectories<'_>,
) -> RuleMatch {
    let Some(pattern) = PathPattern::new(pattern, anchor) else { return RuleMatch::Perhaps };
    let reads =
        ["read", "notebookread", "grep", "glob", "ls"].iter().any(|tool| rule.tool.name().eq_ignore_ascii_case(tool));
    let files = Files { pattern, anchor, reads, known: RefCell::default() };
    let redirects = || script.commands.iter().flat_map(|simple| &simple.redirects).filter(|to| to.writes != files.reads);
    if redirects().any(|to| files.covers(&to.file)) {
        return RuleMatch::Yes;
    }
    let is_unknown = script.is_dynamic
        || shell::may_run_more(script, candidates)
        || script.commands.iter().flat_map(|simple| &simple.redirects).any(|to| files.may_cover(&to.file));
    let first = if is_unknown { RuleMatch::Perhaps } else { RuleMatch::No };
    lines(script, candidates).iter().map(|words| files.hit(words)).fold(first, RuleMatch::max)
}

/// The files that a rule is about.
struct Files<'a> {
    pattern: PathPattern,
    anchor: BaseDirectories<'a>,
    /// Whether the rule is about reading.
    reads: bool,
    /// What was found out about a word: commands share most of their words, and each answer reads directories.
    known: RefCell<HashMap<String, Known>>,
}

/// What a word may mean.
#[derive(Debug, Clone, Copy)]
struct Known {
    covers: bool,
    may_cover: bool,
    holds: bool,
}

impl Files<'_> {
    /// Returns whether the rule applies to one command.
    fn hit(&self, words: &[&str]) -> RuleMatch {
        let names = || words.iter().map(|word| shell::name(word));
        let is = |commands: &[&str]| names().any(|name| commands.contains(&name));
        // A command that writes a file may also read it.
        let is_for_files = is(WRITERS) || (self.reads && is(READERS));
        let arguments = || words.iter().skip(1).flat_map(|word| word.split(['=', ':', '@', ',']).chain([*word]));
        if is_for_files && arguments().any(|word| self.covers(word)) {
            return RuleMatch::Yes;
        }
        let opens_nothing =
            names().next().is_some_and(|name| NO_FILES.contains(&name) || (!self.reads && READERS.contains(&name)));
        let is_open = is(SHIFTING)
            || words.iter().any(|word| UNNAMED_FILES.iter().any(|option| word.starts_with(option)))
            || (is_for_files && (words.iter().any(|word| is_recursive(word)) || shell::has_unknown_option(words)))
            || (self.reads && shell::reads_unnamed_files(words))
            || (!self.reads && shell::writes_unnamed_files(words))
            || shell::may_unquote(words)
            || (!opens_nothing && self.may_open(words));
        if is_open { RuleMatch::Perhaps } else { RuleMatch::No }
    }

    /// Returns whether one of the arguments may be a matching file, or a directory that may contain one.
    fn may_open(&self, words: &[&str]) -> bool {
        let is_separator =
            |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | '+' | '~' | '*' | '?' | '[' | ']'));
        words.iter().skip(1).any(|word| {
            let mut parts = word.split(['=', ':', '@', ',']).chain([*word]);
            // A file name may follow an option without a space: `-f.env`. It may also be part of a program text.
            let glued = word.strip_prefix('-').and_then(|rest| rest.get(1..)).is_some_and(|rest| self.covers(rest));
            parts.any(|part| self.covers(part) || self.may_cover(part) || self.holds(part))
                || glued
                || word.split(is_separator).any(|part| !part.is_empty() && (self.covers(part) || self.may_cover(part)))
        })
    }

    /// Returns whether a word is a matching file.
    fn covers(&self, word: &str) -> bool {
        self.about(word).covers
    }

    /// Returns whether a word that the shell expands may mean a matching file: a glob, `~user`, `~+`.
    fn may_cover(&self, word: &str) -> bool {
        self.about(word).may_cover
    }

    /// Returns whether a word is a directory that may contain a matching file.
    fn holds(&self, word: &str) -> bool {
        self.about(word).holds
    }

    fn about(&self, word: &str) -> Known {
        if let Some(known) = self.known.borrow().get(word) {
            return *known;
        }
        let plain = plain_name(word, Platform::CURRENT);
        let is_unknown_home = word.starts_with('~') && word != "~" && !word.starts_with("~/");
        let is_unknown = plain.is_none() || is_unknown_home;
        let plain = plain.unwrap_or(Cow::Borrowed(word));
        let meant = meanings(&plain, self.anchor.current, self.anchor.home);
        let known = Known {
            covers: meant.iter().any(|path| self.pattern.is_match(path, true)),
            may_cover: is_unknown || (is_glob(word) && self.pattern.meets_glob(word, self.anchor)),
            holds: meant.iter().any(|path| self.pattern.reaches_into(path) && path.is_dir()),
        };
        self.known.borrow_mut().insert(word.to_owned(), known);
        known
    }
}

/// Returns whether a word may be an option that makes a command recurse into directories.
fn is_recursive(word: &str) -> bool {
    word.starts_with("--recursive")
        || word.strip_prefix('-').is_some_and(|flags| !flags.starts_with('-') && flags.contains(['r', 'R']))
}
