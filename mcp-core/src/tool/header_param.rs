//! Tool arguments that clients repeat in HTTP headers.

use serde_json::Value;

/// The schema keyword that requests a header.
const KEY: &str = "x-mcp-header";

/// A tool argument that HTTP clients repeat in a header, so that a proxy can route the request without parsing its body.
///
/// The schema of the argument requests the header with `"x-mcp-header": "Region"`. A client of revision 2026-07-28 then sends
/// the argument also as `Mcp-Param-Region`. The HTTP transport checks that header and argument match.
///
/// ```
/// use mcp_core::{Context, Server, ToolSpec, serde_json::{Value, json}, tool_fn};
///
/// let schema = json!({"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}});
/// let query = tool_fn(ToolSpec::new("query", "Query.").input_schema(schema), |_: Value, _: Context| async { "done" });
/// let server = Server::builder("database", "1.0.0").tools(query).build()?;
/// let params = server.header_params("query");
/// assert_eq!((params[0].name(), params[0].path()), ("Region", &["region".to_owned()][..]));
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderParam {
    name: String,
    path: Vec<String>,
}

impl HeaderParam {
    /// Returns the name of the header without the prefix `Mcp-Param-`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the path of the argument: the keys that lead to it, outermost first.
    pub fn path(&self) -> &[String] {
        &self.path
    }

    /// Returns whether a schema requests a header.
    pub(crate) fn mentioned_in(schema: &Value) -> bool {
        mentions(schema)
    }

    /// Returns the header parameters of an input schema.
    ///
    /// # Errors
    /// The reason why clients reject a tool with this schema.
    pub fn of(schema: &Value) -> Result<Vec<HeaderParam>, String> {
        let mut found = Vec::new();
        collect(schema, &mut Vec::new(), &mut found)?;
        for (index, param) in found.iter().enumerate() {
            if found[..index].iter().any(|other| other.name.eq_ignore_ascii_case(&param.name)) {
                return Err(format!(
                    "two arguments have the same `{KEY}` `{}`: header names are case-insensitive",
                    param.name
                ));
            }
        }
        Ok(found)
    }
}

fn collect(schema: &Value, path: &mut Vec<String>, found: &mut Vec<HeaderParam>) -> Result<(), String> {
    for (key, value) in schema.as_object().into_iter().flatten() {
        match key.as_str() {
            KEY => found.push(HeaderParam { name: name(schema, value, path)?, path: path.clone() }),
            "properties" => {
                for (property, schema) in value.as_object().into_iter().flatten() {
                    path.push(property.clone());
                    collect(schema, path, found)?;
                    path.pop();
                }
            }
            // These hold data, not schemas.
            "default" | "examples" | "enum" | "const" => {}
            _ if mentions(value) => {
                return Err(format!("`{KEY}` is allowed only on properties, not inside `{key}`"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the header name of an argument, or the reason why it is invalid.
fn name(schema: &Value, name: &Value, path: &[String]) -> Result<String, String> {
    let place = path.join(".");
    let Some(name) = name.as_str().filter(|name| !name.is_empty() && name.bytes().all(is_token)) else {
        return Err(format!("the `{KEY}` of `{place}` is not a valid header name: {name}"));
    };
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect(),
        only => only.as_str().into_iter().collect(),
    };
    match types[..] {
        ["string" | "integer" | "boolean"] if !path.is_empty() => Ok(name.to_owned()),
        _ => Err(format!("`{place}` cannot have `{KEY}`: its type must be string, integer or boolean")),
    }
}

/// Returns whether RFC 9110 allows the byte in a header name.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn mentions(value: &Value) -> bool {
    match value {
        Value::Object(object) => object.iter().any(|(key, value)| key == KEY || mentions(value)),
        Value::Array(items) => items.iter().any(mentions),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_are_found_at_any_depth_of_properties() {
        let region = json!({"type": "string", "x-mcp-header": "Region"});
        let schema = json!({"properties": {"where": {"properties": {"region": region}}, "what": {"type": "string"}}});
        let found = HeaderParam::of(&schema).unwrap();
        assert_eq!(found, [HeaderParam { name: "Region".into(), path: vec!["where".into(), "region".into()] }]);
    }

    #[test]
    fn schemas_that_clients_would_reject_are_rejected() {
        let refused = [
            json!({"properties": {"a": {"type": "number", "x-mcp-header": "A"}}}),
            json!({"properties": {"a": {"type": "string", "x-mcp-header": ""}}}),
            json!({"properties": {"a": {"type": "string", "x-mcp-header": "a b"}}}),
            json!({"properties": {"a": {"type": "string", "x-mcp-header": 1}}}),
            json!({"properties": {"a": {"items": {"type": "string", "x-mcp-header": "A"}}}}),
            json!({"anyOf": [{"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}]}),
            json!({"type": "string", "x-mcp-header": "Root"}),
            json!({"properties": {
                "a": {"type": "string", "x-mcp-header": "A"},
                "b": {"type": "string", "x-mcp-header": "a"},
            }}),
        ];
        for schema in refused {
            assert!(HeaderParam::of(&schema).is_err(), "{schema}");
        }
    }
}
