//! What rules are asked about: a tool use, seen as rules see it.

use std::path::{Path, PathBuf};

use mcp_agent::builtin::Builtin;
use serde_json::Value;

use crate::path::meanings;
use crate::rule::Rule;
use crate::shell::{self, Script};

/// A tool use.
pub(crate) struct Subject {
    pub(crate) tool: String,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    Command {
        text: String,
        script: Script,
        candidates: Vec<String>,
    },
    Files {
        edits: bool,
        searches: bool,
        files: Vec<Vec<PathBuf>>,
    },
    Url(String),
    Name(String),
    /// Nothing that the content of a rule could be about.
    Whole,
    /// A tool that is known, with an input that is not.
    Unreadable,
}

impl Subject {
    pub(crate) fn new(tool: &str, input: &Value, directory: &Path, home: Option<&Path>) -> Self {
        let mean = |path: &str| meanings(path, directory, home);
        let files = |edits, searches, paths: Vec<&str>| {
            // A path that no system knows is no path, and whose home `~` is nobody may know.
            let is_odd = |path: &&str| path.contains('\0') || path.is_empty() || is_foreign(path, home);
            if paths.iter().any(is_odd) || paths.is_empty() {
                return Kind::Unreadable;
            }
            Kind::Files { edits, searches, files: paths.into_iter().map(mean).collect() }
        };
        let kind = match Builtin::parse(tool, input) {
            Builtin::Bash(bash) => {
                let script = shell::parse(&bash.command);
                let candidates = shell::candidates(&bash.command, &script);
                Kind::Command { text: bash.command, script, candidates }
            }
            Builtin::Read(read) => files(false, false, vec![&read.file_path]),
            Builtin::Grep(grep) => files(false, true, vec![grep.path.as_deref().unwrap_or(".")]),
            // The pattern may lead out of the directory as well as the path.
            Builtin::Glob(glob) if glob.pattern.starts_with(['/', '~']) || glob.pattern.contains("..") => {
                let from = glob.path.as_deref().unwrap_or(".");
                files(false, true, vec![from, &glob.pattern])
            }
            Builtin::Glob(glob) => files(false, true, vec![glob.path.as_deref().unwrap_or(".")]),
            Builtin::Write(write) => files(true, false, vec![&write.file_path]),
            Builtin::Edit(edit) => files(true, false, vec![&edit.file_path]),
            Builtin::MultiEdit(edits) => files(true, false, edits.files().collect()),
            Builtin::NotebookEdit(edit) => files(true, false, vec![&edit.notebook_path]),
            Builtin::WebFetch(fetch) => Kind::Url(fetch.url),
            Builtin::Task(task) => Kind::Name(task.subagent_type.unwrap_or_else(|| "general-purpose".to_owned())),
            Builtin::Skill(skill) => Kind::Name([skill.skill, skill.args.unwrap_or_default()].join(" ").trim().to_owned()),
            Builtin::Other(raw) if Builtin::NAMES.iter().any(|names| names.contains(&raw.name.as_str())) => Kind::Unreadable,
            _ => Kind::Whole,
        };
        Self { tool: tool.to_owned(), kind }
    }

    /// The files that it reads or edits, if it is a tool for files: whether it edits, and all that the paths may mean.
    pub(crate) fn files(&self) -> Option<(bool, impl Iterator<Item = &PathBuf>)> {
        match &self.kind {
            Kind::Files { edits, files, .. } => Some((*edits, files.iter().flatten())),
            _ => None,
        }
    }

    /// Whether the rule is about this tool. Rules about reading are about all tools that read, and so for editing.
    pub(crate) fn is_tool_of(&self, rule: &Rule, any_case: bool) -> bool {
        let name = rule.tool.name();
        let is = |known: &str| if any_case { name.eq_ignore_ascii_case(known) } else { name == known };
        let by_family = match &self.kind {
            Kind::Files { edits: false, .. } => is("Read"),
            // Who forbids writing a file means editing it too; who allows editing allows to write.
            Kind::Files { edits: true, .. } => {
                is("Edit") || (any_case && ["Write", "MultiEdit"].iter().any(|tool| is(tool)))
            }
            Kind::Name(_) => (is("Task") || is("Agent")) && matches!(self.tool.as_str(), "Task" | "Agent"),
            _ => false,
        };
        by_family || rule.tool.is_match(&self.tool, any_case)
    }
}

/// Whether a path begins with a home that is not known.
fn is_foreign(path: &str, home: Option<&Path>) -> bool {
    path.strip_prefix('~').is_some_and(|rest| home.is_none() || !(rest.is_empty() || rest.starts_with('/')))
}
