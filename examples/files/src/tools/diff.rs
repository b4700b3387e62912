//! Shows the differences between two texts in the unified format.

use similar::{ChangeTag, DiffOp, TextDiff};

/// How many equal lines are shown around a change.
const CONTEXT: usize = 4;

/// Returns the differences in a fenced code block. The fence is longer than every run of backticks in them.
pub(super) fn fenced(path: &str, before: &str, after: &str) -> String {
    let text = unified(path, before, after);
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}diff\n{text}{fence}\n\n")
}

fn unified(path: &str, before: &str, after: &str) -> String {
    let line = "=".repeat(67);
    let mut text = format!("Index: {path}\n{line}\n--- {path}\toriginal\n+++ {path}\tmodified\n");
    let diff = TextDiff::from_lines(before, after);
    for group in diff.grouped_ops(CONTEXT) {
        text += &header(&group);
        for change in group.iter().flat_map(|operation| diff.iter_changes(operation)) {
            text.push(match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            });
            text += change.value();
            if !change.value().ends_with('\n') {
                text += "\n\\ No newline at end of file\n";
            }
        }
    }
    text
}

fn header(group: &[DiffOp]) -> String {
    let range = |side: fn(&DiffOp) -> std::ops::Range<usize>| {
        let start = group.first().map_or(0, |operation| side(operation).start);
        let length = group.last().map_or(0, |operation| side(operation).end) - start;
        // Without lines it is the line before.
        format!("{},{length}", if length == 0 { start } else { start + 1 })
    };
    format!("@@ -{} +{} @@\n", range(DiffOp::old_range), range(DiffOp::new_range))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_those_in_the_text() {
        let shown = fenced("/a", "", "````\n");
        assert!(
            shown.starts_with("`````diff\nIndex: /a\n") && shown.ends_with("@@ -0,0 +1,1 @@\n+````\n`````\n\n"),
            "{shown}"
        );
    }
}
