//! Splits a command line into simple commands.

use super::{Redirect, Script, Simple};

/// The maximum nesting depth of substitutions that are parsed.
const DEPTH: u8 = 16;

/// The number of digits of the longest number that the shell takes as a file descriptor in every case.
const MOST_DIGITS: usize = 9;

/// Shell keywords. A command that starts with one is not a simple command.
const KEYWORDS: &[&str] = &[
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select",
    "then", "time", "until", "while", "{", "}",
];

/// Variables that may be set before a command without changing which files it opens and what it runs.
const HARMLESS_VARIABLES: &[&str] =
    &["CARGO_TERM_COLOR", "CI", "FORCE_COLOR", "LANG", "LC_ALL", "NO_COLOR", "RUST_BACKTRACE", "RUST_LOG"];

/// Parses a command line.
pub(crate) fn parse(text: &str) -> Script {
    let mut script = Script { is_plain: true, is_understood: true, ..Script::default() };
    read(text, DEPTH, &mut script);
    script
}

pub(super) fn read(text: &str, depth: u8, script: &mut Script) {
    let mut lexer =
        Lexer { text, chars: text.char_indices().peekable(), script, depth, simple: Simple::default(), start: 0 };
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        lexer.dynamic();
    }
    lexer.run();
}

/// The state of the parser. This file splits the line into commands, `word.rs` reads the words.
pub(super) struct Lexer<'a, 's> {
    text: &'a str,
    pub(super) chars: std::iter::Peekable<std::str::CharIndices<'a>>,
    pub(super) script: &'s mut Script,
    pub(super) depth: u8,
    simple: Simple,
    start: usize,
}

impl Lexer<'_, '_> {
    fn run(&mut self) {
        while let Some(&(at, c)) = self.chars.peek() {
            match c {
                ';' | '&' | '|' | '\n' => {
                    self.chars.next();
                    // `&>file` redirects; `&&`, `||`, `|&`, `;;` are read as two separators.
                    if c == '&' && self.next_is('>') {
                        self.redirect('>');
                        continue;
                    }
                    self.end(at);
                    self.start = at + 1;
                    let (before, after) = (&self.text[..at], &self.text[at + 1..]);
                    let is_pipe = c == '|' && !before.ends_with('|') && !after.starts_with('|');
                    self.simple.is_piped = is_pipe || (c == '&' && before.ends_with('|') && !before.ends_with("||"));
                }
                ' ' | '\t' => {
                    self.chars.next();
                }
                '(' | ')' => {
                    self.script.is_plain = false;
                    self.script.is_understood = false;
                    self.chars.next();
                    self.end(at);
                    self.start = at + 1;
                }
                '<' | '>' => {
                    self.chars.next();
                    self.redirect(c);
                }
                '#' => {
                    self.script.is_plain = false;
                    while self.chars.next_if(|(_, c)| *c != '\n').is_some() {}
                }
                // A line continuation is not a word.
                '\\' if self.text[at..].starts_with("\\\n") => {
                    self.chars.next();
                    self.chars.next();
                }
                _ => self.push_word(),
            }
        }
        self.end(self.text.len());
    }

    /// Ends the current command.
    fn end(&mut self, at: usize) {
        let mut simple = std::mem::take(&mut self.simple);
        let text = self.text.get(self.start..at).unwrap_or_default();
        simple.text = text.trim_matches([';', '&', '|', ' ', '\t', '\n', '(', ')']).to_owned();
        if let Some(first) = simple.words.first() {
            // `{` and `}` are expansions where they are not keywords.
            let is_odd = KEYWORDS.contains(&first.as_str()) || is_assignment(first);
            self.script.is_plain &= !is_odd;
            let is_harmless = simple
                .words
                .iter()
                .take_while(|word| is_assignment(word))
                .all(|word| word.split_once('=').is_some_and(|(name, _)| HARMLESS_VARIABLES.contains(&name)));
            self.script.is_understood &= is_harmless;
        }
        if !simple.words.is_empty() || !simple.redirects.is_empty() {
            self.script.commands.push(simple);
        }
    }

    fn push_word(&mut self) {
        let is_first = self.simple.words.iter().all(|word| is_assignment(word));
        let from = self.position();
        let (word, has_pattern) = self.word();
        // `[` alone is the command `test`.
        if has_pattern && is_first && word != "[" {
            self.dynamic();
        }
        // A number right before a redirection is part of it. A number in quotes is a word: `cat "7"<x` opens the file `7`.
        let written = &self.text[from..self.position()];
        let is_number = (1..=MOST_DIGITS).contains(&written.len()) && written.bytes().all(|byte| byte.is_ascii_digit());
        let is_descriptor = is_number && self.chars.peek().is_some_and(|(_, c)| matches!(c, '<' | '>'));
        if !is_descriptor {
            self.simple.words.push(word);
        }
    }

