//! Permission rules, and updates of them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::PermissionMode;
use crate::wire::words;

words! {
    /// The behavior of a permission rule.
    pub enum PermissionBehavior {
        /// The tool use is allowed.
        Allow = "allow",
        /// The tool use is denied.
        Deny = "deny",
        /// Permission is asked for.
        Ask = "ask",
    }

    /// Where a permission update is stored.
    pub enum PermissionDestination {
        /// In the settings of the user, for all projects.
        UserSettings = "userSettings",
        /// In the shared settings of the project.
        ProjectSettings = "projectSettings",
        /// In the local settings of the project, which are not shared.
        LocalSettings = "localSettings",
        /// In memory, for this session only.
        Session = "session",
        /// As if passed on the command line.
        CliArg = "cliArg",
    }
}

/// An update of the permission rules.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PermissionUpdate {
    /// The kind of update: `addRules`, `replaceRules`, `removeRules`, `setMode`, `addDirectories` or
    /// `removeDirectories`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The rules, for updates of rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<PermissionRule>>,
    /// The behavior of the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behavior: Option<PermissionBehavior>,
    /// The mode, for `setMode`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<PermissionMode>,
    /// The directories, for updates of directories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directories: Option<Vec<String>>,
    /// Where the update is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination: Option<PermissionDestination>,
    /// Unknown fields, kept so that a suggestion can be returned unchanged.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A permission rule: a tool, and optionally a pattern for its arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PermissionRule {
    /// The name of the tool.
    pub tool_name: String,
    /// The pattern in the syntax of the CLI, for instance `git *` for `Bash`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_content: Option<String>,
}

impl PermissionRule {
    /// Creates a rule for every use of a tool.
    pub fn tool(name: impl Into<String>) -> Self {
        Self { tool_name: name.into(), rule_content: None }
    }

    /// Creates a rule for the uses of a tool that match a pattern.
    pub fn matching(name: impl Into<String>, content: impl Into<String>) -> Self {
        Self { tool_name: name.into(), rule_content: Some(content.into()) }
    }
}

impl PermissionUpdate {
    /// Creates an update that adds rules for this session. Use [`destination`](Self::destination) to store it
    /// elsewhere.
    pub fn add_rules(behavior: PermissionBehavior, rules: impl IntoIterator<Item = PermissionRule>) -> Self {
        Self {
            kind: "addRules".to_owned(),
            rules: Some(rules.into_iter().collect()),
            behavior: Some(behavior),
            ..Self::for_session()
        }
    }

    /// Creates an update that changes the mode of this session.
    pub fn set_mode(mode: PermissionMode) -> Self {
        Self { kind: "setMode".to_owned(), mode: Some(mode), ..Self::for_session() }
    }

    /// Creates an update that allows more directories in this session.
    pub fn add_directories(directories: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            kind: "addDirectories".to_owned(),
            directories: Some(directories.into_iter().map(Into::into).collect()),
            ..Self::for_session()
        }
    }

    /// Sets where the update is stored.
    #[must_use]
    pub fn destination(mut self, destination: PermissionDestination) -> Self {
        self.destination = Some(destination);
        self
    }

    fn for_session() -> Self {
        Self { destination: Some(PermissionDestination::Session), ..Self::default() }
    }
}
