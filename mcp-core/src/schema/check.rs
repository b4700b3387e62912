//! Values held against a schema.

use std::sync::{Arc, OnceLock};

use jsonschema::Validator;
use serde_json::Value;

use super::explain::explain;
use super::plain::Plain;

/// A schema that values are held against.
///
/// The validator takes a good part of a millisecond to make, so it is made on first need; most tools never need it.
#[derive(Clone, Debug)]
pub(super) struct Check {
    schema: Arc<Value>,
    means: Arc<Means>,
}

/// What is made of a schema on first need.
#[derive(Debug, Default)]
struct Means {
    plain: OnceLock<Option<Plain>>,
    validator: OnceLock<Result<Validator, String>>,
}

impl Check {
    pub(super) fn new(schema: Arc<Value>) -> Check {
        Check { schema, means: Arc::default() }
    }

    pub(super) fn schema(&self) -> &Value {
        &self.schema
    }

    /// Every violation, a line each.
    ///
    /// Formats such as `date-time` are left to the types that carry them. A schema that is itself invalid allows nothing.
    pub(super) fn check(&self, value: &Value) -> Result<(), String> {
        if self.means.plain.get_or_init(|| Plain::of(&self.schema)).as_ref().is_some_and(|plain| plain.allows(value)) {
            return Ok(());
        }
        match self.means.validator.get_or_init(|| compile(&self.schema)) {
            Ok(validator) if validator.is_valid(value) => Ok(()),
            Ok(validator) => Err(explain(&self.schema, value, validator.iter_errors(value))),
            Err(reason) => Err(format!("- the tool's own schema is invalid, so nothing can match it: {reason}")),
        }
    }
}

/// Nothing is ever fetched: a reference that leads outside makes the schema invalid.
fn compile(schema: &Value) -> Result<Validator, String> {
    let compiled = jsonschema::options().should_validate_formats(false).build(schema);
    compiled.map_err(|error| {
        tracing::error!(%error, "a tool's schema is invalid");
        error.to_string()
    })
}
