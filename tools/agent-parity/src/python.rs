//! The names of the official SDK for Python, read from its source.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use test_env::{Missing, install_once, run_step};

use crate::install::folder;

/// The classes whose members are compared. The others have the names of the SDK for TypeScript.
const CLASSES: [&str; 6] = [
    "ClaudeAgentOptions",
    "ClaudeSDKClient",
    "HookMatcher",
    "PermissionResultAllow",
    "PermissionResultDeny",
    "ToolPermissionContext",
];

/// Downloads the source of the SDK, without the CLI, to the target folder, and returns the folder with its modules.
///
/// # Errors
/// If there is no Python with pip, or it cannot download the package.
pub fn python_sdk() -> Result<PathBuf, Missing> {
    let missing = |error: io::Error| Missing::new("agent SDK for Python", error);
    let requirements = folder().join("python/requirements.txt");
    let lock = fs::read_to_string(&requirements).map_err(missing)?;
    let installed = install_once("python-agent-sdk", &lock, |folder| {
        let python = |arguments: &[&str]| {
            let mut python = Command::new(if cfg!(windows) { "python" } else { "python3" });
            python.args(arguments).current_dir(folder);
            python
        };
        // A package with the source: the others have a CLI for one platform.
        let mut pip = python(&["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]);
        pip.args(["--no-binary=:all:", "--require-hashes", "--requirement"]).arg(&requirements);
        run_step("agent SDK for Python", pip)?;
        let archive = find(folder, |name| name.ends_with(".tar.gz")).map_err(missing)?;
        run_step("agent SDK for Python", python(&["-m", "tarfile", "--extract", &archive.to_string_lossy()]))
    })?;
    let package =
        find(&installed, |name| name.starts_with("claude_agent_sdk") && !name.ends_with(".gz")).map_err(missing)?;
    Ok(package.join("src/claude_agent_sdk"))
}

fn find(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> io::Result<PathBuf> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if is_wanted(&entry.file_name().to_string_lossy()) {
            return Ok(entry.path());
        }
    }
    Err(io::Error::new(io::ErrorKind::NotFound, format!("{} has another content than expected", folder.display())))
}

/// Reads the names: the exported functions, the errors, and the members of the classes that are compared, as `Class.member`.
///
/// # Errors
/// If a file cannot be read.
pub fn python_names(sdk: &Path) -> io::Result<BTreeSet<String>> {
    let read = |name: &str| fs::read_to_string(sdk.join(name));
    let mut names = exported(&read("__init__.py")?);
    for module in ["types.py", "client.py"] {
        names.extend(members(&read(module)?));
    }
    Ok(names)
}

/// Returns the functions and errors in `__all__`.
fn exported(source: &str) -> BTreeSet<String> {
    let list = source.split_once("__all__ = [").and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
    let names = list.split('"').skip(1).step_by(2);
    let is_function = |name: &&str| name.starts_with(|first: char| first.is_ascii_lowercase()) || name.ends_with("Error");
    names.filter(is_function).map(ToOwned::to_owned).collect()
}

/// Returns the fields and public methods of classes.
fn members(source: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut class = None;
    let mut in_text = false;
    for line in source.lines() {
        let was_in_text = in_text;
        in_text ^= line.matches("\"\"\"").count() % 2 == 1;
        if was_in_text {
            continue;
        }
        if let Some(declared) = line.strip_prefix("class ") {
            class =
                CLASSES.into_iter().find(|class| declared.strip_prefix(class).is_some_and(|rest| !starts_with_word(rest)));
        } else if line.starts_with(|first: char| !first.is_whitespace() && first != ')') {
            class = None;
        }
        if let (Some(class), Some(member)) = (class, member(line)) {
            names.insert(format!("{class}.{member}"));
        }
    }
    names
}

/// Returns the field or public method that a line of a class declares.
fn member(line: &str) -> Option<&str> {
    let line = line.strip_prefix("    ")?;
    let method = line.strip_prefix("async def ").or_else(|| line.strip_prefix("def "));
    let end = if method.is_some() { '(' } else { ':' };
    let (name, _) = method.unwrap_or(line).split_once(end)?;
    let is_name = !name.is_empty() && !name.starts_with('_') && !name.chars().any(|c| !is_of_word(c));
    is_name.then_some(name)
}

fn starts_with_word(text: &str) -> bool {
    text.starts_with(is_of_word)
}

fn is_of_word(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r#"
class HookMatcherBase:
    other: int

@dataclass
class HookMatcher:
    """A matcher.

    note: a line of a text
    """

    matcher: str | None = None
    hooks: list[HookCallback] = field(
        default_factory=list
    )

class ClaudeSDKClient:
    def __init__(self):
        self.local: int = 1

    async def connect(
        self,
    ) -> None:
        pass

    def _private(self): ...
"#;

    #[test]
    fn fields_and_public_methods_of_the_compared_classes_are_found() {
        let names: Vec<String> = members(SOURCE).into_iter().collect();
        assert_eq!(names, ["ClaudeSDKClient.connect", "HookMatcher.hooks", "HookMatcher.matcher"]);
    }

    #[test]
    fn exported_functions_and_errors_are_found() {
        let source = "__all__ = [\n    # Main\n    \"query\",\n    \"Transport\",\n    \"ProcessError\",\n]\n";
        assert_eq!(exported(source).into_iter().collect::<Vec<_>>(), ["ProcessError", "query"]);
    }
}
