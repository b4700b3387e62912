//! Expands variables: `${VAR}` and `${VAR:-default}`.

use std::fmt;

/// A variable that has neither a value nor a default.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnsetVariable {
    /// The name of the variable.
    pub variable: String,
}

impl fmt::Display for UnsetVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the variable {} is not set and has no default", self.variable)
    }
}

impl std::error::Error for UnsetVariable {}

/// Returns the names of the variables in a text.
pub(crate) fn variables(text: &str) -> Vec<String> {
    let names = std::cell::RefCell::new(Vec::new());
    // Every variable is looked up, so the names can be noted there.
    let _ = expand(text, &|name| {
        names.borrow_mut().push(name.to_owned());
        Some("x".to_owned())
    });
    names.into_inner()
}

/// Replaces variables by their values. Values are not expanded again.
///
/// As in shells, the default after `:-` is also used if the variable is set but empty. Text that is not a variable,
/// such as `$5` or `${a b}`, is kept unchanged.
pub(super) fn expand(text: &str, value: &dyn Fn(&str) -> Option<String>) -> Result<String, UnsetVariable> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        expanded.push_str(&rest[..at]);
        let inner = &rest[at + 2..];
        let Some((variable, after)) = inner.split_once('}').filter(|(variable, _)| is_variable(variable)) else {
            expanded.push_str("${");
            rest = inner;
            continue;
        };
        let (name, default) = match variable.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (variable, None),
        };
        match (value(name).filter(|value| default.is_none() || !value.is_empty()), default) {
            (Some(value), _) => expanded.push_str(&value),
            (None, Some(default)) => expanded.push_str(default),
            (None, None) => return Err(UnsetVariable { variable: name.to_owned() }),
        }
        rest = after;
    }
    expanded.push_str(rest);
    Ok(expanded)
}

fn is_variable(text: &str) -> bool {
    let name = text.split_once(":-").map_or(text, |(name, _)| name);
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(name: &str) -> Option<String> {
        match name {
            "HOME" => Some("/home/me".into()),
            "EMPTY" => Some(String::new()),
            "NESTED" => Some("${HOME}".into()),
            _ => None,
        }
    }

    #[test]
    fn variables_and_defaults_are_expanded_and_other_text_is_kept() {
        let table = [
            ("${HOME}/bin", "/home/me/bin"),
            ("a${EMPTY}b", "ab"),
            ("${NO:-x}${NO:-}", "x"),
            ("${EMPTY:-x}", "x"),
            ("${HOME:-x}", "/home/me"),
            ("${NO:-http://a:1/?b=c}", "http://a:1/?b=c"),
            ("${NESTED}", "${HOME}"),
            ("$HOME ${} ${a b} ${1} $$ ${HOME", "$HOME ${} ${a b} ${1} $$ ${HOME"),
            ("ä${HOME}ß", "ä/home/meß"),
        ];
        for (text, expected) in table {
            assert_eq!(expand(text, &value).as_deref(), Ok(expected), "{text}");
        }
        assert_eq!(expand("a ${NO} b", &value), Err(UnsetVariable { variable: "NO".into() }));
    }

    proptest! {
        #[test]
        fn text_without_variables_is_unchanged(text in "[^$]{0,20}|\\$[a-z]{0,5}|[a-z ${}:-]{0,12}") {
            let expanded = expand(&text, &|name| Some(format!("<{name}>")));
            if !text.contains("${") {
                prop_assert_eq!(expanded, Ok(text));
            }
        }
    }
}
