//! Matching of deny and ask rules. They match every tool use that they may apply to, also when that is uncertain.

use super::domain;
use super::rule::{Content, Rule};
use super::subject::{Kind, Subject};
use crate::paths::{Anchor, PathPattern, meanings};
use crate::shell::{self, Script};

/// Commands that write to the files in their arguments, or can do so with an option.
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

/// Commands that make the files of a command line unknown: they change the working directory, or they read file names
/// from their input.
const SHIFTING: &[&str] = &["cd", "chdir", "find", "mapfile", "parallel", "popd", "pushd", "read", "readarray", "xargs"];

/// Whether a deny or ask rule applies to a tool use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Hit {
    No,
    /// The rule may apply: the effect of the tool use cannot be determined.
    Perhaps,
    Yes,
}

impl Subject {
    /// Returns whether a deny or ask rule applies to this tool use.
    pub(crate) fn restricted_by(&self, rule: &Rule, anchor: Anchor<'_>) -> Hit {
        let Some(content) = &rule.content else {
            return if self.is_tool_of(rule, true) { Hit::Yes } else { Hit::No };
        };
        if let (Kind::Command { text, script, candidates }, Content::Path(pattern)) = (&self.kind, content) {
            return file_command_hits(text, script, candidates, rule, pattern, anchor);
        }
        // A command that cannot be parsed may open any file.
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
                let Some(path_pattern) = PathPattern::new(pattern, anchor) else { return Hit::Perhaps };
                let paths = || files.iter().flatten();
                if paths().any(|path| path_pattern.is_match(path, true)) {
                    return Hit::Yes;
                }
                let overlaps = *searches && paths().any(|path| path_pattern.reaches_into(path));
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
            // The content of the rule cannot be compared with this input. Restricting too much is safer than too little.
            _ => Hit::Yes,
        }
    }
}

/// Returns whether a rule for files applies to a shell command.
///
/// [`Hit::Yes`] if a command that opens files has a matching file as argument or redirection. [`Hit::Perhaps`] if another
/// command has a matching file as argument, if the files are unknown (variables, globs, braces, `cd`, arguments from a
/// pipe), if an argument is a directory that may contain a matching file, or if the pattern cannot be compiled.
fn file_command_hits(
    text: &str,
    script: &Script,
    candidates: &[String],
    rule: &Rule,
    pattern: &str,
    anchor: Anchor<'_>,
) -> Hit {
    let Some(path_pattern) = PathPattern::new(pattern, anchor) else { return Hit::Perhaps };
    let reads = rule.tool.name().eq_ignore_ascii_case("read");
    let meant = |word: &str| meanings(word, anchor.directory, anchor.home);
    let covers = |word: &str| meant(word).iter().any(|path| path_pattern.is_match(path, true));
    let holds = |word: &str| meant(word).iter().any(|path| path.is_dir() && path_pattern.reaches_into(path));
    let mut hit = if text.contains(['$', '`', '*', '?', '[', '{']) || script.is_dynamic { Hit::Perhaps } else { Hit::No };
    for redirect in script.commands.iter().flat_map(|simple| &simple.redirects).filter(|to| to.writes != reads) {
        if covers(&redirect.file) {
            return Hit::Yes;
        }
    }
    // The commands of the script, and every command that one of them may run.
    let written = script.commands.iter().map(|simple| simple.words.clone());
    let nested = candidates.iter().map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    for words in written.chain(nested) {
        let names = || words.iter().map(|word| word.rsplit('/').next().unwrap_or(word));
        let is = |commands: &[&str]| names().any(|name| commands.contains(&name));
        // A command that writes a file may also read it.
        let is_for_files = is(WRITERS) || (reads && is(READERS));
        let arguments = || words.iter().skip(1).flat_map(|word| word.split(['=', ':', '@', ',']).chain([word.as_str()]));
        let opens_nothing =
            names().next().is_some_and(|name| NO_FILES.contains(&name) || (!reads && READERS.contains(&name)));
        if is_for_files && arguments().any(covers) {
            return Hit::Yes;
        }
        let is_possible = is(SHIFTING) || words.iter().any(|word| word == "-C" || word.starts_with("--directory"));
        // A file name may follow an option without a space: `-f.env`.
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

/// Returns whether a word may be an option that makes a command recurse into directories.
fn is_recursive(word: &str) -> bool {
    word.starts_with("--recursive")
        || word.strip_prefix('-').is_some_and(|flags| !flags.starts_with('-') && flags.contains(['r', 'R']))
}
