//! Explains a decision: the verdict, and every rule that has something to do with the tool use.

use std::fmt;
use std::path::Path;

use serde_json::Value;

use super::restrict::RuleMatch;
use super::{Behavior, Layer, Rules, Verdict};
use crate::paths;

/// What would happen to a tool use, and why.
///
/// ```
/// use mcp_guard::{Layer, Rules};
/// use serde_json::json;
///
/// let rules = Rules::new("/code").allow(Layer::Session, "Bash")?.deny(Layer::User, "Read(.env)")?;
/// let explanation = rules.explain("Bash", &json!({"command": "cat $F"}));
/// assert_eq!(
///     explanation.to_string(),
///     "ask: the rule Read(.env) may deny it\n  \
///      user deny Read(.env): may match\n  \
///      session allow Bash: matches\n"
/// );
/// # Ok::<(), mcp_guard::RuleError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Explanation {
    /// The decision and its reason.
    pub verdict: Verdict,
    /// The rules that match or may match, in the order in which they are evaluated.
    pub matches: Vec<Match>,
}

/// A rule that matches a tool use or may match it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Match {
    /// The layer of the rule.
    pub layer: Layer,
    /// What the rule does with tool uses that it matches.
    pub behavior: Behavior,
    /// The text of the rule.
    pub rule: String,
    /// Whether it is certain that the rule matches.
    pub matched: Matched,
}

/// Whether a rule matches a tool use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Matched {
    /// The rule matches.
    Yes,
    /// The rule may match: the effect of the tool use cannot be determined.
    Perhaps,
}

impl Rules {
    /// Returns what the rules say about a tool use, with every rule that matches it. Records nothing.
    ///
    /// Hooks, [`Files`](crate::Files) and other checks of a [`Guard`](crate::Guard) are not part of the rules, so they are not
    /// explained. A guard also evaluates the rules for the file of a call: explain `Read` or `Write` of the file to see them.
    ///
    /// An allow rule is listed if it allows the tool use alone. A compound command may also be allowed by several rules
    /// together; then only the verdict names one of them.
    pub fn explain(&self, tool: &str, input: &Value) -> Explanation {
        self.explain_in(&self.directory, tool, input)
    }

    /// Does the same as [`explain`](Self::explain) for a tool use that works in another directory, as
    /// [`resolve_in`](Self::resolve_in) does.
    pub fn explain_in(&self, current: impl AsRef<Path>, tool: &str, input: &Value) -> Explanation {
        let current = paths::comparable(&self.directory.join(current));
        let subject = self.subject(tool, input, &current);
        let mut matches = Vec::new();
        for behavior in [Behavior::Deny, Behavior::Ask, Behavior::Allow] {
            for entry in self.of(behavior) {
                let anchor = self.anchor(entry.layer, &subject);
                let hit = match behavior {
                    Behavior::Allow if subject.allowed_by(&[(&entry.rule, anchor)]).is_some() => RuleMatch::Yes,
                    Behavior::Allow => RuleMatch::No,
                    _ => subject.restricted_by(&entry.rule, anchor),
                };
                let matched = match hit {
                    RuleMatch::Yes => Matched::Yes,
                    RuleMatch::Perhaps => Matched::Perhaps,
                    RuleMatch::No => continue,
                };
                matches.push(Match { layer: entry.layer, behavior, rule: entry.rule.to_string(), matched });
            }
        }
        Explanation { verdict: self.resolve_in(&current, tool, input), matches }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.verdict.behavior.as_str(), self.verdict.reason())?;
        for Match { layer, behavior, rule, matched } in &self.matches {
            let how = match matched {
                Matched::Yes => "matches",
                Matched::Perhaps => "may match",
            };
            writeln!(f, "  {} {} {rule}: {how}", layer.as_str(), behavior.as_str())?;
        }
        Ok(())
    }
}
