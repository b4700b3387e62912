//! Suggestions for misspelled names.

/// Longer names are not compared, which bounds the cost.
const MAX_LENGTH: usize = 64;

/// Returns the most similar known name, if one is similar enough.
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = folded(name)?;
    let near = |candidate: &&'a str| {
        let candidate = folded(candidate)?;
        let distance = distance(&name, &candidate);
        let allowed = name.len().max(candidate.len()).div_ceil(3);
        let begins =
            name.len() >= 3 && candidate.len() >= 3 && (candidate.starts_with(&name) || name.starts_with(&candidate));
        (distance < name.len().max(candidate.len()) && (distance <= allowed || begins)).then_some(distance)
    };
    known
        .into_iter()
        .filter_map(|candidate| Some((near(&candidate)?, candidate)))
        .min_by_key(|(distance, _)| *distance)?
        .1
        .into()
}

/// Normalizes case and separators: `maxResults`, `max-results` and `max_results` are treated as equal.
fn folded(name: &str) -> Option<Vec<char>> {
    let folded: Vec<char> =
        name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).take(MAX_LENGTH + 1).collect();
    (1..=MAX_LENGTH).contains(&folded.len()).then_some(folded)
}

/// Returns the edit distance with insertions, deletions, substitutions and swaps of neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_names_are_recognized() {
        let known = ["limit", "query", "max_results", "path"];
        for (written, meant) in [
            ("limt", "limit"),
            ("Limit", "limit"),
            ("qurey", "query"),
            ("maxResults", "max_results"),
            ("max", "max_results"),
            ("paths", "path"),
        ] {
            assert_eq!(nearest(written, known), Some(meant), "{written}");
        }
    }

    #[test]
    fn a_name_that_is_not_similar_to_any_gets_no_suggestion() {
        let known = ["limit", "a", "b"];
        for written in ["verbose", "x", "", "_", &"limit".repeat(100)] {
            assert_eq!(nearest(written, known), None, "{written}");
        }
    }
}
