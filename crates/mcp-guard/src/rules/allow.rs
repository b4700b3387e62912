//! Matching of allow rules. They match only tool uses that are understood completely.

use std::path::PathBuf;

use super::command::CommandPattern;
use super::domain;
use super::rule::{Content, Rule};
use super::subject::{Kind, Subject};
use crate::paths::{BaseDirectories, PathPattern};
use crate::shell::{self, RulesAbout, Script, Simple};

impl Subject<'_> {
    /// Returns the rule that allows this tool use, or the first of several rules that allow it together.
    pub(crate) fn allowed_by<'r>(&self, rules: &[(&'r Rule, BaseDirectories<'_>)]) -> Option<&'r Rule> {
        let own: Vec<_> = rules.iter().copied().filter(|(rule, _)| self.is_tool_of(rule, false)).collect();
        if let Some((rule, _)) = own.iter().find(|(rule, _)| rule.content.is_none()) {
            return Some(rule);
        }
        let mut alone = own.iter().map(|(rule, _)| *rule);
        match &self.kind {
            Kind::Command { text, script, .. } => command(text, script, &own),
            Kind::Files { files, .. } => paths(files, &own),
            Kind::Url(url) => alone.find(|rule| match &rule.content {
                Some(Content::Domain(domain)) => domain::covers(domain, url) == Some(true),
                _ => false,
            }),
            Kind::Name(names) => alone.find(|rule| match &rule.content {
                Some(Content::Name(pattern)) => names.iter().all(|name| pattern.is_match(name, false)),
                _ => false,
            }),
            Kind::Opens(_) | Kind::Whole | Kind::Unreadable => None,
        }
    }

    /// Returns whether a shell command is simple enough to know what it does, or consists of programs that allow rules name. For
    /// other tools it returns true.
    ///
    /// `allowing` are the allow rules and `restricting` the deny and ask rules. An allow rule names a command only if it is not
    /// broader than a restricting rule: beside a denial of `git push *`, the rule `git *` says nothing about `git send-pack`.
    /// `is_elsewhere` is set if the tool use works in another directory than that of the rules.
    pub(crate) fn is_understood<'r>(
        &self,
        allowing: impl Iterator<Item = &'r Rule>,
        restricting: &[&'r Rule],
        is_elsewhere: bool,
    ) -> bool {
        let Kind::Command { text, script, .. } = &self.kind else { return true };
        let denied: Vec<&CommandPattern> = restricting.iter().filter_map(|rule| rule.command_pattern()).collect();
        let patterns: Vec<&CommandPattern> =
            allowing.filter(|rule| self.is_tool_of(rule, false)).filter_map(Rule::command_pattern).collect();
        if patterns.iter().any(|pattern| pattern.is_exactly(text)) {
            return true;
        }
        let is_named = |simple: &Simple| {
            let (line, written) = (simple.line(), simple.written());
            let program = simple.words.first().map_or("", String::as_str);
            patterns.iter().any(|pattern| {
                pattern.names(program)
                    && pattern.is_match(&line, false)
                    && pattern.is_match(&written, false)
                    && denied.iter().all(|denied| pattern.is_apart_from(denied))
            })
        };
        let files = restricting.iter().any(|rule| matches!(rule.content, Some(Content::Path(_))));
        let is_denied_in_part = |words: &[&str]| denied.iter().any(|pattern| pattern.is_about(words));
        shell::is_understood(script, &RulesAbout { files, is_elsewhere, is_named, is_denied_in_part })
    }

    /// Returns whether one of the commands has the program of this rule.
    pub(crate) fn has_program_of(&self, rule: &Rule) -> bool {
        let (Kind::Command { script, .. }, Some(pattern)) = (&self.kind, rule.command_pattern()) else { return false };
        script.commands.iter().filter_map(|simple| simple.words.first()).any(|program| pattern.names(shell::name(program)))
    }
}

/// Matches a command line: either one rule is equal to the whole line, or the line is plain and each of its commands
/// matches a rule.
fn command<'r>(text: &str, script: &Script, rules: &[(&'r Rule, BaseDirectories<'_>)]) -> Option<&'r Rule> {
    let patterns = || {
        rules.iter().filter_map(|(rule, _)| match &rule.content {
            Some(Content::Command(pattern)) => Some((*rule, pattern)),
            _ => None,
        })
    };
    if let Some((rule, _)) = patterns().find(|(_, pattern)| pattern.is_exactly(text)) {
        return Some(rule);
    }
    if !script.is_plain {
        return None;
    }
    let covering = |simple: &Simple| {
        let (line, written) = (simple.line(), simple.written());
        // Both the unquoted words and the original text must match: `npm "run test"` is not `npm run test`.
        let covers = |pattern: &CommandPattern| pattern.is_match(&line, false) && pattern.is_match(&written, false);
        patterns().find(|(_, pattern)| covers(pattern)).map(|(rule, _)| rule)
    };
    first_if_all(script.commands.iter().map(covering))
}

/// Matches files: each possible target of each path must match a rule.
fn paths<'r>(files: &[Vec<PathBuf>], rules: &[(&'r Rule, BaseDirectories<'_>)]) -> Option<&'r Rule> {
    let patterns: Vec<(&Rule, PathPattern)> = rules
        .iter()
        .filter_map(|(rule, anchor)| match &rule.content {
            Some(Content::Path(pattern)) => PathPattern::new(pattern, *anchor).map(|path_pattern| (*rule, path_pattern)),
            _ => None,
        })
        .collect();
    let covering =
        |path: &PathBuf| patterns.iter().find(|(_, path_pattern)| path_pattern.is_match(path, false)).map(|(rule, _)| *rule);
    first_if_all(files.iter().flatten().map(covering))
}

/// Returns the first rule if no item is `None`.
fn first_if_all<'r>(covering: impl Iterator<Item = Option<&'r Rule>>) -> Option<&'r Rule> {
    let rules: Option<Vec<&Rule>> = covering.collect();
    rules.and_then(|rules| rules.first().copied())
}
