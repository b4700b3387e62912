//! Reads declaration files of TypeScript: the names of functions and constants, and the members of types.
//!
//! It knows the few forms of declarations that the SDK has, and ignores types within members unless they are asked for.

use std::collections::BTreeMap;

use crate::tokens::{ARROW, Token, tokens};

/// What a declaration file declares.
#[derive(Debug, Clone, Default)]
pub struct Declarations {
    /// The names of the exported functions and classes.
    pub functions: Vec<String>,
    /// The exported constants, each with the strings in its type.
    pub constants: BTreeMap<String, Vec<String>>,
    types: BTreeMap<String, Vec<Token>>,
}

/// A member of an object type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The name of the member.
    pub name: String,
    content: Vec<Token>,
}

impl Declarations {
    /// Reads a declaration file.
    #[must_use]
    pub fn read(source: &str) -> Self {
        let tokens = tokens(source);
        let mut declarations = Self::default();
        let mut at = 0;
        while at < tokens.len() {
            at = declarations.statement(&tokens, at);
        }
        declarations
    }

    /// Returns the names of all types.
    pub fn types(&self) -> impl Iterator<Item = &str> {
        self.types.keys().map(String::as_str)
    }

    /// Returns the members of a type, or of the type of a member: `Type` or `Type.member`. Returns `None` if there is no such
    /// type. The members of an intersection with other declared types are included.
    #[must_use]
    pub fn members(&self, path: &str) -> Option<Vec<Member>> {
        let mut steps = path.split('.');
        let mut content = self.types.get(steps.next()?)?.clone();
        for step in steps {
            let same = members_of(&content).into_iter().filter(|member| member.name == step);
            // In a union, several alternatives can have a member of this name.
            content = same.map(|member| member.content).reduce(|all, more| [all, more].concat())?;
        }
        let mut members = members_of(&content);
        for base in self.bases(&content) {
            members.extend(self.members(&base).unwrap_or_default());
        }
        members.sort_by(|a, b| a.name.cmp(&b.name));
        members.dedup_by(|a, b| a.name == b.name);
        Some(members)
    }

    /// Returns the names of the declared types that a union consists of.
    #[must_use]
    pub fn union(&self, name: &str) -> Vec<String> {
        let words = self.types.get(name).into_iter().flatten().filter_map(Token::word);
        words.filter(|word| self.types.contains_key(*word)).map(ToOwned::to_owned).collect()
    }

    /// Returns the value of a member that is a string literal, such as `subtype: 'initialize'`.
    #[must_use]
    pub fn literal(&self, name: &str, member: &str) -> Option<String> {
        let member = self.members(name)?.into_iter().find(|candidate| candidate.name == member)?;
        match member.content.as_slice() {
            [Token::Text(text), ..] => Some(text.clone()),
            _ => None,
        }
    }

    /// The declared types that a type is an intersection with: names beside `&` outside of braces.
    fn bases(&self, content: &[Token]) -> Vec<String> {
        let mut depth = 0_i32;
        let mut bases = Vec::new();
        for (at, token) in content.iter().enumerate() {
            depth += change(token);
            let beside = |at: Option<usize>| at.and_then(|at| content.get(at)).is_some_and(|token| token.is('&'));
            if let Some(name) = token.word()
                && depth == 0
                && (beside(at.checked_sub(1)) || beside(Some(at + 1)))
                && self.types.contains_key(name)
            {
                bases.push(name.to_owned());
            }
        }
        bases
    }

    /// Reads the statement that starts at this token, and returns where the next one starts.
    fn statement(&mut self, tokens: &[Token], start: usize) -> usize {
        let mut at = start;
        while tokens.get(at).and_then(Token::word).is_some_and(|word| matches!(word, "export" | "declare" | "default")) {
            at += 1;
        }
        let kind = tokens.get(at).and_then(Token::word).unwrap_or_default();
        let name = tokens.get(at + 1).and_then(Token::word).unwrap_or_default().to_owned();
        let is_block = matches!(kind, "interface" | "class");
        let end = end_of_statement(tokens, at, is_block);
        let content = &tokens[at.min(end)..end];
        match kind {
            "function" if !name.is_empty() => self.functions.push(name),
            "class" => self.functions.push(name),
            "const" if at > start => {
                let texts = content.iter().filter_map(|token| match token {
                    Token::Text(text) => Some(text.clone()),
                    _ => None,
                });
                self.constants.insert(name, texts.collect());
            }
            "type" | "interface" => {
                let body = content.iter().position(|token| token.is(if is_block { '{' } else { '=' }));
                let body = body.map_or(&[][..], |body| &content[if is_block { body } else { body + 1 }..]);
                self.types.insert(name, body.to_vec());
            }
            _ => {}
        }
        end.max(start + 1)
    }
}