    /// Parses a redirection after its first character.
    fn redirect(&mut self, first: char) {
        let mut operator = String::from(first);
        while let Some((_, c)) = self.chars.next_if(|(_, c)| matches!(c, '<' | '>' | '&' | '|' | '-')) {
            operator.push(c);
        }
        if self.next_is('(') {
            // `<(x)` runs x.
            self.chars.next();
            self.script.is_understood = false;
            return self.nested('(', ')');
        }
        while self.chars.next_if(|(_, c)| matches!(c, ' ' | '\t')).is_some() {}
        let (file, has_pattern) = self.word();
        let is_known = matches!(operator.as_str(), ">" | ">>" | ">|" | ">&" | "<");
        self.script.is_understood &= is_known && !has_pattern && !file.is_empty();
        let duplicates = operator.ends_with('&') && !file.is_empty() && file.bytes().all(|byte| byte.is_ascii_digit());
        let is_harmless = duplicates || file == "/dev/null";
        if !is_harmless {
            // This includes here-documents, whose text would be parsed as commands.
            self.script.is_plain = false;
            self.simple.redirects.push(Redirect { writes: operator.contains('>'), file });
        }
    }

    /// Returns the index of the next character in the text.
    fn position(&mut self) -> usize {
        self.chars.peek().map_or(self.text.len(), |(at, _)| *at)
    }

    fn next_is(&mut self, expected: char) -> bool {
        self.chars.peek().is_some_and(|(_, c)| *c == expected)
    }
}

/// Returns whether a word is a variable assignment, such as `A=1`.
pub(super) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let name = name.trim_end_matches('+');
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> (Vec<String>, bool) {
        let script = parse(text);
        (script.commands.iter().map(Simple::line).collect(), script.is_plain)
    }

    #[test]
    fn plain_commands_are_parsed_completely() {
        for (text, expected) in [
            ("git status", vec!["git status"]),
            ("git  log\t-1", vec!["git log -1"]),
            ("git add . && git commit -m 'a; b'", vec!["git add .", "git commit -m a; b"]),
            ("a | b || c; d & e\nf |& g", vec!["a", "b", "c", "d", "e", "f", "g"]),
            (r#"g"i"t st\atus"#, vec!["git status"]),
            ("ls *.rs 2>&1 >/dev/null", vec!["ls *.rs"]),
            ("git log \\\n -1", vec!["git log -1"]),
        ] {
            assert_eq!(lines(text), (expected.into_iter().map(str::to_owned).collect(), true), "{text}");
        }
    }

    #[test]
    fn other_commands_are_not_plain_and_their_substitutions_are_parsed() {
        for (text, inside) in [
            ("echo $(rm x)", "rm x"),
            ("echo \"$(rm x)\"", "rm x"),
            ("echo `rm x`", "rm x"),
            ("echo ${a:-$(rm x)}", "rm x"),
            ("cat <(rm x)", "rm x"),
            ("(rm x)", "rm x"),
            ("A=1 rm x", "A=1 rm x"),
            ("if true; then rm x; fi", "then rm x"),
            ("echo $( ( rm x ) )", "rm x"),
        ] {
            let (lines, plain) = lines(text);
            assert!(lines.iter().any(|line| line == inside) && !plain, "{text}: {lines:?}");
        }
        for text in [
            "echo 'open",
            "echo \"open",
            "echo $HOME",
            "ls > file",
            "cat < file",
            "cat <<END\nx\nEND",
            "r? x",
            "a #b",
            "a\rb",
        ] {
            assert!(!lines(text).1, "{text}");
        }
    }

    #[test]
    fn redirections_to_files_are_found() {
        let redirects = |text: &str| parse(text).commands.concat_redirects();
        assert_eq!(redirects("echo x > .env"), [(true, ".env".to_owned())]);
        assert_eq!(redirects("echo x >>'.env' 2>&1"), [(true, ".env".to_owned())]);
        assert_eq!(redirects("echo x &>.env"), [(true, ".env".to_owned())]);
        assert_eq!(redirects("cat <.env"), [(false, ".env".to_owned())]);
        assert_eq!(redirects("> .env"), [(true, ".env".to_owned())]);
    }

    #[test]
    fn only_a_plain_number_right_before_a_redirection_is_not_a_word() {
        let words = |text: &str| parse(text).commands[0].words.join(" ");
        for (text, expected) in [
            ("cat 7<x", "cat"),
            ("cat 7 <x", "cat 7"),
            ("cat \"7\"<x", "cat 7"),
            ("cat '7'>x", "cat 7"),
            ("cat \\7<x", "cat 7"),
            ("cat a7<x", "cat a7"),
            ("cat ''<x y", "cat  y"),
            ("cat 99999999999999999999<x", "cat 99999999999999999999"),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    trait Redirects {
        fn concat_redirects(&self) -> Vec<(bool, String)>;
    }

    impl Redirects for Vec<Simple> {
        fn concat_redirects(&self) -> Vec<(bool, String)> {
            self.iter().flat_map(|simple| &simple.redirects).map(|to| (to.writes, to.file.clone())).collect()
        }
    }
}
