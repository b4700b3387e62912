//! JSON Schemas of arguments and structured output: how they are made from types, and how values are validated.
//!
//! Only this module uses schemars and jsonschema. For contributors: `generate.rs` makes a schema from a type. `hygiene.rs`,
//! `definitions.rs`, `root.rs`, `optional.rs` and `nullable.rs` rewrite it into forms that all clients accept. `decode.rs`
//! turns arguments into a value. It validates them first unless the type itself enforces the schema (`flat.rs`). `explain.rs`
//! turns violations into text for the model.

#[cfg(test)]
mod agreement;
mod alias;
mod check;
mod choice;
mod decode;
mod definitions;
mod expected;
mod explain;
mod flat;
mod generate;
mod glimpse;
mod hygiene;
mod nearest;
mod node;
mod nullable;
mod number;
mod optional;
mod output;
mod plain;
mod quick;
mod refusal;
mod root;
mod subschemas;
mod text;
mod trace;
mod undeclared;

use std::any::{Any, TypeId};
use std::sync::{Arc, LazyLock, OnceLock};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub use self::output::OutputSchema;

use self::check::Check;
use self::trace::Asked;
use crate::jsonrpc::RawJson;
use crate::tool::header_param::HeaderParam;
use crate::tool::result::ToolResult;

/// What a tool takes: a JSON Schema whose root is an object, and the means to decode what it allows.
///
/// What clients see is narrower than what is accepted in one point: an argument that may be missing is shown without `null`,
/// and `null` is taken for it all the same if its type is an `Option`.
///
/// ```
/// use mcp_core::schema::InputSchema;
/// use mcp_core::serde_json::json;
/// # use mcp_core::{schemars, serde};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// # #[serde(crate = "mcp_core::serde")] #[schemars(crate = "mcp_core::schemars")]
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
    /// What is accepted.
    accepted: Check,
    shown: Shown,
    /// The type that arguments were first decoded to, and whether decoding that type enforces the whole schema.
    flat: Arc<OnceLock<(TypeId, bool)>>,
}

/// What clients see.
#[derive(Clone, Debug)]
enum Shown {
    /// What is accepted.
    Accepted,
    /// What is accepted, in plainer words; made when the first client asks.
    Plainly(Arc<OnceLock<Value>>),
    /// As it was written, portable or not.
    Verbatim(Arc<Value>),
}

impl InputSchema {
    /// The schema of a type's fields.
    pub fn of<T: JsonSchema>() -> InputSchema {
        InputSchema::generated(generate::input_of::<T>())
    }

    fn generated(mut json: Value) -> InputSchema {
        root::settle(&mut json);
        InputSchema::new(json, Shown::Plainly(Arc::default()))
    }

    fn new(accepted: Value, shown: Shown) -> InputSchema {
        InputSchema { accepted: Check::new(Arc::new(accepted)), shown, flat: Arc::default() }
    }

    /// This schema; only what some clients refuse is written otherwise, such as `true` for `{}`.
    pub fn from_json(mut json: Value) -> InputSchema {
        hygiene::make_portable(&mut json);
        root::settle(&mut json);
        InputSchema::new(json, Shown::Accepted)
    }

    /// This schema, word for word, for clients that are known to take it.
    ///
    /// 2026-07-28 allows every keyword of JSON Schema; many clients and models do not.
    pub fn verbatim(json: Value) -> InputSchema {
        InputSchema { shown: Shown::Verbatim(Arc::new(json.clone())), ..InputSchema::from_json(json) }
    }

    /// No arguments.
    pub fn empty() -> InputSchema {
        static EMPTY: LazyLock<InputSchema> = LazyLock::new(|| {
            InputSchema::from_json(json!({"type": "object", "properties": {}, "additionalProperties": false}))
        });
        InputSchema { flat: Arc::default(), ..EMPTY.clone() }
    }

    /// The same schema, refusing what it does not name, unless it says already what becomes of that.
    ///
    /// For arguments with a flattened struct, where serde cannot refuse by itself; a flattened map goes on to keep the rest.
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

    /// The schema as clients see it.
    pub fn as_json(&self) -> &Value {
        match &self.shown {
            Shown::Accepted => self.accepted.schema(),
            Shown::Plainly(shown) => shown.get_or_init(|| plainly(self.accepted.schema())),
            Shown::Verbatim(shown) => shown,
        }
    }

    /// Whether an argument may be a text.
    pub(crate) fn takes_text(&self, name: &str) -> bool {
        text::takes_text(self.as_json(), &self.as_json()["properties"][name])
    }

    /// The texts that an argument may be, where it names them all.
    pub(crate) fn choices(&self, name: &str) -> Vec<&str> {
        text::choices(self.as_json(), &self.as_json()["properties"][name])
    }

    /// Why no client would accept this schema, if so. Plainer words make no difference to that.
    pub(crate) fn fault(&self) -> Option<String> {
        match &self.shown {
            Shown::Verbatim(shown) => root::illegal(shown),
            Shown::Accepted | Shown::Plainly(_) => root::fault(self.accepted.schema()),
        }
    }

    /// The arguments that clients repeat in headers, or why they would refuse the tool.
    pub(crate) fn header_params(&self) -> Result<Vec<HeaderParam>, String> {
        if matches!(self.shown, Shown::Plainly(_)) && !HeaderParam::mentioned_in(self.accepted.schema()) {
            return Ok(Vec::new());
        }
        HeaderParam::of(self.as_json())
    }

    /// The arguments as a `T`.
    pub(crate) fn decode<T: DeserializeOwned + Any>(&self, arguments: RawJson<'_>) -> Result<T, ToolResult> {
        let decoded = match self.is_flat::<T>() {
            true => decode::by_type(&self.accepted, arguments),
            false => decode::by_schema(&self.accepted, arguments),
        };
        decoded.map_err(ToolResult::error)
    }

    /// Holds arguments against the schema before their type is known.
    pub(crate) fn check(&self, arguments: RawJson<'_>) -> Result<(), ToolResult> {
        decode::by_schema_alone(&self.accepted, arguments).map_err(ToolResult::error)
    }

    /// Whether decoding a `T` enforces all that the schema says.
    fn is_flat<T: DeserializeOwned + Any>(&self) -> bool {
        self.is_flat_for(TypeId::of::<T>(), Asked::of::<T>())
    }

    #[inline]
    fn is_flat_for(&self, wanted: TypeId, asked: Asked) -> bool {
        let (known, flat) = self.flat.get_or_init(|| (wanted, flat::is_flat(asked, self.accepted.schema())));
        *known == wanted && *flat
    }
}

/// The same schema as clients are shown it.
fn plainly(accepted: &Value) -> Value {
    let mut shown = accepted.clone();
    optional::show_plainly(&mut shown);
    nullable::split(&mut shown);
    shown
}