impl Member {
    /// Returns the type as text, for a message about a change.
    #[must_use]
    pub fn text(&self) -> String {
        let words = self.content.iter().map(|token| match token {
            Token::Word(word) => format!("{word} "),
            Token::Text(text) => format!("'{text}' "),
            Token::Mark('\u{21d2}') => "=> ".to_owned(),
            Token::Mark(mark) => mark.to_string(),
        });
        words.collect::<String>().trim_end_matches([' ', ';']).to_owned()
    }
}

/// How a token changes the nesting of brackets.
fn change(token: &Token) -> i32 {
    match token {
        Token::Mark('{' | '(' | '[' | '<') => 1,
        Token::Mark('}' | ')' | ']' | '>') => -1,
        _ => 0,
    }
}

fn end_of_statement(tokens: &[Token], start: usize, is_block: bool) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        depth += change(token);
        let ends = token.is(';') || (is_block && token.is('}'));
        if depth == 0 && ends {
            return at + 1;
        }
        // A declaration without a semicolon ends where the next one begins.
        let next = tokens.get(at + 1).and_then(Token::word);
        if depth == 0 && at > start && next.is_some_and(|word| matches!(word, "export" | "declare")) {
            return at + 1;
        }
    }
    tokens.len()
}

/// The members of all object types in a type, without those of nested ones.
fn members_of(content: &[Token]) -> Vec<Member> {
    let mut members = Vec::new();
    // How many brackets are open, and how many were right after each open `{`.
    let (mut depth, mut open) = (0, Vec::new());
    let mut at = 0;
    while let Some(token) = content.get(at) {
        depth += change(token);
        if token.is('{') {
            open.push(depth);
        } else if token.is('}') {
            open.pop();
        }
        at += 1;
        let starts = token.is('{') || token.is(';') || token.is(',');
        if starts
            && open == [depth]
            && let Some((member, end)) = member(content, at)
        {
            members.push(member);
            at = end;
        }
    }
    members
}

/// Reads the member that starts at this token, and returns where its content ends.
fn member(content: &[Token], mut at: usize) -> Option<(Member, usize)> {
    let separates = |token: &Token| [':', '?', '('].iter().any(|mark| token.is(*mark));
    if content.get(at)?.word() == Some("readonly") && !content.get(at + 1).is_some_and(separates) {
        at += 1;
    }
    let name = match content.get(at)? {
        Token::Word(name) | Token::Text(name) => name.clone(),
        Token::Mark(_) => return None,
    };
    at += 1;
    if content.get(at)?.is('?') {
        at += 1;
    }
    if content.get(at)?.is(':') {
        at += 1;
    } else if !content.get(at)?.is('(') && !content.get(at)?.is('<') {
        return None;
    }
    let (start, mut depth) = (at, 0);
    while let Some(token) = content.get(at) {
        if depth == 0 && (token.is(';') || token.is('}') || token.is(',')) {
            break;
        }
        depth += if *token == ARROW { 0 } else { change(token) };
        at += 1;
    }
    Some((Member { name, content: content[start..at].to_vec() }, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r"
        import { z } from 'zod';
        /** text; with { marks */
        export declare type Base = { a: string; };
        declare type One = Base & {
            subtype: 'one';
            readonly b?: { c: number; d?: Record<string, { e: 1 }>; }[];
            f(x: number, options?: { g: string }): Promise<void>;
            'h-i'?: (y: { z: 1 }) => void;
            [k: string]: unknown;
        };
        export declare type Either = { p: 1 } | { q: 2; r: 3 };
        export declare interface Two extends Base { s: string }
        export declare function run(_x: { t: string }): Two;
        export declare const WORDS: readonly ['u', 'v'];
        export declare type All = One | Two;
        export { }
    ";

    fn names(path: &str) -> Vec<String> {
        let members = Declarations::read(SOURCE).members(path).unwrap();
        members.into_iter().map(|member| member.name).collect()
    }

    #[test]
    fn members_of_a_type_and_of_its_members_are_found() {
        assert_eq!(names("One"), ["a", "b", "f", "h-i", "subtype"]);
        assert_eq!(names("One.b"), ["c", "d"]);
        assert_eq!(names("Either"), ["p", "q", "r"]);
        assert_eq!(names("Two"), ["s"]);
        assert!(Declarations::read(SOURCE).members("None").is_none());
    }

    #[test]
    fn functions_constants_unions_and_literals_are_found() {
        let declarations = Declarations::read(SOURCE);
        assert_eq!(declarations.functions, ["run"]);
        assert_eq!(declarations.constants["WORDS"], ["u", "v"]);
        assert_eq!(declarations.union("All"), ["One", "Two"]);
        assert_eq!(declarations.literal("One", "subtype").as_deref(), Some("one"));
        assert_eq!(declarations.literal("One", "b"), None);
    }
}
