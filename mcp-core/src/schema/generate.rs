//! Generation of schemas from types.

use std::borrow::Cow;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use super::definitions;
use super::portable;

/// Generates the schema of what a type deserializes from.
pub(super) fn input_of<T: JsonSchema>() -> Value {
    generate::<T>(SchemaSettings::draft2020_12().for_deserialize())
}

/// Generates the schema of what a type serializes to.
pub(super) fn output_of<T: JsonSchema>() -> Value {
    generate::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn generate<T: JsonSchema>(settings: SchemaSettings) -> Value {
    tidied(settings, |generator| generator.into_root_schema_for::<T>(), T::schema_name)
}

/// Not generic, so that it is compiled only once.
fn tidied(settings: SchemaSettings, make: fn(SchemaGenerator) -> Schema, name: fn() -> Cow<'static, str>) -> Value {
    let mut schema = make(settings.with(|settings| settings.meta_schema = None).into_generator()).to_value();
    if let Some(root) = schema.as_object_mut() {
        // A title that only repeats the type's name is removed; other titles are kept.
        let name = name();
        portable::retain(root, |keyword, value| keyword != "title" || value != name.as_ref());
    }
    portable::tidy(&mut schema);
    definitions::write_out(&mut schema);
    portable::make_portable(&mut schema);
    schema
}
