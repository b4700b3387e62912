//! Rules that several users share and that can change while they are in use.

use std::sync::{Arc, PoisonError, RwLock};

use super::{Behavior, Layer, Rule, Rules};

/// Rules that a guard and an agent share, and that the program can add rules to while they are in use.
///
/// ```
/// use mcp_guard::{Behavior, Guard, Layer, Rules, SharedRules};
///
/// let rules = SharedRules::from(Rules::new("/code"));
/// let guard = Guard::new("files", rules.clone());
/// rules.add(Layer::Session, Behavior::Allow, "mcp__files__read".parse()?);
/// # Ok::<(), mcp_guard::RuleError>(())
/// ```
#[derive(Debug, Clone)]
pub struct SharedRules(Arc<RwLock<Arc<Rules>>>);

impl SharedRules {
    /// Adds a rule. It applies to every tool use from now on.
    pub fn add(&self, layer: Layer, behavior: Behavior, rule: Rule) {
        let mut current = self.0.write().unwrap_or_else(PoisonError::into_inner);
        Arc::make_mut(&mut current).add(layer, behavior, rule);
    }

    /// Returns the rules as they are now.
    pub fn snapshot(&self) -> Arc<Rules> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl From<Rules> for SharedRules {
    fn from(rules: Rules) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(rules))))
    }
}
