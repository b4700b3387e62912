//! Permission rules, and changes of them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::PermissionMode;
use crate::wire::words;

words! {
    /// What a permission rule says.
    pub enum PermissionBehavior {
        /// May be used.
        Allow = "allow",
        /// May not be used.
        Deny = "deny",
        /// Somebody is asked.
        Ask = "ask",
    }

    /// Where a permission is remembered.
    pub enum PermissionDestination {
        /// In the user's settings, for all projects.
        UserSettings = "userSettings",
        /// In the project's settings, for all who work on it.
        ProjectSettings = "projectSettings",
        /// In the project's local settings: a file in the project.
        LocalSettings = "localSettings",
        /// Nowhere but in this session.
        Session = "session",
        /// As if said on the command line.
        CliArg = "cliArg",
    }
}

/// A change of the permission rules.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PermissionUpdate {
    /// What to do: `addRules`, `replaceRules`, `removeRules`, `setMode`, `addDirectories` or `removeDirectories`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The rules, where it is about rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<PermissionRule>>,
    /// What the rules say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behavior: Option<PermissionBehavior>,
    /// The mode, where it is about the mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<PermissionMode>,
    /// The directories, where it is about directories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directories: Option<Vec<String>>,
    /// Where it is remembered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination: Option<PermissionDestination>,
    /// Fields that this version does not know, so that a suggestion can be sent back whole.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A permission rule: a tool, and perhaps what it may be used for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PermissionRule {
    /// The tool.
    pub tool_name: String,
    /// What it may be used for, in the CLI's own notation, for instance `git *` of `Bash`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_content: Option<String>,
}

impl PermissionRule {
    /// A rule for every use of a tool.
    pub fn tool(name: impl Into<String>) -> Self {
        Self { tool_name: name.into(), rule_content: None }
    }

    /// A rule for some uses of a tool.
    pub fn matching(name: impl Into<String>, content: impl Into<String>) -> Self {
        Self { tool_name: name.into(), rule_content: Some(content.into()) }
    }
}

impl PermissionUpdate {
    /// Adds rules for this session; see [`destination`](Self::destination).
    pub fn add_rules(behavior: PermissionBehavior, rules: impl IntoIterator<Item = PermissionRule>) -> Self {
        Self {
            kind: "addRules".to_owned(),
            rules: Some(rules.into_iter().collect()),
            behavior: Some(behavior),
            ..Self::for_session()
        }
    }

    /// Changes the mode for this session.
    pub fn set_mode(mode: PermissionMode) -> Self {
        Self { kind: "setMode".to_owned(), mode: Some(mode), ..Self::for_session() }
    }

    /// Allows more directories for this session.
    pub fn add_directories(directories: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            kind: "addDirectories".to_owned(),
            directories: Some(directories.into_iter().map(Into::into).collect()),
            ..Self::for_session()
        }
    }

    /// Remembers it elsewhere.
    #[must_use]
    pub fn destination(mut self, destination: PermissionDestination) -> Self {
        self.destination = Some(destination);
        self
    }

    fn for_session() -> Self {
        Self { destination: Some(PermissionDestination::Session), ..Self::default() }
    }
}
