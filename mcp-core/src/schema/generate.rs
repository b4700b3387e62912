//! Types become schemas.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
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
    let generator = settings.with(|settings| settings.meta_schema = None).into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    if let Some(root) = schema.as_object_mut() {
        // A title that somebody wrote is kept; one that only repeats the type's name tells a model nothing.
        let name = T::schema_name();
        hygiene::retain(root, |keyword, value| keyword != "title" || value != name.as_ref());
    }
    hygiene::tidy(&mut schema);
    definitions::write_out(&mut schema);
    hygiene::make_portable(&mut schema);
    schema
}
