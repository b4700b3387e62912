//! Matching of deny and ask rules. They match every tool use that they may apply to, also when that is uncertain.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::rule::{Content, Rule};
use super::subject::{Kind, Subject, opens_other_files};
use super::{domain, files};
use crate::paths::{BaseDirectories, PathPattern};
use crate::shell::{self, Script};

/// Whether a deny or ask rule applies to a tool use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RuleMatch {
    No,
    /// The rule may apply: the effect of the tool use cannot be determined.
    Perhaps,
    Yes,
}

impl Subject<'_> {
    /// Returns whether a deny or ask rule applies to this tool use.
    pub(crate) fn restricted_by(&self, rule: &Rule, anchor: BaseDirectories<'_>) -> RuleMatch {
        let Some(content) = &rule.content else {
            return if self.is_tool_of(rule, true) { RuleMatch::Yes } else { RuleMatch::No };
        };
        if let (Kind::Command { script, candidates, .. }, Content::Path(pattern)) = (&self.kind, content) {
            return files::hit(script, candidates, rule, pattern, anchor);
        }
        // A command that cannot be parsed may open any file.
        if matches!((&self.kind, content), (Kind::Unreadable, Content::Path(_))) && opens_other_files(&self.tool) {
            return RuleMatch::Perhaps;
        }
        if let (Kind::Opens(files), Content::Path(pattern)) = (&self.kind, content) {
            return opened(files, pattern, anchor);
        }
        if !self.is_tool_of(rule, true) {
            return RuleMatch::No;
        }
        match (&self.kind, content) {
            (Kind::Command { script, candidates, .. }, Content::Command(pattern)) => {
                let is_match = |line: &str| pattern.is_match(line, true);
                match candidates.iter().any(|line| is_match(line)) {
                    true => RuleMatch::Yes,
                    false if script.is_dynamic || shell::may_run_more(script, candidates) => RuleMatch::Perhaps,
                    false if lines(script, candidates).iter().any(|words| shell::may_run(words, is_match)) => {
                        RuleMatch::Perhaps
                    }
                    false => RuleMatch::No,
                }
            }
            (Kind::Files { searches, files, .. }, Content::Path(pattern)) => {
                let Some(path_pattern) = PathPattern::new(pattern, anchor) else { return RuleMatch::Perhaps };
                let paths = || files.iter().flatten();
                if paths().any(|path| path_pattern.is_match(path, true)) {
                    return RuleMatch::Yes;
                }
                let overlaps = *searches && paths().any(|path| path_pattern.reaches_into(path));
                if overlaps { RuleMatch::Perhaps } else { RuleMatch::No }
            }
            (Kind::Url(url), Content::Domain(domain)) => match domain::may_cover(domain, url) {
                Some(true) => RuleMatch::Yes,
                Some(false) => RuleMatch::No,
                None => RuleMatch::Perhaps,
            },
            (Kind::Name(names), Content::Name(pattern)) => {
                if names.iter().any(|name| pattern.is_match(name, true)) {
                    RuleMatch::Yes
                } else {
                    RuleMatch::No
                }
            }
            // The content of the rule cannot be compared with this input. Restricting too much is safer than too little.
            _ => RuleMatch::Yes,
        }
    }
}

/// Matches a rule for files against a tool that opens files besides what it is for.
fn opened(files: &[Vec<PathBuf>], pattern: &str, anchor: BaseDirectories<'_>) -> RuleMatch {
    let Some(path_pattern) = PathPattern::new(pattern, anchor) else { return RuleMatch::Perhaps };
    let paths = || files.iter().flatten();
    if paths().any(|path| path_pattern.is_match(path, true)) {
        return RuleMatch::Yes;
    }
    let may_be_inside = paths().any(|path| path.is_dir() && path_pattern.reaches_into(path));
    if may_be_inside { RuleMatch::Perhaps } else { RuleMatch::No }
}

/// Returns the words of every command of a script, and of every command that one of them may run.
pub(super) fn lines<'a>(script: &'a Script, candidates: &'a [String]) -> Vec<Vec<&'a str>> {
    let written = script.commands.iter().map(|simple| simple.words.iter().map(String::as_str).collect());
    let lines: BTreeSet<Vec<&str>> =
        written.chain(candidates.iter().map(|line| line.split_whitespace().collect())).collect();
    lines.into_iter().collect()
}
