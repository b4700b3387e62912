//! What a token says.

use mcp_core::Principal;
use serde::Deserialize;
use serde_json::{Map, Value};

/// What a token says of whom it speaks for. Tools get it with `cx.principal()?.details::<Claims>()`.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Claims {
    /// Who issued it.
    pub iss: String,
    /// Whom it speaks for; a program that acts in its own name may have only a `client_id`.
    pub sub: Option<String>,
    /// The program that it was given to.
    pub client_id: Option<String>,
    /// All else.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl Claims {
    /// Whom they speak for, or nobody if they name nobody.
    pub(crate) fn into_principal(self) -> Option<Principal> {
        let name = self.sub.as_ref().or(self.client_id.as_ref()).filter(|name| !name.is_empty())?;
        // An issuer is an address, in which no space stands, so no other pair has this name.
        let principal = Principal::new(format!("{} {name}", self.iss)).scopes(self.scopes());
        Some(principal.with_details(self))
    }

    /// The scopes: one text (RFC 9068), or the list that some issuers write instead.
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
