//! Patterns that match shell commands: `git *`, `npm run test:*`, `make`.

use globset::{GlobBuilder, GlobMatcher};

use crate::shell::name;

/// A pattern that matches shell commands.
///
/// `*` matches any text, including spaces. A trailing ` *` also matches the command without arguments: `ls *` matches `ls`
/// and `ls -l` but not `lsof`. A trailing `:*` has the same meaning.
#[derive(Debug, Clone)]
pub(crate) struct CommandPattern {
    text: String,
    exact: GlobMatcher,
    any_case: GlobMatcher,
}

impl CommandPattern {
    pub(crate) fn new(pattern: &str) -> Result<Self, globset::Error> {
        let text = pattern.trim().to_owned();
        let (body, open) = match text.strip_suffix(":*").or_else(|| text.strip_suffix(" *")) {
            Some(body) => (body.trim_end(), true),
            None => (text.as_str(), false),
        };
        let words: Vec<&str> = body.split_whitespace().collect();
        let mut glob = words.join(" ").split('*').map(globset::escape).collect::<Vec<_>>().join("*");
        if open {
            glob += "{, *}";
        }
        let build = |any_case| {
            Ok::<_, globset::Error>(
                GlobBuilder::new(&glob).case_insensitive(any_case).empty_alternates(true).build()?.compile_matcher(),
            )
        };
        let (exact, any_case) = (build(false)?, build(true)?);
        Ok(Self { text, exact, any_case })
    }

    /// Returns whether the pattern has no `*` and is equal to the command, ignoring surrounding whitespace.
    pub(crate) fn is_exactly(&self, command: &str) -> bool {
        self.text == command.trim() && !self.text.contains('*')
    }

    /// Returns whether the pattern starts with this program, without wildcards.
    pub(crate) fn names(&self, program: &str) -> bool {
        self.words().next().is_some_and(|first| !first.contains('*') && first == program)
    }

    /// Returns whether the two patterns are about different programs, or about different subcommands of one program: both
    /// start with literal words, and one of them differs.
    ///
    /// `git fetch *` is apart from `git push *`, and `git *` is not. Options are not compared, because they can have another
    /// order or another form.
    pub(crate) fn is_apart_from(&self, other: &Self) -> bool {
        let is_literal = |word: &str| !word.contains('*') && !word.starts_with(['-', '+']);
        for (own, other) in self.words().zip(other.words()) {
            let (own, other) = (name(own), name(other));
            if !is_literal(own) || !is_literal(other) {
                return false;
            }
            if !own.eq_ignore_ascii_case(other) {
                return true;
            }
        }
        false
    }

    /// Returns whether the pattern is about the program in these words; for `git`, about the same subcommand.
    pub(crate) fn is_about(&self, words: &[&str]) -> bool {
        let mut own = self.words();
        let is_same = |own: Option<&str>, other: &str| own.is_some_and(|own| name(own).eq_ignore_ascii_case(other));
        let Some((program, rest)) = words.split_first() else { return false };
        if !is_same(own.next(), program) {
            return false;
        }
        let has_other_subcommand = match (own.next(), rest.first()) {
            (Some(own), Some(other)) => !own.contains('*') && !own.starts_with('-') && !is_same(Some(own), other),
            _ => false,
        };
        !(*program == "git" && has_other_subcommand)
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.text.strip_suffix(":*").unwrap_or(&self.text).split_whitespace()
    }

    pub(crate) fn is_match(&self, command: &str, any_case: bool) -> bool {
        if any_case { self.any_case.is_match(command) } else { self.exact.is_match(command) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_match_as_in_claude_code() {
        let table = [
            ("git *", "git status", true),
            ("git *", "git", true),
            ("git *", "gitk", false),
            ("git*", "gitk", true),
            ("npm run test:*", "npm run test", true),
            ("npm run test:*", "npm run test --watch", true),
            ("npm run test:*", "npm run tester", false),
            ("npm run build", "npm run build", true),
            ("npm run build", "npm run build --x", false),
            ("git * main", "git push origin main", true),
            ("git * main", "git push origin maintenance", false),
            ("* --version", "node --version", true),
            ("ls [a]", "ls a", false),
            ("ls [a]", "ls [a]", true),
            ("cat a/b", "cat a/b", true),
            ("cat *", "cat /etc/passwd\n/etc/shadow", true),
        ];
        for (pattern, command, expected) in table {
            assert_eq!(CommandPattern::new(pattern).unwrap().is_match(command, false), expected, "{pattern} and {command}");
        }
        assert!(CommandPattern::new("rm *").unwrap().is_match("RM -rf x", true));
    }

    #[test]
    fn a_pattern_is_about_a_program_or_about_a_subcommand_of_git() {
        let table = [
            ("cat /etc/hostname", "cat notes", true),
            ("cat /etc/hostname", "head notes", false),
            ("/bin/cat x", "cat notes", true),
            ("git push *", "git push", true),
            ("git push *", "git status", false),
            ("git --no-pager log", "git status", true),
            ("git * main", "git status", true),
            ("git push *", "git", true),
            ("* --force", "cp --force a b", false),
        ];
        for (pattern, command, expected) in table {
            let words: Vec<&str> = command.split(' ').collect();
            assert_eq!(CommandPattern::new(pattern).unwrap().is_about(&words), expected, "{pattern} and {command}");
        }
    }

    #[test]
    fn patterns_are_apart_if_they_name_different_programs_or_subcommands() {
        let table = [
            ("git fetch *", "git push *", true),
            ("git fetch *", "/usr/bin/GIT push", true),
            ("git *", "git push *", false),
            ("git:*", "git push", false),
            ("git push *", "git *", false),
            ("git * main", "git push *", false),
            ("git -C x status", "git push *", false),
            ("git fetch *", "git --no-pager push", false),
            ("cargo +stable test", "cargo publish", false),
            ("cargo *", "rm *", true),
            ("rm *", "rm -rf *", false),
            ("rm x", "rm -rf *", false),
            ("npm run *", "npm run deploy", false),
            ("npm run build", "npm run deploy", true),
            ("make *", "* --force", false),
        ];
        for (own, other, expected) in table {
            let [a, b] = [own, other].map(|pattern| CommandPattern::new(pattern).unwrap());
            assert_eq!(a.is_apart_from(&b), expected, "{own} and {other}");
        }
    }
}
