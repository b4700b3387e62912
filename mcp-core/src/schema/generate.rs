//! Types become schemas.

use std::borrow::Cow;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use super::definitions;
use super::hygiene;

/// What a type is decoded from.
pub(super) fn input_of<T: JsonSchema>() -> Value {
    generate::<T>(SchemaSettings::draft2020_12().for_deserialize())
}

/// What a type is written as.
pub(super) fn output_of<T: JsonSchema>() -> Value {
    generate::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn generate<T: JsonSchema>(settings: SchemaSettings) -> Value {
    tidied(settings, |generator| generator.into_root_schema_for::<T>(), T::schema_name)
}

/// Apart, so that only what asks the type is compiled anew for each of them.
fn tidied(settings: SchemaSettings, make: fn(SchemaGenerator) -> Schema, name: fn() -> Cow<'static, str>) -> Value {
    let mut schema = make(settings.with(|settings| settings.meta_schema = None).into_generator()).to_value();
    if let Some(root) = schema.as_object_mut() {
        // A title that somebody wrote is kept; one that only repeats the type's name tells a model nothing.
        let name = name();
        hygiene::retain(root, |keyword, value| keyword != "title" || value != name.as_ref());
    }
    hygiene::tidy(&mut schema);
    definitions::write_out(&mut schema);
    hygiene::make_portable(&mut schema);
    schema
}
