//! Tools whose schemas use uncommon keywords.

use mcp_core::{Context, ToolSpec, Toolset, tool, tool_fn};
use serde_json::{Value, json};

/// Return the region of the request. Clients repeat it in an HTTP header, so that proxies can route by it.
#[tool(read_only)]
pub fn test_custom_header(
    /// such as `eu-west`
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: Option<String>,
) -> String {
    format!("region: {}", region.as_deref().unwrap_or("none"))
}

/// Creates a tool whose schema has keywords that many clients drop.
pub fn json_schema_2020_12_tool() -> impl Toolset {
    let text = || json!({"type": "string"});
    let spec =
        ToolSpec::new("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features").verbatim_input_schema(json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {"address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": text(), "city": text()},
            }},
            "properties": {
                "name": text(),
                "address": {"$ref": "#/$defs/address"},
                "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                "phone": text(),
                "email": text(),
            },
            "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
            "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
            "then": {"required": ["phone"]},
            "else": {"required": ["email"]},
            "additionalProperties": false,
        }));
    tool_fn(spec, |arguments: Value, _: Context| async move { arguments.to_string() })
}
