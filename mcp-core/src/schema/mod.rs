//! JSON Schemas of arguments and structured output: how they are made from types, and how values are validated.
//!
//! Only this module uses schemars and jsonschema. For contributors: `generate.rs` makes a schema from a type. `portable.rs`,
//! `definitions.rs`, `root.rs`, `optional.rs` and `nullable.rs` rewrite it into forms that all clients accept. `closed_objects.rs`
//! closes nested objects. `decode.rs`
//! turns arguments into a value. It validates them first unless the type itself enforces the schema
//! (`type_enforcement.rs`). `explain.rs` turns violations into text for the model.

#[cfg(test)]
mod agreement_tests;
mod alias;
mod allowed_strings;
mod choice_errors;
mod closed_objects;
mod common_keywords;
mod decode;
mod decode_error;
mod decode_errors;
mod definitions;
mod expected;
mod explain;
mod formats;
mod generate;
mod lazy_validator;
mod nullable;
mod optional;
mod output;
mod portable;
mod root;
mod short_text;
mod subschemas;
mod suggestion;
mod type_enforcement;
mod type_trace;
mod undeclared_keys;
mod value_deserializer;
mod whole_floats;

use std::any::{Any, TypeId};
use std::sync::{Arc, LazyLock, OnceLock};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub use self::output::OutputSchema;

use self::lazy_validator::LazyValidator;
use self::type_trace::TracedType;
use crate::jsonrpc::RawJson;
use crate::tool::header_param::HeaderParam;
use crate::tool::result::ToolResult;

/// The schema of a tool's arguments: a JSON Schema whose root is an object.
///
/// The published schema is narrower than what is accepted in one point: an optional argument is published without `null`,
/// but `null` is still accepted if its type is an `Option`.
///
/// ```
/// use mcp_core::json_type;
/// use mcp_core::schema::InputSchema;
/// use mcp_core::serde_json::json;
///
/// #[json_type]
/// struct Search {
///     /// what to look for
///     query: String,
///     limit: Option<u32>,
/// }
///
/// let expected = json!({
///     "type": "object",
///     "properties": {
///         "query": {"type": "string", "description": "what to look for"},
///         "limit": {"type": "integer", "minimum": 0},
///     },
///     "required": ["query"],
/// });
/// assert_eq!(*InputSchema::of::<Search>().as_json(), expected);
/// ```
#[derive(Clone, Debug)]
pub struct InputSchema {
    /// The schema that arguments are validated against.
    accepted: LazyValidator,
    shown: Shown,
    /// The type that arguments were first decoded to, and whether decoding that type enforces the whole schema.
    flat: Arc<OnceLock<(TypeId, bool)>>,
}

/// The schema that clients receive.
#[derive(Clone, Debug)]
enum Shown {
    /// The accepted schema.
    Accepted,
    /// The accepted schema, simplified. Computed on first use.
    Plainly(Arc<OnceLock<Value>>),
    /// The schema as its author wrote it.
    Verbatim(Arc<Value>),
}

impl InputSchema {
    /// Creates the schema of a type.
    pub fn of<T: JsonSchema>() -> InputSchema {
        InputSchema::generated(generate::input_of::<T>())
    }

    fn generated(mut json: Value) -> InputSchema {
        root::settle(&mut json);
        closed_objects::close(&mut json);
        InputSchema::new(json, Shown::Plainly(Arc::default()))
    }

    fn new(accepted: Value, shown: Shown) -> InputSchema {
        InputSchema { accepted: LazyValidator::with_formats(Arc::new(accepted)), shown, flat: Arc::default() }
    }

    /// Uses this schema. Parts that some clients reject are rewritten without changing their meaning, such as `true` to `{}`.
    pub fn from_json(mut json: Value) -> InputSchema {
        portable::make_portable(&mut json);
        root::settle(&mut json);
        InputSchema::new(json, Shown::Accepted)
    }

    /// Uses this schema and sends it to clients unchanged.
    ///
    /// Revision 2026-07-28 allows every keyword of JSON Schema, but many clients and models do not support all of them.
    pub fn verbatim(json: Value) -> InputSchema {
        InputSchema { shown: Shown::Verbatim(Arc::new(json.clone())), ..InputSchema::from_json(json) }
    }

