//! Parses the header `WWW-Authenticate`.

use http::header::{HeaderMap, WWW_AUTHENTICATE};

use super::scopes::Scopes;

/// The parameters of the `Bearer` challenge of a response (RFC 6750 and RFC 9728).
#[derive(Debug, Default, PartialEq)]
pub(super) struct Bearer {
    pub(super) error: Option<String>,
    pub(super) scopes: Option<Scopes>,
    pub(super) resource_metadata: Option<String>,
}

impl Bearer {
    /// Parses the challenge. Invalid parts of the header are ignored.
    pub(super) fn of(headers: &HeaderMap) -> Bearer {
        let mut bearer = Bearer::default();
        for value in headers.get_all(WWW_AUTHENTICATE).iter().filter_map(|value| value.to_str().ok()) {
            for (name, value) in bearer_parameters(value) {
                match name.as_str() {
                    "error" => bearer.error.get_or_insert(value),
                    "resource_metadata" => bearer.resource_metadata.get_or_insert(value),
                    "scope" => {
                        bearer.scopes.get_or_insert_with(|| Scopes::parse(&value));
                        continue;
                    }
                    _ => continue,
                };
            }
        }
        bearer
    }
}

/// Returns the parameters of the scheme `Bearer`. One header can have challenges of several schemes, separated by commas.
fn bearer_parameters(mut rest: &str) -> Vec<(String, String)> {
    let mut parameters = Vec::new();
    let mut is_bearer = false;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if rest.is_empty() {
            return parameters;
        }
        let (word, after) = rest.split_at(rest.find(|c| !is_token(c)).unwrap_or(rest.len()));
        if word.is_empty() {
            // Not a token: skip one character.
            rest = rest.get(rest.chars().next().map_or(1, char::len_utf8)..).unwrap_or_default();
        } else if let Some(value) = after.trim_start().strip_prefix('=') {
            let (value, after) = read_value(value.trim_start());
            if is_bearer {
                parameters.push((word.to_ascii_lowercase(), value));
            }
            rest = after;
        } else {
            is_bearer = word.eq_ignore_ascii_case("bearer");
            rest = after;
        }
    }
}

/// Reads a token or a quoted string. Returns it and the rest of the text.
fn read_value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let (token, rest) = text.split_at(text.find(|c| !is_token(c)).unwrap_or(text.len()));
        return (token.to_owned(), rest);
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            _ => value.push(character),
        }
    }
    (value, "")
}

fn is_token(character: char) -> bool {
    character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~/:".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(value: &'static str) -> Bearer {
        Bearer::of(&HeaderMap::from_iter([(WWW_AUTHENTICATE, http::HeaderValue::from_static(value))]))
    }

    #[test]
    fn the_parameters_of_a_bearer_challenge_are_read() {
        let bearer = parse(r#"Bearer error="insufficient_scope", scope="a b",resource_metadata = "https://x/y", other=1"#);
        assert_eq!(bearer.error.as_deref(), Some("insufficient_scope"));
        assert_eq!(bearer.scopes, Some(Scopes::parse("a b")));
        assert_eq!(bearer.resource_metadata.as_deref(), Some("https://x/y"));
    }

    #[test]
    fn challenges_of_other_schemes_are_ignored() {
        let bearer = parse(r#"Basic realm="a, Bearer scope=no", Negotiate abc==, bearer scope=yes, DPoP scope="no""#);
        assert_eq!(bearer.scopes, Some(Scopes::parse("yes")));
    }

    #[test]
    fn broken_headers_give_what_can_be_read() {
        for (value, scope) in
            [("", None), ("Bearer scope=\"a", Some("a")), ("Bearer ==\"\\\"", None), ("Bearer scope=\"\\\"", Some(""))]
        {
            assert_eq!(parse(value).scopes, scope.map(Scopes::parse), "{value}");
        }
    }
}
