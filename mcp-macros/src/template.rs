//! URI templates: parsing, and matching of URIs.
//!
//! The same file exists in mcp-core, which matches URIs, and in mcp-macros, which checks `#[resource("notes://{id}")]` at
//! compile time. A test compares both copies. The file uses only std.

use std::error::Error;
use std::fmt;

/// A URI template: the subset of RFC 6570 that can be matched unambiguously.
///
/// `{name}` matches text without `/`, `?` and `#`. `{+name}` matches any text. `{?a,b}` at the end matches a query.
/// Matching is a text search in linear time for each variable, without regular expressions.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Template {
    text: String,
    parts: Vec<Part>,
    query: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Literal(String),
    Variable { name: String, reserved: bool },
}

impl Template {
    /// Parses a template.
    pub(crate) fn parse(text: &str) -> Result<Template, TemplateError> {
        let (mut parts, mut query, mut rest) = (Vec::new(), Vec::new(), text);
        while let Some(open) = rest.find('{') {
            if open > 0 {
                parts.push(Part::Literal(rest[..open].to_owned()));
            }
            let close = rest[open..].find('}').ok_or(TemplateError::Unclosed)? + open;
            let expression = &rest[open + 1..close];
            rest = &rest[close + 1..];
            match expression.strip_prefix('?') {
                Some(names) if rest.is_empty() => query = names.split(',').map(variable_name).collect::<Result<_, _>>()?,
                Some(_) => return Err(TemplateError::QueryBeforeTheEnd),
                None => {
                    let (reserved, name) = expression.strip_prefix('+').map_or((false, expression), |name| (true, name));
                    if matches!(parts.last(), Some(Part::Variable { .. })) {
                        return Err(TemplateError::NothingBetween { expression: expression.to_owned() });
                    }
                    parts.push(Part::Variable { name: variable_name(name)?, reserved });
                }
            }
        }
        if rest.contains('}') {
            return Err(TemplateError::Unopened);
        }
        if !rest.is_empty() {
            parts.push(Part::Literal(rest.to_owned()));
        }
        let template = Template { text: text.to_owned(), parts, query };
        let mut seen = Vec::new();
        for name in template.variables() {
            if seen.contains(&name) {
                return Err(TemplateError::Twice { name: name.to_owned() });
            }
            seen.push(name);
        }
        Ok(template)
    }

    /// Returns whether the template has no variables.
    pub(crate) fn is_fixed(&self) -> bool {
        self.variables().next().is_none()
    }

    /// Returns the names of the variables, in order.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        let in_path = self.parts.iter().filter_map(|part| match part {
            Part::Variable { name, .. } => Some(name.as_str()),
            Part::Literal(_) => None,
        });
        in_path.chain(self.query.iter().map(String::as_str))
    }

    /// Returns the percent-decoded variables of a URI, `None` if the template does not match.
    pub(crate) fn matches(&self, uri: &str) -> Option<Vec<(&str, String)>> {
        let (path, query) = match uri.split_once('?') {
            Some((path, query)) if !self.query.is_empty() => (path, query),
            _ => (uri, ""),
        };
        let mut values = self.match_path(path)?;
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let known = self.query.iter().find(|known| *known == name)?;
            values.push((known.as_str(), decode(value)?));
        }
        Some(values)
    }

    fn match_path<'a>(&'a self, path: &str) -> Option<Vec<(&'a str, String)>> {
        let (mut values, mut rest) = (Vec::new(), path);
        for (index, part) in self.parts.iter().enumerate() {
            match part {
                Part::Literal(literal) => rest = rest.strip_prefix(literal.as_str())?,
                Part::Variable { name, reserved } => {
                    // The value ends at the next literal: at its last occurrence for `{+name}`, at its first for `{name}`.
                    let end = match self.parts.get(index + 1) {
                        Some(Part::Literal(next)) if *reserved => rest.rfind(next.as_str())?,
                        Some(Part::Literal(next)) => rest.find(next.as_str())?,
                        _ => rest.len(),
                    };
                    let value = &rest[..end];
                    if value.is_empty() || (!reserved && value.contains(['/', '?', '#'])) {
                        return None;
                    }
                    values.push((name.as_str(), decode(value)?));
                    rest = &rest[end..];
                }
            }
        }
        rest.is_empty().then_some(values)
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why a template is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TemplateError {
    /// A `{` has no matching `}`.
    Unclosed,
    /// A `}` has no `{`.
    Unopened,
    /// A query expression is not at the end.
    QueryBeforeTheEnd,
    /// Nothing separates two variables.
    NothingBetween {
        /// The expression of the second variable.
        expression: String,
    },
    /// The name of a variable is empty or contains other characters than letters, digits and `_`.
    Name {
        /// The invalid name.
        name: String,
    },
    /// Two variables have the same name.
    Twice {
        /// The name of the variable.
        name: String,
    },
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TemplateError::Unclosed => f.write_str("a `{` is never closed"),
            TemplateError::Unopened => f.write_str("a `}` has no `{`"),
            TemplateError::QueryBeforeTheEnd => f.write_str("a query such as `{?a,b}` must be at the end"),
            TemplateError::NothingBetween { expression } => {
                write!(f, "nothing separates `{{{expression}}}` from the variable before it")
            }
            TemplateError::Name { name } => write!(f, "`{name}` is not a valid variable name: use letters, digits and `_`"),
            TemplateError::Twice { name } => write!(f, "duplicate variable `{name}`"),
        }
    }
}

