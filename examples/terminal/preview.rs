//! A tool use as the user sees it before it is allowed: a change of a file line by line, anything else in full.

use mcp_agent::builtin::Builtin;

use crate::screen::{plain, subject};

/// How many lines of a change are shown.
const MAX_LINES: usize = 40;

/// How long a tool use on one line may be.
const MAX_LINE: usize = 100;

/// Returns the lines that show a tool use.
pub(crate) fn preview(tool: &Builtin) -> Vec<String> {
    let head = |path: &str| format!("{} {}", tool.name(), plain(path));
    match tool {
        Builtin::Edit(edit) => changed(head(&edit.file_path), &edit.old_string, &edit.new_string),
        Builtin::Write(write) => changed(head(&write.file_path), "", &write.content),
        other => whole(other.name(), &subject(other)),
    }
}

fn changed(head: String, before: &str, after: &str) -> Vec<String> {
    let marked = |mark: char, text: &'_ str| -> Vec<String> {
        text.lines().map(|line| format!("  {mark} {}", plain(line))).collect()
    };
    let lines = [marked('-', before), marked('+', after)].concat();
    let more = lines.len().saturating_sub(MAX_LINES);
    let note = (more > 0).then(|| format!("  [{more} more lines]"));
    [head].into_iter().chain(lines.into_iter().take(MAX_LINES)).chain(note).collect()
}

/// Nothing is left out: the end of a command can be its most important part.
fn whole(name: &str, text: &str) -> Vec<String> {
    if text.lines().count() <= 1 && text.chars().count() <= MAX_LINE {
        return vec![format!("{name} {}", plain(text))];
    }
    [name.to_owned()].into_iter().chain(text.lines().map(|line| format!("  | {}", plain(line)))).collect()
}