    /// Returns the schema of a tool without arguments.
    pub fn empty() -> InputSchema {
        static EMPTY: LazyLock<InputSchema> = LazyLock::new(|| {
            InputSchema::from_json(json!({"type": "object", "properties": {}, "additionalProperties": false}))
        });
        InputSchema { flat: Arc::default(), ..EMPTY.clone() }
    }

    /// Rejects undeclared properties, unless the schema already has a rule for them.
    ///
    /// Needed for types with a flattened struct, which serde's `deny_unknown_fields` does not support. A flattened map still
    /// receives all undeclared properties.
    #[must_use]
    pub fn closed(self) -> InputSchema {
        let closed = |schema: &Value| {
            let mut schema = schema.clone();
            root::close(&mut schema);
            schema
        };
        let shown = match &self.shown {
            Shown::Accepted => Shown::Accepted,
            Shown::Plainly(_) => Shown::Plainly(Arc::default()),
            Shown::Verbatim(schema) => Shown::Verbatim(Arc::new(closed(schema))),
        };
        InputSchema::new(closed(self.accepted.schema()), shown)
    }

    /// Returns the schema that clients receive.
    pub fn as_json(&self) -> &Value {
        match &self.shown {
            Shown::Accepted => self.accepted.schema(),
            Shown::Plainly(shown) => shown.get_or_init(|| plainly(self.accepted.schema())),
            Shown::Verbatim(shown) => shown,
        }
    }

    /// Returns whether an argument may be a string.
    pub(crate) fn allows_string(&self, name: &str) -> bool {
        allowed_strings::allows_string(self.as_json(), &self.as_json()["properties"][name])
    }

    /// Returns the allowed strings of an argument that is an enum, otherwise an empty list.
    pub(crate) fn choices(&self, name: &str) -> Vec<&str> {
        allowed_strings::choices(self.as_json(), &self.as_json()["properties"][name])
    }

    /// Returns the reason why clients would reject this schema, if there is one. The reason is the same for the simplified schema.
    pub(crate) fn fault(&self) -> Option<String> {
        match &self.shown {
            Shown::Verbatim(shown) => root::illegal(shown),
            Shown::Accepted | Shown::Plainly(_) => root::fault(self.accepted.schema()),
        }
    }

    /// Returns the arguments that clients repeat in headers, or the reason why clients would reject the tool.
    pub(crate) fn header_params(&self) -> Result<Vec<HeaderParam>, String> {
        if matches!(self.shown, Shown::Plainly(_)) && !HeaderParam::mentioned_in(self.accepted.schema()) {
            return Ok(Vec::new());
        }
        HeaderParam::of(self.as_json())
    }

    /// Validates the arguments and decodes them as a `T`.
    pub(crate) fn decode<T: DeserializeOwned + Any>(&self, arguments: RawJson<'_>) -> Result<T, ToolResult> {
        let decoded = match self.is_enforced_by::<T>() {
            true => decode::by_type(&self.accepted, arguments),
            false => decode::by_schema(&self.accepted, arguments),
        };
        decoded.map_err(ToolResult::error)
    }

    /// Validates arguments without knowing their type.
    pub(crate) fn check(&self, arguments: RawJson<'_>) -> Result<(), ToolResult> {
        decode::by_schema_alone(&self.accepted, arguments).map_err(ToolResult::error)
    }

    /// Returns whether decoding a `T` enforces the whole schema, so that no validation is needed.
    fn is_enforced_by<T: DeserializeOwned + Any>(&self) -> bool {
        self.is_flat_for(TypeId::of::<T>(), TracedType::of::<T>())
    }

    #[inline]
    fn is_flat_for(&self, wanted: TypeId, asked: TracedType) -> bool {
        let (known, flat) =
            self.flat.get_or_init(|| (wanted, type_enforcement::type_enforces_schema(asked, self.accepted.schema())));
        *known == wanted && *flat
    }
}

/// Simplifies the schema for clients.
fn plainly(accepted: &Value) -> Value {
    let mut shown = accepted.clone();
    optional::show_plainly(&mut shown);
    nullable::split(&mut shown);
    shown
}
