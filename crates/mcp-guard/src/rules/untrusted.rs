//! Rules of a project that the user does not trust.

use super::{Behavior, Layer, Rules};

impl Rules {
    /// Removes the allow rules of the project: those of [`Layer::Project`] and [`Layer::Local`]. Its deny and ask rules stay.
    ///
    /// The settings files of both layers can come with a cloned repository. Call this where the user has not said that the
    /// repository is trusted; otherwise its author decides which commands run unasked.
    ///
    /// ```
    /// # use mcp_guard::{Behavior, Layer, Rules};
    /// # use serde_json::json;
    /// let rules = Rules::new("/code").allow(Layer::Project, "Bash")?.deny(Layer::Project, "Bash(rm *)")?;
    /// let rules = rules.without_allow_rules_of_project();
    /// assert_eq!(rules.resolve("Bash", &json!({"command": "make"})).behavior, Behavior::Ask);
    /// assert_eq!(rules.resolve("Bash", &json!({"command": "rm x"})).behavior, Behavior::Deny);
    /// # Ok::<(), mcp_guard::RuleError>(())
    /// ```
    #[must_use]
    pub fn without_allow_rules_of_project(mut self) -> Self {
        let is_of_project = |layer| matches!(layer, Layer::Project | Layer::Local);
        self.entries.retain(|entry| entry.behavior != Behavior::Allow || !is_of_project(entry.layer));
        self
    }
}
