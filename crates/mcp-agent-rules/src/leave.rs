//! When rules that give leave cover a tool use: only when it is understood whole.

use std::path::PathBuf;

use crate::command::CommandPattern;
use crate::domain;
use crate::fence::{Fence, Ground};
use crate::rule::{Content, Rule};
use crate::shell::{Script, Simple};
use crate::subject::{Kind, Subject};

impl Subject {
    /// The rule that covers it, or the first of several that do so together.
    pub(crate) fn allowed_by<'r>(&self, rules: &[(&'r Rule, Ground<'_>)]) -> Option<&'r Rule> {
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
            Kind::Name(name) => alone.find(|rule| match &rule.content {
                Some(Content::Name(pattern)) => pattern.is_match(name, false),
                _ => false,
            }),
            Kind::Whole | Kind::Unreadable => None,
        }
    }
}

/// Every command of a line that is plain, each by any of the rules; or the whole line word for word.
fn command<'r>(text: &str, script: &Script, rules: &[(&'r Rule, Ground<'_>)]) -> Option<&'r Rule> {
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
        // By its words and by its text: quotes must not join two words to one that was meant as two.
        let covers = |pattern: &CommandPattern| pattern.is_match(&line, false) && pattern.is_match(&written, false);
        patterns().find(|(_, pattern)| covers(pattern)).map(|(rule, _)| rule)
    };
    first_if_all(script.commands.iter().map(covering))
}

/// Everything that every path may mean, each by any of the rules.
fn paths<'r>(files: &[Vec<PathBuf>], rules: &[(&'r Rule, Ground<'_>)]) -> Option<&'r Rule> {
    let fences: Vec<(&Rule, Fence)> = rules
        .iter()
        .filter_map(|(rule, ground)| match &rule.content {
            Some(Content::Path(pattern)) => Fence::new(pattern, *ground).map(|fence| (*rule, fence)),
            _ => None,
        })
        .collect();
    let covering = |path: &PathBuf| fences.iter().find(|(_, fence)| fence.is_match(path, false)).map(|(rule, _)| *rule);
    first_if_all(files.iter().flatten().map(covering))
}

fn first_if_all<'r>(covering: impl Iterator<Item = Option<&'r Rule>>) -> Option<&'r Rule> {
    let rules: Option<Vec<&Rule>> = covering.collect();
    rules.and_then(|rules| rules.first().copied())
}
