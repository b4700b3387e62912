//! A tool use as the user sees it before it is allowed. Nothing is left out: its end can be its most important part.

use std::time::Duration;

use mcp_agent::Ask;
use mcp_agent::builtin::Builtin;
use serde_json::Value;
use similar::TextDiff;

use crate::screen::plain;

/// How long a text on the line of its name may be.
const MAX_LINE: usize = 100;

/// How long the differences of two texts are searched. After that, larger parts are shown as changed.
const DIFF_TIME: Duration = Duration::from_secs(1);

/// Returns the lines that show a tool use: a command or a change of a file, and all other fields of the input.
pub(crate) fn preview(ask: &Ask) -> Vec<String> {
    let tool = ask.builtin();
    let name = tool.name();
    let (mut lines, shown): (_, &[&str]) = match &tool {
        Builtin::Edit(edit) => {
            (changed(name, &edit.file_path, &edit.old_string, &edit.new_string), &["file_path", "old_string", "new_string"])
        }
        Builtin::Write(write) => (changed(name, &write.file_path, "", &write.content), &["file_path", "content"]),
        Builtin::Bash(bash) => (whole(name, &bash.command), &["command"]),
        Builtin::Read(read) => (whole(name, &read.file_path), &["file_path"]),
        _ => return whole(name, &ask.input.to_string()),
    };
    for (field, value) in ask.input.as_object().into_iter().flatten().filter(|(field, _)| !shown.contains(&field.as_str())) {
        let value = match value {
            // A switch that is off is the default of all of these tools.
            Value::Null | Value::Bool(false) => continue,
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        lines.extend(whole(&format!("  {}:", plain(field)), &value));
    }
    lines
}

fn changed(name: &str, path: &str, before: &str, after: &str) -> Vec<String> {
    let diff = TextDiff::configure().timeout(DIFF_TIME).diff_lines(before, after);
    let line = |change: similar::Change<&str>| {
        format!("  {} {}", change.tag(), plain(change.value().trim_end_matches(['\r', '\n']))).trim_end().to_owned()
    };
    let lines = diff.iter_all_changes().map(line);
    [format!("{name} {}", plain(path))].into_iter().chain(lines).collect()
}

/// Each line of a long text has a mark, so that it cannot look like a line of this program.
fn whole(name: &str, text: &str) -> Vec<String> {
    if text.lines().count() <= 1 && text.chars().count() <= MAX_LINE {
        return vec![format!("{name} {}", plain(text))];
    }
    [name.to_owned()].into_iter().chain(text.lines().map(|line| format!("  | {}", plain(line)))).collect()
}
