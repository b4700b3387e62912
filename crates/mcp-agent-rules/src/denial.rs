//! When a rule that restricts covers a tool use: whenever it may be meant.

use crate::domain;
use crate::fence::{Fence, Ground};
use crate::path::meanings;
use crate::rule::{Content, Rule};
use crate::shell::Script;
use crate::subject::{Kind, Subject};

/// Commands that write to the files in their arguments.
const WRITERS: &[&str] = &[
    "awk", "chmod", "chown", "cp", "dd", "ed", "install", "ln", "mv", "rm", "sed", "shred", "sort", "tee", "touch",
    "truncate", "unlink", "vi", "vim",
];

/// Commands that only read the files in their arguments.
const READERS: &[&str] = &[
    ".", "base64", "cat", "cut", "diff", "file", "grep", "head", "hexdump", "less", "more", "nl", "od", "source", "strings",
    "tac", "tail", "wc", "xxd",
];

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
        if let (Kind::Command { script, .. }, Content::Path(pattern)) = (&self.kind, content) {
            return file_command_hits(script, rule, pattern, ground);
        }
        if !self.is_tool_of(rule, true) {
            return Hit::No;
        }
        match (&self.kind, content) {
            (Kind::Command { script, candidates, .. }, Content::Command(pattern)) => {
                match candidates.iter().any(|line| pattern.is_match(line, true)) {
                    true => Hit::Yes,
                    false if script.is_dynamic => Hit::Perhaps,
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

/// A rule about files, for a shell command: by redirection, or as an argument of a command for files.
fn file_command_hits(script: &Script, rule: &Rule, pattern: &str, ground: Ground<'_>) -> Hit {
    let Some(fence) = Fence::new(pattern, ground) else { return Hit::No };
    let reads = rule.tool.name().eq_ignore_ascii_case("read");
    let hits = |path: &str| meanings(path, ground.directory, ground.home).iter().any(|path| fence.is_match(path, true));
    for simple in &script.commands {
        let redirected = simple.redirects.iter().filter(|to| to.writes != reads).any(|to| hits(&to.file));
        let is =
            |commands: &[&str]| simple.words.iter().any(|word| commands.contains(&word.rsplit('/').next().unwrap_or(word)));
        // What writes a file may read it as well.
        let is_for_files = is(WRITERS) || (reads && is(READERS));
        let named = || simple.words.iter().skip(1).flat_map(|word| word.split('=')).any(&hits);
        if redirected || (is_for_files && named()) {
            return Hit::Yes;
        }
    }
    Hit::No
}
