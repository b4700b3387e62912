//! Globs of shell commands: whether they may expand to a denied path.
//!
//! The options of the shell are not known (`dotglob`, `nocaseglob`, `globstar`, `extglob`), so all of them are assumed to be on.

use std::fs;
use std::path::{Path, PathBuf};

/// How many paths a glob may expand to before it counts as unknown.
const LIMIT: usize = 2000;

/// Returns whether a word contains glob characters.
pub(crate) fn is_glob(word: &str) -> bool {
    word.contains(['*', '?', '['])
}

/// Returns whether some path that matches the glob is matched by the pattern or lies below a path that is.
///
/// Both are lists of components in lower case. `**` in either matches any number of components.
pub(crate) fn may_meet(glob: &[String], pattern: &[String]) -> bool {
    let Some((wanted, later)) = pattern.split_first() else { return true };
    if wanted == "**" {
        return may_meet(glob, later) || glob.split_first().is_some_and(|(_, rest)| may_meet(rest, pattern));
    }
    let Some((found, rest)) = glob.split_first() else { return false };
    if found == "**" {
        return may_meet(rest, pattern) || may_meet(glob, later);
    }
    components_meet(found, wanted) && may_meet(rest, later)
}

/// Returns whether some name matches both patterns. Everything in brackets, braces or after a backslash is taken to match
/// anything.
fn components_meet(a: &str, b: &str) -> bool {
    if [a, b].iter().any(|text| text.contains(['{', '\\', '(', '!'])) {
        return true;
    }
    let (a, b) = (tokens(a), tokens(b));
    // `reachable[i][j]`: a text matches the first i tokens of `a` and the first j tokens of `b`.
    let mut reachable = vec![vec![false; b.len() + 1]; a.len() + 1];
    reachable[0][0] = true;
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if !reachable[i][j] {
                continue;
            }
            let (next_a, next_b) = (a.get(i), b.get(j));
            if next_a == Some(&Token::Any) {
                reachable[i + 1][j] = true;
            }
            if next_b == Some(&Token::Any) {
                reachable[i][j + 1] = true;
            }
            let (Some(x), Some(y)) = (next_a, next_b) else { continue };
            match (x, y) {
                (Token::Any, Token::Any) => {}
                (Token::Any, _) => reachable[i][j + 1] = true,
                (_, Token::Any) => reachable[i + 1][j] = true,
                (Token::One(x), Token::One(y)) if x != y => {}
                _ => reachable[i + 1][j + 1] = true,
            }
        }
    }
    reachable[a.len()][b.len()]
}

/// A part of a glob component.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    /// `*`: any characters.
    Any,
    /// `?`, or a set of characters in brackets: one character.
    Unknown,
    /// This one character.
    One(char),
}

fn tokens(component: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = component.chars();
    while let Some(c) = rest.next() {
        found.push(match c {
            '*' => Token::Any,
            '?' => Token::Unknown,
            // A set ends at the first `]` that is not its first character. Without one, anything may follow.
            '[' => {
                let set: String = rest.clone().collect();
                let from = usize::from(set.starts_with(['^', ']'])) + usize::from(set.starts_with("^]"));
                match set.get(from..).and_then(|inner| inner.find(']')) {
                    Some(end) => {
                        rest = skip(rest, set[..from + end + 1].chars().count());
                        Token::Unknown
                    }
                    None => Token::Any,
                }
            }
            c => Token::One(c),
        });
    }
    found
}

fn skip(mut chars: std::str::Chars<'_>, count: usize) -> std::str::Chars<'_> {
    for _ in 0..count {
        chars.next();
    }
    chars
}

/// Returns the existing paths below a directory that match a glob. Returns `None` if there are too many of them, or if the
/// glob has `**`.
pub(crate) fn expand(base: &Path, glob: &str) -> Option<Vec<PathBuf>> {
    let mut found = vec![base.to_path_buf()];
    for component in glob.split('/').filter(|component| !matches!(*component, "" | ".")) {
        if component == "**" {
            return None;
        }
        let mut next = Vec::new();
        for at in &found {
            if !is_glob(component) {
                next.push(at.join(component));
                continue;
            }
            let component = component.to_lowercase();
            next.extend(names(at).filter(|name| components_meet(&component, &escape(name))).map(|name| at.join(name)));
        }
        if next.len() > LIMIT {
            return None;
        }
        found = next;
    }
    Some(found)
}

/// Returns a name in lower case, with characters that have a meaning in globs replaced by `?`.
fn escape(name: &str) -> String {
    name.to_lowercase().replace(['*', '[', '{', '\\', '(', '!'], "?")
}

fn names(directory: &Path) -> impl Iterator<Item = String> + use<> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn components(text: &str) -> Vec<String> {
        text.split('/').map(str::to_owned).collect()
    }

    #[test]
    fn globs_meet_patterns_that_share_a_path() {
        let table = [
            ("w/*.rs", "w/**/.env", false),
            ("w/*", "w/**/.env", true),
            ("w/.e*", "w/**/.env", true),
            ("w/.[a-f]nv", "w/**/.env", true),
            ("w/?env", "w/**/.env", true),
            ("w/*.md", "w/secrets", false),
            ("w/s*", "w/secrets", true),
            ("w/s*/key", "w/secrets", true),
            ("w/**/key", "w/secrets", true),
            ("w/*/*", "w/secrets/*.pem", true),
            ("w/src/*.rs", "w/secrets", false),
            ("w/[", "w/.env", true),
            ("w/[]]x", "w/.env", false),
        ];
        for (glob, pattern, expected) in table {
            assert_eq!(may_meet(&components(glob), &components(pattern)), expected, "{glob} and {pattern}");
        }
    }
}
