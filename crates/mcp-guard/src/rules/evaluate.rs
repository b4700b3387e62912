//! The decision of the rules about a tool use: deny rules, ask rules, allow rules, then the mode.

use mcp_agent_tools::PermissionMode;

use super::restrict::RuleMatch;
use super::rule::Content;
use super::subject::Subject;
use super::{Behavior, Entry, Reason, Rule, Rules, Verdict, mode};
use crate::paths;
use crate::settings::Restrictions;

impl Rules {
    /// Evaluates the deny rules, then the ask rules, then the allow rules, then the mode.
    pub(super) fn ruled(&self, subject: &Subject<'_>) -> Verdict {
        let by_rule = |entry: &Entry| Reason::Rule { layer: entry.layer, rule: entry.rule.to_string() };
        let mut unclear = None;
        for entry in self.of(Behavior::Deny) {
            match subject.restricted_by(&entry.rule, self.anchor(entry.layer, subject)) {
                RuleMatch::Yes => return Verdict { behavior: Behavior::Deny, why: by_rule(entry) },
                RuleMatch::Perhaps => unclear = unclear.or(Some(entry)),
                RuleMatch::No => {}
            }
        }
        let verdict = self.by_rule(subject).unwrap_or_else(|| self.by_mode(subject));
        match unclear.or_else(|| self.not_understood(subject)) {
            Some(entry) if verdict.behavior == Behavior::Allow => {
                let why = Reason::Unclear { layer: entry.layer, rule: entry.rule.to_string() };
                Verdict { behavior: Behavior::Ask, why }
            }
            _ => verdict,
        }
    }

    /// Returns the first deny or ask rule for commands or files, if the effect of a command is not known.
    fn not_understood(&self, subject: &Subject<'_>) -> Option<&Entry> {
        let of = |behavior| {
            self.of(behavior).filter(|entry| matches!(entry.rule.content, Some(Content::Command(_) | Content::Path(_))))
        };
        let restricting: Vec<&Entry> = of(Behavior::Deny).chain(of(Behavior::Ask)).collect();
        let first = restricting.first()?;
        let rules: Vec<&Rule> = restricting.iter().map(|entry| &entry.rule).collect();
        let allowing = self.of(Behavior::Allow).map(|entry| &entry.rule);
        if subject.is_understood(allowing, &rules, paths::real(subject.current) != paths::real(&self.directory)) {
            return None;
        }
        // The reason is a rule about one of the programs, if there is one.
        restricting.iter().copied().find(|entry| subject.has_program_of(&entry.rule)).or(Some(*first))
    }

    /// Applies the settings that keep file tools inside of the working directories. No rule lifts them.
    pub(super) fn blocked(&self, subject: &Subject<'_>) -> Option<Verdict> {
        let Restrictions { block_reads, block_writes, .. } = self.restrictions;
        let reads = block_reads.map(|layer| (layer, "blockReadsOutsideWorkingDirectories"));
        let writes = block_writes.map(|layer| (layer, "blockWritesOutsideWorkingDirectories"));
        let setting = if subject.edits() { writes } else { reads };
        let (layer, name) = setting?;
        let behavior = subject.outside(&self.real_directories(), self.home.as_deref())?;
        Some(Verdict { behavior, why: Reason::Setting { layer, name } })
    }

    /// Evaluates the ask rules of all layers, then the allow rules of all layers.
    fn by_rule(&self, subject: &Subject<'_>) -> Option<Verdict> {
        // `RuleMatch::Perhaps` is enough to ask.
        let asks = |entry: &&Entry| subject.restricted_by(&entry.rule, self.anchor(entry.layer, subject)) > RuleMatch::No;
        if let Some(entry) = self.of(Behavior::Ask).find(asks) {
            let why = Reason::Rule { layer: entry.layer, rule: entry.rule.to_string() };
            return Some(Verdict { behavior: Behavior::Ask, why });
        }
        // The commands of a compound command may be allowed by rules of several layers.
        let allowing: Vec<_> =
            self.of(Behavior::Allow).map(|entry| (&entry.rule, self.anchor(entry.layer, subject))).collect();
        let rule = subject.allowed_by(&allowing)?;
        let entry = self.of(Behavior::Allow).find(|entry| std::ptr::eq(&entry.rule, rule))?;
        let why = Reason::Rule { layer: entry.layer, rule: entry.rule.to_string() };
        Some(Verdict { behavior: Behavior::Allow, why })
    }

    fn by_mode(&self, subject: &Subject<'_>) -> Verdict {
        let (selected, layer) = self.modes.selected();
        let mode = match selected {
            PermissionMode::BypassPermissions if self.restrictions.bypass_disabled => PermissionMode::Default,
            PermissionMode::Auto if self.restrictions.auto_disabled => PermissionMode::Default,
            mode => mode,
        };
        let behavior = mode::default_of(&mode, subject, &self.real_directories());
        Verdict { behavior, why: Reason::Mode { mode, layer } }
    }
}
