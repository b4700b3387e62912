//! A tool use in the form that rules are matched against.

use std::path::{Path, PathBuf};

use mcp_agent_tools::builtin::Builtin;
use serde_json::Value;

use super::rule::Rule;
use super::verdict::Behavior;
use crate::paths::{Platform, meanings, plain_name};
use crate::shell::{self, Script};

/// A tool use that rules are matched against.
pub(crate) struct Subject<'a> {
    pub(crate) tool: String,
    pub(crate) kind: Kind,
    /// The directory that the tool use works in.
    pub(crate) current: &'a Path,
}

/// Tools that are not for files but open some: the fields of their input with paths.
const OPENING: &[(&str, &[&str])] = &[
    ("Artifact", &["file_path", "file_paths", "out_dir"]),
    ("EnterWorktree", &["path"]),
    ("LSP", &["filePath", "file_path"]),
    ("Projects", &["local_path"]),
    ("SendUserFile", &["files", "file_path", "file_paths"]),
    ("Workflow", &["scriptPath", "script_path"]),
];

/// The part of the input of a tool use that the content of a rule is compared with.
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
    /// The files that a tool of [`OPENING`] opens.
    Opens(Vec<Vec<PathBuf>>),
    Url(String),
    /// A name, and the name with its arguments if there are any.
    Name(Vec<String>),
    /// The input has nothing that the content of a rule can be compared with.
    Whole,
    /// A known tool whose input does not have the expected form.
    Unreadable,
}

impl<'a> Subject<'a> {
    pub(crate) fn new(tool: &str, input: &Value, current: &'a Path, home: Option<&Path>) -> Self {
        let mean = |path: &str| all_meanings(path, current, home);
        let text = |field: &str| input.get(field).and_then(Value::as_str);
        let files = |edits, searches, paths: Vec<Option<&str>>| {
            let Some(paths) = paths.into_iter().collect::<Option<Vec<&str>>>() else { return Kind::Unreadable };
            // Invalid paths, and paths in an unknown home directory.
            let is_odd = |path: &&str| path.contains('\0') || path.is_empty() || is_foreign(path.trim(), home);
            if paths.iter().any(is_odd) || paths.is_empty() {
                return Kind::Unreadable;
            }
            // A path that may be any file is treated like an input that cannot be read.
            let plain = paths.into_iter().map(|path| plain_name(path, Platform::CURRENT));
            match plain.collect::<Option<Vec<_>>>() {
                Some(paths) => Kind::Files { edits, searches, files: paths.iter().map(|path| mean(path)).collect() },
                None => Kind::Unreadable,
            }
        };
        let kind = match tool {
            // Only the relevant fields are read, so that an unexpected type in another field has no effect.
            "Bash" | "Monitor" => text("command").map_or(Kind::Unreadable, |command| {
                let mut script = shell::parse(command);
                let candidates = shell::candidates(command, &mut script);
                Kind::Command { text: command.to_owned(), script, candidates }
            }),
            // PowerShell has another syntax, which the shell parser cannot read.
            "PowerShell" => Kind::Unreadable,
            "Read" | "NotebookRead" => files(false, false, vec![text("file_path").or(text("notebook_path"))]),
            "Grep" | "Glob" | "LS" => files(false, true, searched_paths(tool, input)),
            "Write" | "Edit" => files(true, false, vec![text("file_path")]),
            "NotebookEdit" => files(true, false, vec![text("notebook_path")]),
            "MultiEdit" => {
                let mut paths: Vec<Option<&str>> = text("file_path").map(Some).into_iter().collect();
                let edits = input.get("edits").and_then(Value::as_array).into_iter().flatten();
                paths.extend(edits.filter_map(|edit| edit.get("file_path")).map(Value::as_str));
                files(true, false, paths)
            }
            _ => match opened_paths(tool, input) {
                Some(paths) => match files(false, false, paths) {
                    Kind::Files { files, .. } => Kind::Opens(files),
                    kind => kind,
                },
                None => other(tool, input),
            },
        };
        Self { tool: tool.to_owned(), kind, current }
    }

    /// Returns whether a file tool edits, and all possible targets of its paths. Returns `None` for other tools.
    pub(crate) fn files(&self) -> Option<(bool, impl Iterator<Item = &PathBuf>)> {
        match &self.kind {
            Kind::Files { edits, files, .. } => Some((*edits, files.iter().flatten())),
            _ => None,
        }
    }

    /// Returns whether this is a tool that edits files.
    pub(crate) fn edits(&self) -> bool {
        matches!(self.tool.as_str(), "Write" | "Edit" | "MultiEdit" | "NotebookEdit")
    }

    /// Returns the decision for a tool use that may be outside of these directories: deny for file tools, ask for commands
    /// that name a path outside. Returns `None` if it stays inside.
    pub(crate) fn outside(&self, inside: &[PathBuf], home: Option<&Path>) -> Option<Behavior> {
        let is_inside = |path: &PathBuf| inside.iter().any(|at| path.starts_with(at));
        match &self.kind {
            Kind::Files { files, .. } => (!files.iter().flatten().all(is_inside)).then_some(Behavior::Deny),
            Kind::Unreadable => Some(Behavior::Deny),
            Kind::Command { script, .. } => {
                let words = script.commands.iter().flat_map(|simple| {
                    simple.words.iter().skip(1).chain(simple.redirects.iter().map(|redirect| &redirect.file))
                });
                let mut parts = words.flat_map(|word| word.split(['=', ':', '@', ',']).chain([word.as_str()]));
                let stays = |word: &str| meanings(word, self.current, home).iter().all(is_inside);
                (script.is_dynamic || !parts.all(stays)).then_some(Behavior::Ask)
            }
            Kind::Opens(_) | Kind::Url(_) | Kind::Name(_) | Kind::Whole => None,
        }
    }

