//! Decoding of text arguments into typed values.

use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use crate::jsonrpc::{RawJson, RpcError};
use crate::schema::InputSchema;

/// Decodes a `T` from named texts.
///
/// The arguments of prompts and the variables of URIs are always text. A text is parsed as JSON where the schema does not
/// accept a string.
pub(crate) fn decode<'a, T: DeserializeOwned + 'static>(
    schema: &InputSchema,
    texts: impl Iterator<Item = (&'a str, String)>,
) -> Result<T, RpcError> {
    let typed: Map<String, Value> = texts.map(|(name, text)| (name.to_owned(), typed(schema, name, text))).collect();
    let arguments: Box<RawValue> = to_raw_value(&typed).expect("a map with string keys is JSON");
    schema.decode(RawJson::from(&*arguments)).map_err(|refusal| RpcError::invalid_params(refusal.to_text()))
}

/// Returns the text as a string if the schema accepts one, otherwise the JSON value that it contains.
fn typed(schema: &InputSchema, name: &str, text: String) -> Value {
    if schema.allows_string(name) {
        return Value::String(text);
    }
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_is_parsed_only_where_the_schema_does_not_accept_a_string() {
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
