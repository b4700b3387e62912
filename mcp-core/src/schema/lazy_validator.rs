//! Validation of values against a schema.

use std::sync::{Arc, OnceLock};

use jsonschema::Validator;
use serde_json::Value;

use super::common_keywords::CommonKeywords;
use super::explain::explain;

/// A schema with its validator.
///
/// Building the validator takes up to a millisecond, so it is built on first use. Most tools never need it.
#[derive(Clone, Debug)]
pub(super) struct LazyValidator {
    schema: Arc<Value>,
    validators: Arc<Validators>,
}

/// Validators of a schema, built on first use.
#[derive(Debug, Default)]
struct Validators {
    plain: OnceLock<Option<CommonKeywords>>,
    validator: OnceLock<Result<Validator, String>>,
}

impl LazyValidator {
    pub(super) fn new(schema: Arc<Value>) -> LazyValidator {
        LazyValidator { schema, validators: Arc::default() }
    }

    pub(super) fn schema(&self) -> &Value {
        &self.schema
    }

    /// Validates a value. The error has one line for each violation.
    ///
    /// Formats such as `date-time` are not checked here, but by the types that represent them. An invalid schema allows nothing.
    pub(super) fn check(&self, value: &Value) -> Result<(), String> {
        if self
            .validators
            .plain
            .get_or_init(|| CommonKeywords::of(&self.schema))
            .as_ref()
            .is_some_and(|plain| plain.allows(value))
        {
            return Ok(());
        }
        match self.validators.validator.get_or_init(|| compile(&self.schema)) {
            Ok(validator) if validator.is_valid(value) => Ok(()),
            Ok(validator) => Err(explain(&self.schema, value, validator.iter_errors(value))),
            Err(reason) => Err(format!("- the schema of the tool is invalid, so no value can match it: {reason}")),
        }
    }
}

/// Builds the validator. Nothing is fetched: an external reference makes the schema invalid.
fn compile(schema: &Value) -> Result<Validator, String> {
    let compiled = jsonschema::options().should_validate_formats(false).build(schema);
    compiled.map_err(|error| {
        tracing::error!(%error, "a tool's schema is invalid");
        error.to_string()
    })
}