impl Error for TemplateError {}

fn variable_name(name: &str) -> Result<String, TemplateError> {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain { Ok(name.to_owned()) } else { Err(TemplateError::Name { name: name.to_owned() }) }
}

/// Percent-decodes a text. `None` if the result is not valid UTF-8.
fn decode(text: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let [first, tail @ ..] = rest {
        rest = tail;
        let [high, low, tail @ ..] = tail else {
            bytes.push(*first);
            continue;
        };
        match (first, char::from(*high).to_digit(16), char::from(*low).to_digit(16)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = tail;
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(template: &str, uri: &str) -> Option<String> {
        let template = Template::parse(template).unwrap();
        let values = template.matches(uri)?;
        Some(values.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn variables_are_extracted_from_matching_uris() {
        assert_eq!(matched("notes://{id}", "notes://7").as_deref(), Some("id=7"));
        assert_eq!(matched("a://{x}/b/{y}.txt", "a://1/b/2.txt").as_deref(), Some("x=1 y=2"));
        assert_eq!(matched("file:///{+path}", "file:///a/b%20c?d#e").as_deref(), Some("path=a/b c?d#e"));
        assert_eq!(matched("s://find{?q,n}", "s://find?n=2&q=a%26b").as_deref(), Some("n=2 q=a&b"));
        assert_eq!(matched("s://find{?q,n}", "s://find").as_deref(), Some(""));
        assert_eq!(matched("config://app", "config://app").as_deref(), Some(""));
    }

    #[test]
    fn other_uris_do_not_match() {
        for (template, uri) in [
            ("notes://{id}", "notes://"),
            ("notes://{id}", "notes://1/2"),
            ("notes://{id}", "notes://%ff"),
            ("notes://{id}/x", "notes://1/y"),
            ("s://find{?q}", "s://find?other=1"),
            ("config://app", "config://app2"),
        ] {
            assert_eq!(matched(template, uri), None, "{template} {uri}");
        }
    }

    #[test]
    fn invalid_templates_are_rejected() {
        for template in ["a://{", "a://}", "a://{x}{y}", "a://{x}/{x}", "a://{?q}/b", "a://{a b}", "a://{}"] {
            assert!(Template::parse(template).is_err(), "{template}");
        }
    }

    #[test]
    fn a_hostile_uri_is_matched_in_linear_time() {
        let uri = format!("a://{}", "x/".repeat(200_000));
        assert_eq!(matched("a://{+a}/b/{+b}/c/{+d}", &uri), None);
    }
}
