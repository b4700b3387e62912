//! The public items of the agent crates, read from their source.
//!
//! The source is read as tokens, so that the items inside of declarative macros such as `view!` are found too.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The folders of the crates that are compared, in the workspace.
pub const AGENT_CRATES: [&str; 3] = ["crates/mcp-agent", "crates/mcp-agent-history", "crates/mcp-agent-tools"];

/// The public items of some crates.
#[derive(Debug, Clone, Default)]
pub struct Items {
    /// `Type::method`, `Type.field`, `Type::Variant`, and the names of types, functions and constants.
    names: BTreeSet<String>,
    /// The fields of each struct, as they are named in JSON. Two structs of the same name are kept apart.
    fields: BTreeMap<String, Vec<BTreeSet<String>>>,
    /// The strings, with their quotes, and the names in the body of each `Type::method`.
    bodies: BTreeMap<String, BTreeSet<String>>,
}

impl Items {
    /// Reads the source of the crates in these folders.
    ///
    /// # Errors
    /// If a file cannot be read or is not Rust.
    pub fn read(folders: impl IntoIterator<Item = PathBuf>) -> io::Result<Self> {
        let mut items = Self::default();
        for folder in folders {
            items.folder(&folder.join("src"))?;
        }
        Ok(items)
    }

    /// Returns whether there is an item of this name: a type, a function, a constant, `Type::method`, `Type::Variant` or
    /// `Type.field`.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns the names in JSON of the fields of a struct, or of the variants of that name taken together.
    #[must_use]
    pub fn fields(&self, name: &str) -> Option<BTreeSet<String>> {
        Some(self.fields.get(name)?.iter().flatten().cloned().collect())
    }

    /// Returns the names in JSON that a method can send: the strings in its body, and the fields of the structs in it.
    #[must_use]
    pub fn sent_by(&self, method: &str) -> BTreeSet<String> {
        let body = self.bodies.get(method).into_iter().flatten();
        body.flat_map(|word| match word.strip_prefix('"') {
            Some(text) => BTreeSet::from([text.trim_end_matches('"').to_owned()]),
            None => self.fields(word).unwrap_or_default(),
        })
        .collect()
    }

