//! The claims of a token.

use mcp_core::Principal;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The claims of a token. Tools get them with `cx.principal()?.details::<Claims>()`.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Claims {
    /// The issuer of the token.
    pub iss: String,
    /// The subject. A program that acts in its own name may have only a `client_id`.
    pub sub: Option<String>,
    /// The client that the token was issued to.
    pub client_id: Option<String>,
    /// All other claims.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl Claims {
    /// Returns the principal; `None` if the claims have no subject and no client.
    pub(crate) fn into_principal(self) -> Option<Principal> {
        let name = self.sub.as_ref().or(self.client_id.as_ref()).filter(|name| !name.is_empty())?;
        // An issuer is a URL, which has no spaces, so no other pair of issuer and subject gives the same name.
        let principal = Principal::new(format!("{} {name}", self.iss)).scopes(self.scopes());
        Some(principal.with_details(self))
    }

    /// Returns the scopes: a string with spaces (RFC 9068), or a list, which some issuers use instead.
    fn scopes(&self) -> Vec<String> {
        let texts = ["scope", "scp"].into_iter().filter_map(|key| self.rest.get(key));
        let words = texts.flat_map(|value| match value {
            Value::String(text) => text.split_ascii_whitespace().map(str::to_owned).collect(),
            Value::Array(list) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        });
        words.collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn principal(claims: Value) -> Option<Principal> {
        serde_json::from_value::<Claims>(claims).unwrap().into_principal()
    }

    #[test]
    fn scopes_are_a_string_or_a_list() {
        let one = principal(json!({"iss": "https://i", "sub": "ada", "scope": "read  write"})).unwrap();
        assert_eq!((one.owner(), one.has_scope("read"), one.has_scope("write")), ("https://i ada", true, true));
        let list = principal(json!({"iss": "https://i", "sub": "ada", "scp": ["read", 7]})).unwrap();
        assert!(list.has_scope("read") && !list.has_scope("write"));
    }

    #[test]
    fn claims_without_a_subject_have_no_principal() {
        assert!(principal(json!({"iss": "https://i"})).is_none());
        assert!(principal(json!({"iss": "https://i", "sub": ""})).is_none());
        assert_eq!(principal(json!({"iss": "https://i", "client_id": "robot"})).unwrap().owner(), "https://i robot");
    }
}
