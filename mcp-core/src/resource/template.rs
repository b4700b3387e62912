//! URI templates: which addresses one stands for, and with which variables.
//!
//! Two read templates by these rules: `#[resource("notes://{id}")]` when a program is compiled, and a server when it is asked for an
//! address. So this file is in mcp-macros too, by a link: it names nothing but std.

use std::error::Error;
use std::fmt;

/// A URI template in the words of RFC 6570, as far as an address can be taken apart again without guessing:
/// `{name}` is a part without `/`, `?` and `#`; `{+name}` is anything; `{?a,b}` at the end is a query.
///
/// Matching is plain text search: linear for each variable, no regular expressions.
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
    /// Reads a template; the error says why no address could be taken apart by it.
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

    /// Whether it stands for one address only.
    pub(crate) fn is_fixed(&self) -> bool {
        self.variables().next().is_none()
    }

    /// The names of its variables, in order.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        let in_path = self.parts.iter().filter_map(|part| match part {
            Part::Variable { name, .. } => Some(name.as_str()),
            Part::Literal(_) => None,
        });
        in_path.chain(self.query.iter().map(String::as_str))
    }

    /// The variables of an address, if the template stands for it. Percent-encoding is undone.
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
                    // It reaches to where the literal after it begins: the first place for a part, the last for anything.
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

/// Why no address could be taken apart by a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TemplateError {
    /// A `{` is never closed.
    Unclosed,
    /// A `}` was never opened.
    Unopened,
    /// A query is not the last thing.
    QueryBeforeTheEnd,
    /// Two variables touch each other.
    NothingBetween {
        /// What stands in the braces of the second.
        expression: String,
    },
    /// A variable has no name, or one that is made of other things than letters, digits and `_`.
    Name {
        /// What stands for a name.
        name: String,
    },
    /// Two variables have one name.
    Twice {
        /// The name.
        name: String,
    },
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TemplateError::Unclosed => f.write_str("a `{` is never closed"),
            TemplateError::Unopened => f.write_str("a `}` was never opened"),
            TemplateError::QueryBeforeTheEnd => f.write_str("a query such as `{?a,b}` stands at the end"),
            TemplateError::NothingBetween { expression } => {
                write!(f, "nothing separates `{{{expression}}}` from the variable before it")
            }
            TemplateError::Name { name } => write!(f, "`{name}` is no name of a variable: letters, digits and `_`"),
            TemplateError::Twice { name } => write!(f, "the variable `{name}` stands twice"),
        }
    }
}

impl Error for TemplateError {}

fn variable_name(name: &str) -> Result<String, TemplateError> {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain { Ok(name.to_owned()) } else { Err(TemplateError::Name { name: name.to_owned() }) }
}

/// Undoes percent-encoding; none if what comes out is no text.
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
    fn addresses_are_taken_apart() {
        assert_eq!(matched("notes://{id}", "notes://7").as_deref(), Some("id=7"));
        assert_eq!(matched("a://{x}/b/{y}.txt", "a://1/b/2.txt").as_deref(), Some("x=1 y=2"));
        assert_eq!(matched("file:///{+path}", "file:///a/b%20c?d#e").as_deref(), Some("path=a/b c?d#e"));
        assert_eq!(matched("s://find{?q,n}", "s://find?n=2&q=a%26b").as_deref(), Some("n=2 q=a&b"));
        assert_eq!(matched("s://find{?q,n}", "s://find").as_deref(), Some(""));
        assert_eq!(matched("config://app", "config://app").as_deref(), Some(""));
    }

    #[test]
    fn other_addresses_are_left_alone() {
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
    fn templates_that_cannot_be_taken_apart_are_refused() {
        for template in ["a://{", "a://}", "a://{x}{y}", "a://{x}/{x}", "a://{?q}/b", "a://{a b}", "a://{}"] {
            assert!(Template::parse(template).is_err(), "{template}");
        }
    }

    #[test]
    fn a_hostile_address_costs_linear_time() {
        let uri = format!("a://{}", "x/".repeat(200_000));
        assert_eq!(matched("a://{+a}/b/{+b}/c/{+d}", &uri), None);
    }
}
