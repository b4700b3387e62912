//! Arguments of tools that clients repeat in HTTP headers.

use serde_json::Value;

/// The key that asks for it in the schema of an argument.
const KEY: &str = "x-mcp-header";

/// An argument of a tool that HTTP clients repeat in a header, for those who route requests without reading them.
///
/// The schema of the argument asks for it with `"x-mcp-header": "Region"`; a client of 2026-07-28 then sends
/// `Mcp-Param-Region` along. The HTTP transport holds the header against the argument.
///
/// ```
/// use mcp_core::{Context, Server, ToolSpec, serde_json::{Value, json}, tool_fn};
///
/// let schema = json!({"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}});
/// let query = tool_fn(ToolSpec::new("query", "Query.").input_schema(schema), |_: Value, _: Context| async { "done" });
/// let server = Server::new("database", "1.0.0").tools(query).build()?;
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
    /// The name of the header, without `Mcp-Param-`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The keys that lead to the argument, from the outermost.
    pub fn path(&self) -> &[String] {
        &self.path
    }

    /// Whether a schema asks for any.
    pub(crate) fn mentioned_in(schema: &Value) -> bool {
        mentions(schema)
    }

    /// Those that a schema asks for, or why clients would refuse the tool.
    pub(crate) fn of(schema: &Value) -> Result<Vec<HeaderParam>, String> {
        let mut found = Vec::new();
        collect(schema, &mut Vec::new(), &mut found)?;
        for (index, param) in found.iter().enumerate() {
            if found[..index].iter().any(|other| other.name.eq_ignore_ascii_case(&param.name)) {
                return Err(format!("two arguments want the header `{}`", param.name));
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
                return Err(format!("`{KEY}` may stand only on properties, not below `{key}`"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The name that an argument asks for, if it may.
fn name(schema: &Value, name: &Value, path: &[String]) -> Result<String, String> {
    let place = path.join(".");
    let Some(name) = name.as_str().filter(|name| !name.is_empty() && name.bytes().all(is_token)) else {
        return Err(format!("the `{KEY}` of `{place}` is no name of a header: {name}"));
    };
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect(),
        only => only.as_str().into_iter().collect(),
    };
    match types[..] {
        ["string" | "integer" | "boolean"] if !path.is_empty() => Ok(name.to_owned()),
        _ => Err(format!("`{place}` cannot be sent in a header: only a string, an integer or a boolean can")),
    }
}

/// What RFC 9110 allows in the name of a header.
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
    fn what_clients_would_refuse_is_refused_first() {
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
