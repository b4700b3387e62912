//! Suggests a known name for a mistyped one.

/// Returns the name with the smallest edit distance to `word`, if that is at most a third of its length (and at least 1).
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (word.chars().count() / 3).max(1);
    let closest = names.into_iter().map(|name| (distance(word, name), name)).min_by_key(|(distance, _)| *distance);
    closest.filter(|(distance, _)| *distance <= most).map(|(_, name)| name)
}

/// Returns the edit distance: insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = match (i, j) {
                (0, n) | (n, 0) => n,
                _ => {
                    let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let mut least = changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                    if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                        least = least.min(rows[i - 2][j - 2] + 1);
                    }
                    least
                }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_unless_it_is_too_different() {
        let names = ["tools", "call", "check"];
        for (word, found) in
            [("tool", Some("tools")), ("clal", Some("call")), ("chekc", Some("check")), ("x", None), ("notes.db", None)]
        {
            assert_eq!(nearest(word, names), found, "{word}");
        }
    }
}