    fn folder(&mut self, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                self.folder(&path)?;
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                self.source(&fs::read_to_string(&path)?)
                    .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
            }
        }
        Ok(())
    }

    fn source(&mut self, text: &str) -> Result<(), String> {
        let stream: TokenStream = text.parse().map_err(|error: proc_macro2::LexError| error.to_string())?;
        self.stream(stream, None);
        Ok(())
    }

    /// Reads tokens. `case` is set inside of a macro that spells the names of all fields in another way.
    fn stream(&mut self, stream: TokenStream, case: Option<Case>) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let mut attributes = Vec::new();
        let mut at = 0;
        while at < trees.len() {
            let word = word(&trees[at]);
            match word.as_deref() {
                Some("struct" | "enum" | "trait" | "type") => {
                    let kind = word.as_deref().unwrap_or_default();
                    let case = case.or_else(|| Case::of(&attributes));
                    at = self.type_(kind, &trees, at + 1, case);
                    attributes.clear();
                    continue;
                }
                Some("fn" | "const" | "static" | "mod") => {
                    if let Some(name) = trees.get(at + 1).and_then(self::word) {
                        self.names.insert(name);
                    }
                }
                Some("impl") => {
                    at = self.implementation(&trees, at + 1);
                    attributes.clear();
                    continue;
                }
                _ => {}
            }
            match &trees[at] {
                TokenTree::Punct(mark) if mark.as_char() == '#' => {
                    attributes.extend(trees.get(at + 1).map(ToString::to_string));
                    at += 2;
                    continue;
                }
                TokenTree::Punct(mark) if mark.as_char() == ';' => attributes.clear(),
                TokenTree::Group(group) => {
                    let case = macro_case(&trees, at).or(case);
                    if is_event(&trees, at) {
                        self.event(&trees, at, group.stream());
                    }
                    self.stream(group.stream(), case);
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Reads a type after its keyword and returns the position behind it.
    fn type_(&mut self, kind: &str, trees: &[TokenTree], at: usize, case: Option<Case>) -> usize {
        let Some(name) = trees.get(at).and_then(word) else { return at };
        self.names.insert(name.clone());
        for (at, tree) in trees.iter().enumerate().skip(at + 1) {
            match tree {
                TokenTree::Punct(mark) if mark.as_char() == ';' => return at,
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    match kind {
                        "struct" => self.fields_of(&name, group.stream(), case),
                        "enum" => self.variants_of(&name, group.stream(), case),
                        _ => self.methods_of(&name, group.stream()),
                    }
                    self.stream(group.stream(), None);
                    return at + 1;
                }
                _ => {}
            }
        }
        trees.len()
    }

    /// Reads an `impl` after its keyword and returns the position behind it.
    fn implementation(&mut self, trees: &[TokenTree], start: usize) -> usize {
        let mut name = String::new();
        let mut depth = 0_usize;
        for (at, tree) in trees.iter().enumerate().skip(start) {
            match tree {
                TokenTree::Punct(mark) if mark.as_char() == '<' => depth += 1,
                TokenTree::Punct(mark) if mark.as_char() == '>' => depth = depth.saturating_sub(1),
                TokenTree::Ident(ident) if depth == 0 && ident == "where" => depth = usize::MAX / 2,
                TokenTree::Ident(ident) if depth == 0 && ident != "for" => name = ident.to_string(),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    self.methods_of(&name, group.stream());
                    self.stream(group.stream(), None);
                    return at + 1;
                }
                TokenTree::Punct(mark) if mark.as_char() == ';' => return at,
                _ => {}
            }
        }
        trees.len()
    }

    fn methods_of(&mut self, name: &str, stream: TokenStream) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let mut method = String::new();
        for (at, tree) in trees.iter().enumerate() {
            if let Some("fn" | "const") = word(tree).as_deref()
                && let Some(name_of_it) = trees.get(at + 1).and_then(word)
                && name_of_it != "fn"
            {
                method = format!("{name}::{name_of_it}");
                self.names.insert(method.clone());
            }
            if let TokenTree::Group(group) = tree
                && !method.is_empty()
            {
                words_in(group.stream(), self.bodies.entry(method.clone()).or_default());
            }
        }
    }

    fn variants_of(&mut self, name: &str, stream: TokenStream, case: Option<Case>) {
        let mut fields = BTreeSet::new();
        let mut attributes = Vec::new();
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        for (at, tree) in trees.iter().enumerate() {
            match tree {
                TokenTree::Ident(ident) => drop(self.names.insert(format!("{name}::{ident}"))),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => attributes.push(group.to_string()),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let case = Case::of(&attributes).or(case).filter(|case| *case == Case::Camel);
                    fields.extend(self.field_names(name, group.stream(), case));
                }
                TokenTree::Punct(mark) if mark.as_char() == ',' && at > 0 => attributes.clear(),
                _ => {}
            }
        }
        if !fields.is_empty() {
            self.fields.entry(name.to_owned()).or_default().push(fields);
        }
    }

    fn fields_of(&mut self, name: &str, stream: TokenStream, case: Option<Case>) {
        let fields = self.field_names(name, stream, case);
        self.fields.entry(name.to_owned()).or_default().push(fields);
    }

    /// Returns the names in JSON of the fields between braces.
    fn field_names(&mut self, name: &str, stream: TokenStream, case: Option<Case>) -> BTreeSet<String> {
        let mut fields = BTreeSet::new();
        let mut attributes = Vec::new();
        let mut depth = 0_usize;
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        for (at, tree) in trees.iter().enumerate() {
            match tree {
                TokenTree::Punct(mark) if mark.as_char() == '<' => depth += 1,
                TokenTree::Punct(mark) if mark.as_char() == '>' => depth = depth.saturating_sub(1),
                TokenTree::Punct(mark) if matches!(mark.as_char(), ',' | ';') && depth == 0 => attributes.clear(),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket && depth == 0 => {
                    attributes.push(group.to_string());
                }
                TokenTree::Ident(ident) if depth == 0 && is_field(&trees, at) => {
                    let field = ident.to_string().trim_start_matches("r#").to_owned();
                    self.names.insert(format!("{name}.{field}"));
                    let renamed = attributes.iter().find_map(|attribute| renamed(attribute));
                    fields.insert(renamed.unwrap_or_else(|| if case.is_some() { camel(&field) } else { field }));
                }
                _ => {}
            }
        }
        fields
    }

    /// Reads an event of the macro `events!`: `Name -> Output { .. }`.
    fn event(&mut self, trees: &[TokenTree], at: usize, stream: TokenStream) {
        let arrow = trees[..at].iter().rposition(|tree| matches!(tree, TokenTree::Punct(mark) if mark.as_char() == '-'));
        if let Some(name) = arrow.and_then(|arrow| word(trees.get(arrow.checked_sub(1)?)?)) {
            self.names.insert(name.clone());
            self.fields_of(&name, stream, None);
        }
    }
}

