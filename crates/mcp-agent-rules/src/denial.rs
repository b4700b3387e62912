//! When a deny or ask rule covers a tool use: whenever it may be meant.

use crate::domain;
use crate::fence::{Fence, Ground};
use crate::path::meanings;
use crate::rule::{Content, Rule};
use crate::shell::{self, Script};
use crate::subject::{Kind, Subject};

/// Commands that write to the files in their arguments, or can be asked to.
const WRITERS: &[&str] = &[
    "awk", "chmod", "chown", "cp", "csplit", "dd", "ed", "ex", "gawk", "gpg", "gzip", "iconv", "install", "jq", "ln",
    "look", "mawk", "mv", "openssl", "patch", "pr", "rm", "rsync", "sed", "shred", "shuf", "sort", "split", "sponge", "tar",
    "tee", "touch", "truncate", "uniq", "unlink", "vi", "vim", "xxd", "zip",
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

/// Commands after which the words of a command line no longer say which files are meant: they change the directory, or
/// take arguments from their input.
const SHIFTING: &[&str] = &["cd", "chdir", "find", "mapfile", "parallel", "popd", "pushd", "read", "readarray", "xargs"];

/// How a rule that restricts applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Hit {
    No,
    /// It might: what the tool does cannot be known.
    Perhaps,
    Yes,
}

impl Subject {
    /// Whether a rule that restricts covers it.
    pub(crate) fn restricted_by(&self, rule: &Rule, ground: Ground<'_>) -> Hit {
        let Some(content) = &rule.content else {
            return if self.is_tool_of(rule, true) { Hit::Yes } else { Hit::No };
        };
        if let (Kind::Command { text, script, candidates }, Content::Path(pattern)) = (&self.kind, content) {
            return file_command_hits(text, script, candidates, rule, pattern, ground);
        }
        // A command that cannot be read may open any file.
        if let (Kind::Unreadable, Content::Path(_), "Bash" | "Monitor" | "PowerShell") =
            (&self.kind, content, self.tool.as_str())
        {
            return Hit::Perhaps;
        }
        if !self.is_tool_of(rule, true) {
            return Hit::No;
        }
        match (&self.kind, content) {
            (Kind::Command { script, candidates, .. }, Content::Command(pattern)) => {
                match candidates.iter().any(|line| pattern.is_match(line, true)) {
                    true => Hit::Yes,
                    false if script.is_dynamic || shell::may_run_more(candidates) => Hit::Perhaps,
                    false => Hit::No,
                }
            }
            (Kind::Files { searches, files, .. }, Content::Path(pattern)) => {
                let Some(fence) = Fence::new(pattern, ground) else { return Hit::Perhaps };
                let paths = || files.iter().flatten();
                if paths().any(|path| fence.is_match(path, true)) {
                    return Hit::Yes;
                }
                let overlaps = *searches && paths().any(|path| fence.reaches_into(path));
                if overlaps { Hit::Perhaps } else { Hit::No }
            }
            (Kind::Url(url), Content::Domain(domain)) => match domain::covers(domain, url) {
                Some(true) => Hit::Yes,
                Some(false) => Hit::No,
                None => Hit::Perhaps,
            },
            (Kind::Name(name), Content::Name(pattern)) => {
                if pattern.is_match(name, true) {
                    Hit::Yes
                } else {
                    Hit::No
                }
            }
            // A rule about something that cannot be seen here: rather too much than too little.
            _ => Hit::Yes,
        }
    }
}

/// A rule about files, for a shell command.
///
/// Certain where a command for files names a file that the rule covers. Possible where any other command names it, where
/// the words do not say which files are meant (variables, globs, braces, `cd`, arguments from a pipe), where a directory is
/// named that may contain such a file, and where the pattern of the rule cannot be compiled.
fn file_command_hits(
    text: &str,
    script: &Script,
    candidates: &[String],
    rule: &Rule,
    pattern: &str,
    ground: Ground<'_>,
) -> Hit {
    let Some(fence) = Fence::new(pattern, ground) else { return Hit::Perhaps };
    let reads = rule.tool.name().eq_ignore_ascii_case("read");
    let meant = |word: &str| meanings(word, ground.directory, ground.home);
    let covers = |word: &str| meant(word).iter().any(|path| fence.is_match(path, true));
    let holds = |word: &str| meant(word).iter().any(|path| path.is_dir() && fence.reaches_into(path));
    let mut hit = if text.contains(['$', '`', '*', '?', '[', '{']) || script.is_dynamic { Hit::Perhaps } else { Hit::No };
    for redirect in script.commands.iter().flat_map(|simple| &simple.redirects).filter(|to| to.writes != reads) {
        if covers(&redirect.file) {
            return Hit::Yes;
        }
    }
    // The commands as they are written, and every command that one of them may run.
    let written = script.commands.iter().map(|simple| simple.words.clone());
    let nested = candidates.iter().map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    for words in written.chain(nested) {
        let names = || words.iter().map(|word| word.rsplit('/').next().unwrap_or(word));
        let is = |commands: &[&str]| names().any(|name| commands.contains(&name));
        // A command that writes a file may read it as well.
        let is_for_files = is(WRITERS) || (reads && is(READERS));
        let arguments = || words.iter().skip(1).flat_map(|word| word.split(['=', ':', '@', ',']).chain([word.as_str()]));
        let opens_nothing =
            names().next().is_some_and(|name| NO_FILES.contains(&name) || (!reads && READERS.contains(&name)));
        if is_for_files && arguments().any(covers) {
            return Hit::Yes;
        }
        let is_possible = is(SHIFTING) || words.iter().any(|word| word == "-C" || word.starts_with("--directory"));
        // Options may have a file glued to them: `-f.env`.
        let glued = || words.iter().skip(1).filter_map(|word| word.strip_prefix('-')?.get(1..)).any(covers);
        if is_possible || (!opens_nothing && (arguments().any(|word| covers(word) || holds(word)) || glued())) {
            hit = Hit::Perhaps;
        }
        if is_for_files && words.iter().any(|word| is_recursive(word)) {
            hit = Hit::Perhaps;
        }
    }
    hit
}

/// Whether an option may make a command go through directories that it does not name.
fn is_recursive(word: &str) -> bool {
    word.starts_with("--recursive")
        || word.strip_prefix('-').is_some_and(|flags| !flags.starts_with('-') && flags.contains(['r', 'R']))
}