    /// Returns whether the rule applies to this tool. `Read` rules apply to all tools that read, `Edit` rules to all that edit.
    ///
    /// Only the name of the tool counts, so that an unexpected input does not escape the rules of its tool.
    pub(crate) fn is_tool_of(&self, rule: &Rule, any_case: bool) -> bool {
        let name = rule.tool.name();
        let is = |known: &str| if any_case { name.eq_ignore_ascii_case(known) } else { name == known };
        let by_family = match self.tool.as_str() {
            "Read" | "NotebookRead" | "Grep" | "Glob" | "LS" => is("Read"),
            // A deny rule for `Write` also denies editing. An allow rule for files, `Edit(x)`, also allows writing.
            "Write" | "Edit" | "MultiEdit" | "NotebookEdit" => {
                is("Edit") || (any_case && ["Write", "MultiEdit"].iter().any(|tool| is(tool)))
            }
            // A deny rule for `Bash` applies to every tool that runs commands. An allow rule applies to `Bash` only.
            "Monitor" | "PowerShell" => any_case && is("Bash"),
            "Task" | "Agent" => is("Task") || is("Agent"),
            _ => false,
        };
        // An allow rule without a pattern allows only the tool that it names.
        let has_family = any_case || rule.content.is_some() || matches!(self.tool.as_str(), "Task" | "Agent");
        (by_family && has_family) || rule.tool.is_match(&self.tool, any_case)
    }
}

/// Returns the targets of a path as it is written, and of the path without the spaces around it, which the CLI removes.
fn all_meanings(path: &str, current: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let mut all = meanings(path, current, home);
    if path.trim() != path {
        all.extend(meanings(path.trim(), current, home));
    }
    all
}

/// Returns the paths in the input of a tool of [`OPENING`], with `None` for a value that is not a path. Returns `None` for other
/// tools, and for an input without paths.
fn opened_paths<'v>(tool: &str, input: &'v Value) -> Option<Vec<Option<&'v str>>> {
    let (_, fields) = OPENING.iter().find(|(name, _)| *name == tool)?;
    let values = fields.iter().filter_map(|field| input.get(field));
    let items = values.flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice));
    let path = |item: &'v Value| item.as_str().or_else(|| item.get("path")?.as_str());
    let paths: Vec<_> = items.filter(|item| !item.is_null()).map(path).collect();
    (!paths.is_empty()).then_some(paths)
}

/// Returns whether a tool opens files that a rule for files may be about, besides the tools that such rules name.
pub(super) fn opens_other_files(tool: &str) -> bool {
    matches!(tool, "Bash" | "Monitor" | "PowerShell") || OPENING.iter().any(|(name, _)| *name == tool)
}

/// Returns the paths that a search tool reads: the directory, and glob patterns that may point outside of it. `None` stands for a
/// value that is not a string.
fn searched_paths<'v>(tool: &str, input: &'v Value) -> Vec<Option<&'v str>> {
    let text = |field: &str| input.get(field).and_then(Value::as_str);
    let absent = |field: &str| input.get(field).is_none_or(Value::is_null);
    let mut paths = vec![if absent("path") { Some(".") } else { text("path") }];
    for field in ["glob", "pattern"] {
        let is_path = tool == "Glob" || field == "glob";
        match text(field) {
            Some(glob) if is_path && (glob.starts_with(['/', '~']) || glob.contains("..")) => paths.push(Some(glob)),
            None if is_path && !absent(field) => paths.push(None),
            _ => {}
        }
    }
    paths
}

/// Classifies tools that use neither files nor commands.
fn other(tool: &str, input: &Value) -> Kind {
    match Builtin::parse(tool, input) {
        Builtin::WebFetch(fetch) => Kind::Url(fetch.url),
        Builtin::Task(task) => {
            Kind::Name(vec![task.subagent_type.map_or_else(|| "general-purpose".to_owned(), |name| name.trim().to_owned())])
        }
        Builtin::Skill(skill) => {
            // The CLI accepts a slash before the name.
            let name = skill.skill.trim().trim_start_matches('/');
            let whole = [name, &skill.args.unwrap_or_default()].join(" ").trim().to_owned();
            Kind::Name(vec![name.to_owned(), whole])
        }
        Builtin::Other(raw) if Builtin::NAMES.iter().any(|names| names.contains(&raw.name.as_str())) => Kind::Unreadable,
        _ => Kind::Whole,
    }
}

/// Returns whether a path starts with a home directory that is not known: `~user`, or `~` without `home`.
fn is_foreign(path: &str, home: Option<&Path>) -> bool {
    path.strip_prefix('~').is_some_and(|rest| home.is_none() || !(rest.is_empty() || rest.starts_with('/')))
}