/// How the names of fields are spelled in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    Camel,
}

impl Case {
    fn of(attributes: &[String]) -> Option<Self> {
        attributes.iter().any(|attribute| attribute.contains("rename_all = \"camelCase\"")).then_some(Self::Camel)
    }
}

/// The case of the fields in a macro that sets it for all of its structs.
fn macro_case(trees: &[TokenTree], at: usize) -> Option<Case> {
    let name = word(trees.get(at.checked_sub(2)?)?)?;
    let is_macro = matches!(&trees[at - 1], TokenTree::Punct(mark) if mark.as_char() == '!');
    (is_macro && matches!(name.as_str(), "outputs" | "settings")).then_some(Case::Camel)
}

/// Whether a group in braces follows `Name -> Type`.
fn is_event(trees: &[TokenTree], at: usize) -> bool {
    let is_brace = matches!(&trees[at], TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let mark = |back: usize, expected: char| {
        at.checked_sub(back).is_some_and(|at| matches!(&trees[at], TokenTree::Punct(mark) if mark.as_char() == expected))
    };
    is_brace && mark(2, '>') && mark(3, '-')
}

/// Collects the names and the strings in some tokens.
fn words_in(stream: TokenStream, words: &mut BTreeSet<String>) {
    for tree in stream {
        match tree {
            TokenTree::Ident(ident) => drop(words.insert(ident.to_string())),
            TokenTree::Literal(literal) => drop(words.insert(literal.to_string())),
            TokenTree::Group(group) => words_in(group.stream(), words),
            TokenTree::Punct(_) => {}
        }
    }
}

fn is_field(trees: &[TokenTree], at: usize) -> bool {
    let mark = |at: usize| match trees.get(at) {
        Some(TokenTree::Punct(mark)) => Some(mark.as_char()),
        _ => None,
    };
    mark(at + 1) == Some(':') && mark(at + 2) != Some(':') && (at == 0 || mark(at - 1) != Some(':'))
}

fn word(tree: &TokenTree) -> Option<String> {
    match tree {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    }
}

/// The name in an attribute `[serde(rename = "name")]`.
fn renamed(attribute: &str) -> Option<String> {
    let (_, name) = attribute.split_once("rename = \"")?;
    Some(name.split_once('"')?.0.to_owned())
}

/// Spells a name in camel case, as serde does.
fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut name, part| {
        let mut chars = part.chars();
        name.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        name.push_str(chars.as_str());
        name
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r#"
        view! {
            /// A view.
            pub struct Reply checked by Reply::check { /// One.
                one: u64, #[serde(rename = "twoWords")] two_words: BTreeMap<String, Vec<u8>>, }
        }
        events! { /// An event.
            Started -> ContextOutput { source: String, } Ended -> NoOutput {} }
        outputs! { pub struct Output { more_context: String, } }
        #[derive(Serialize)] #[serde(rename_all = "camelCase")]
        pub struct Plain { pub some_field: u8, r#type: Option<String> }
        pub enum Answer { Yes, #[serde(rename_all = "camelCase")] No { the_reason: String } }
        impl<T: Into<String>> From<T> for Reply where T: Clone { fn from(x: T) -> Self { f("mcp_call") } }
        impl Reply { pub const MAX: u8 = 1; pub async fn run(&self) { let moved = 1; send("go", json!({"to": moved}), Plain {}) } }
        pub fn query() {}
    "#;

    #[test]
    fn items_are_found_also_in_macros() {
        let mut items = Items::default();
        items.source(SOURCE).unwrap();
        for name in ["Reply", "Reply.one", "Reply::run", "Reply::MAX", "Answer::No", "query", "Started", "Ended", "Plain"] {
            assert!(items.has(name), "{name}");
        }
        assert!(!items.has("Reply::walk"));
        let sent = items.sent_by("Reply::run");
        assert!(sent.contains("to") && sent.contains("someField") && !sent.contains("moreContext"), "{sent:?}");
        assert!(!sent.contains("moved"), "the name of a variable is not sent: {sent:?}");
        let fields = |name: &str| items.fields(name).unwrap().into_iter().collect::<Vec<_>>();
        assert_eq!(fields("Reply"), ["one", "twoWords"]);
        assert_eq!(fields("Plain"), ["someField", "type"]);
        assert_eq!(fields("Output"), ["moreContext"]);
        assert_eq!(fields("Answer"), ["theReason"]);
        assert_eq!(fields("Started"), ["source"]);
    }
}
