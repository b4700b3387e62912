//! The arguments of a function as a list of types, for functions whose parameters have no serde or schemars attributes.
//!
//! Replaces derives for each function by shared code, which reduces compile time. The list consists of nested pairs,
//! `(A, (B, ()))`, so that it can have any length.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::argument_schema;
use super::decode_list::{DecodeList, read};

/// The names, descriptions and defaults of the arguments of a function.
#[derive(Debug)]
pub struct ArgumentInfo {
    pub names: &'static [&'static str],
    /// The doc comment of each argument, empty if it has none.
    pub docs: &'static [&'static str],
    /// The JSON defaults of the arguments that have one.
    pub defaults: &'static [fn() -> Value],
}

impl ArgumentInfo {
    /// Removes the first argument, which has no default.
    fn rest(&self) -> ArgumentInfo {
        ArgumentInfo { names: &self.names[1..], docs: &self.docs[1..], defaults: self.defaults }
    }
}

/// A function with these argument names.
pub trait HasArgumentInfo: 'static {
    const INFO: ArgumentInfo;
}

/// The arguments of `N`, whose types are in the list `L`.
#[allow(missing_debug_implementations, reason = "taken apart by generated code")]
pub struct ArgumentList<N, L> {
    pub list: L,
    of: PhantomData<N>,
}

/// A list whose first argument has a default and is therefore optional.
#[allow(missing_debug_implementations, reason = "taken apart by generated code")]
pub struct WithDefault<A, L>(pub Option<A>, pub L);

impl<'de, N: HasArgumentInfo, L: DecodeList<'de>> Deserialize<'de> for ArgumentList<N, L> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ArgumentList<N, L>, D::Error> {
        Ok(ArgumentList { list: read::<N, L, D>(deserializer)?, of: PhantomData })
    }
}

impl<N: HasArgumentInfo, L: Describe> JsonSchema for ArgumentList<N, L> {
    fn schema_name() -> Cow<'static, str> {
        concat!(module_path!(), "::ArgumentList").into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = schemars::json_schema!({"type": "object", "additionalProperties": false});
        L::describe(&mut schema, generator, N::INFO);
        schema
    }
}

/// A list whose types have schemas.
pub trait Describe {
    fn describe(schema: &mut Schema, generator: &mut SchemaGenerator, names: ArgumentInfo);
}
impl Describe for () {
    fn describe(_: &mut Schema, _: &mut SchemaGenerator, _: ArgumentInfo) {}
}
impl<A: JsonSchema, L: Describe> Describe for (A, L) {
    fn describe(schema: &mut Schema, generator: &mut SchemaGenerator, names: ArgumentInfo) {
        argument_schema::add::<A>(schema, generator, names.names[0], names.docs[0], None);
        L::describe(schema, generator, names.rest());
    }
}
impl<A: JsonSchema, L: Describe> Describe for WithDefault<A, L> {
    fn describe(schema: &mut Schema, generator: &mut SchemaGenerator, names: ArgumentInfo) {
        argument_schema::add::<A>(schema, generator, names.names[0], names.docs[0], Some(names.defaults[0]()));
        L::describe(schema, generator, ArgumentInfo { defaults: &names.defaults[1..], ..names.rest() });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema::InputSchema;

    #[derive(Debug, Deserialize, JsonSchema, PartialEq)]
    struct Point {
        /// from the left
        x: i64,
    }

    #[derive(Debug, Deserialize, JsonSchema, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Derived {
        /// # How many
        ///
        /// At least one.
        count: u8,
        at: Point,
        #[serde(default)]
        #[schemars(extend("default" = seven()))]
        limit: Option<u8>,
        /// where else
        others: Vec<Point>,
        note: Option<String>,
        any: Value,
    }

    struct Function;

    impl HasArgumentInfo for Function {
        const INFO: ArgumentInfo = ArgumentInfo {
            names: &["count", "at", "limit", "others", "note", "any"],
            docs: &["# How many\n\nAt least one.", "", "", "where else", "", ""],
            defaults: &[seven],
        };
    }

    type List = (u8, (Point, WithDefault<Option<u8>, (Vec<Point>, (Option<String>, (Value, ())))>));

    fn seven() -> Value {
        json!(7)
    }

    fn listed(text: &str) -> Result<Derived, String> {
        let ArgumentList { list, .. } =
            serde_json::from_str::<ArgumentList<Function, List>>(text).map_err(|error| error.to_string())?;
        let (count, (at, WithDefault(limit, (others, (note, (any, ())))))) = list;
        Ok(Derived { count, at, limit: limit.flatten(), others, note, any })
    }

    #[test]
    fn a_list_has_the_schema_of_a_derived_struct() {
        let (list, derived) = (InputSchema::of::<ArgumentList<Function, List>>(), InputSchema::of::<Derived>());
        assert_eq!(list.as_json().to_string(), derived.as_json().to_string());
    }

    #[test]
    fn a_list_decodes_like_a_derived_struct() {
        for text in [
            r#"{"count": 1, "at": {"x": 2}, "limit": 3, "others": [{"x": 4}], "note": "5", "any": [6]}"#,
            r#"{"any": null, "others": [], "at": {"x": 2}, "count": 1}"#,
            r#"{"any": null, "others": [], "at": {"x": 2}, "count": 1, "limit": null, "note": null}"#,
            r#"{"count": 1}"#,
            r#"{"count": 1, "at": {"x": 2}, "others": []}"#,
            r#"{"count": 1, "count": 2}"#,
            r#"{"limit": 1, "limit": null}"#,
            r#"{"count": 256}"#,
            r#"{"count": null}"#,
            r#"{"at": {}}"#,
            r#"{"more": 1}"#,
            r#"{"": 1}"#,
            "{}",
        ] {
            let derived: Result<Derived, _> = serde_json::from_str(text).map_err(|error| error.to_string());
            assert_eq!(listed(text), derived, "{text}");
        }
    }
}
