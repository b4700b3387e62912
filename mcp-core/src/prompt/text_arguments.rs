//! Arguments that come as text, where a type wants more than text.

use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use crate::jsonrpc::{RawJson, RpcError};
use crate::schema::InputSchema;

/// Reads a `T` from named texts: prompts and addresses know nothing but text, so `7` is a number where one is wanted.
pub(crate) fn decode<'a, T: DeserializeOwned + 'static>(
    schema: &InputSchema,
    texts: impl Iterator<Item = (&'a str, String)>,
) -> Result<T, RpcError> {
    let typed: Map<String, Value> = texts.map(|(name, text)| (name.to_owned(), typed(schema, name, text))).collect();
    let arguments: Box<RawValue> = to_raw_value(&typed).expect("a map with string keys is JSON");
    schema.decode(RawJson::from(&*arguments)).map_err(|refusal| RpcError::invalid_params(refusal.to_text()))
}

/// The text itself, or what it says in JSON if the schema wants no text there.
fn typed(schema: &InputSchema, name: &str, text: String) -> Value {
    if schema.takes_text(name) {
        return Value::String(text);
    }
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_numbers_only_where_they_are_wanted() {
        let schema = InputSchema::from_json(json!({"type": "object", "properties": {
            "text": {"type": "string"}, "count": {"type": "integer"}, "flag": {"type": "boolean"}, "any": {},
        }}));
        let texts =
            [("text", "7"), ("count", "7"), ("flag", "true"), ("any", "7")].map(|(name, text)| (name, text.to_owned()));
        let decoded: Value = decode(&schema, texts.into_iter()).unwrap();
        assert_eq!(decoded, json!({"text": "7", "count": 7, "flag": true, "any": "7"}));
        let refusal = decode::<Value>(&schema, [("count", "many".to_owned())].into_iter()).unwrap_err();
        assert!(refusal.message.contains("count"), "{refusal}");
    }
}
