//! Validation of values against a schema.

use std::sync::{Arc, OnceLock};

use jsonschema::Validator;
use serde_json::Value;

use super::common_keywords::CommonKeywords;
use super::explain::explain;
use super::formats;

/// A schema with its validator.
///
/// Building the validator takes up to a millisecond, so it is built on first use. Most tools never need it.
#[derive(Clone, Debug)]
pub(super) struct LazyValidator {
    schema: Arc<Value>,
    /// Whether strings must have the format that the schema names.
    has_formats: bool,
    validators: Arc<Validators>,
}

/// Validators of a schema, built on first use.
#[derive(Debug, Default)]
struct Validators {
    plain: OnceLock<Option<CommonKeywords>>,
    validator: OnceLock<Result<Validator, String>>,
}

impl LazyValidator {
    /// Validates without the keyword `format`, for output: what a type serializes to is what its author wants to send.
    pub(super) fn new(schema: Arc<Value>) -> LazyValidator {
        LazyValidator { schema, has_formats: false, validators: Arc::default() }
    }

    /// Validates with the keyword `format`, for arguments.
    pub(super) fn with_formats(schema: Arc<Value>) -> LazyValidator {
        LazyValidator { has_formats: true, ..LazyValidator::new(schema) }
    }

    pub(super) fn schema(&self) -> &Value {
        &self.schema
    }

    /// Validates a value. The error has one line for each violation.
    ///
    /// An invalid schema allows nothing.
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
        match self.validators.validator.get_or_init(|| compile(&self.schema, self.has_formats)) {
            Ok(validator) if validator.is_valid(value) => Ok(()),
            Ok(validator) => Err(explain(&self.schema, value, validator.iter_errors(value))),
            Err(reason) => Err(format!("- the schema of the tool is invalid, so no value can match it: {reason}")),
        }
    }
}

/// Builds the validator. Nothing is fetched: an external reference makes the schema invalid.
fn compile(schema: &Value, has_formats: bool) -> Result<Validator, String> {
    let options = jsonschema::options().should_validate_formats(has_formats).with_format("uri", formats::is_uri);
    let compiled = options.build(schema);
    compiled.map_err(|error| {
        tracing::error!(%error, "a tool's schema is invalid");
        error.to_string()
    })
}
