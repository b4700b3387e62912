//! Validation by the most common keywords, without jsonschema.
//!
//! Building a jsonschema validator takes up to a millisecond and two megabytes, mostly to check the schema against the
//! meta-schema. This module accepts only values that jsonschema accepts too. If it does not accept a value, or if the schema
//! has other keywords, jsonschema decides.

use serde_json::{Map, Number, Value};

/// Integers up to this one are exact as floats.
const MAX_EXACT_INTEGER: u64 = 1 << f64::MANTISSA_DIGITS;

/// The parsed keywords of a schema.
#[derive(Debug, Default)]
pub(super) struct CommonKeywords {
    /// The allowed types, `None` for all.
    types: Option<Vec<Type>>,
    /// The allowed values, `None` for all.
    values: Option<Vec<Value>>,
    least: Option<f64>,
    most: Option<f64>,
    /// The allowed lengths: of a string in characters, of an array in items.
    length: Lengths,
    count: Lengths,
    items: Option<Box<CommonKeywords>>,
    properties: Vec<(String, CommonKeywords)>,
    required: Vec<String>,
    /// The schema of undeclared properties.
    others: Option<Box<CommonKeywords>>,
    /// Whether the schema is `false`, which allows nothing.
    is_false: bool,
    any_of: Option<Vec<CommonKeywords>>,
    /// Whether strings must have a format. jsonschema checks it.
    has_format: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Type {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

#[derive(Debug, Default)]
struct Lengths {
    least: Option<u64>,
    most: Option<u64>,
}

impl CommonKeywords {
    /// Parses a schema. `None` if it has other keywords or may be invalid: use jsonschema then.
    pub(super) fn of(schema: &Value) -> Option<CommonKeywords> {
        let mut plain = CommonKeywords::default();
        match schema {
            Value::Bool(allows) => plain.is_false = !allows,
            Value::Object(schema) => schema.iter().try_for_each(|(keyword, value)| plain.add(keyword, value))?,
            _ => return None,
        }
        Some(plain)
    }

    fn add(&mut self, keyword: &str, value: &Value) -> Option<()> {
        match keyword {
            "type" => self.types = Some(types(value)?),
            "enum" => self.values = Some(value.as_array()?.clone()),
            "minimum" => self.least = Some(exact(value.as_number()?)?),
            "maximum" => self.most = Some(exact(value.as_number()?)?),
            "minLength" => self.length.least = Some(value.as_u64()?),
            "maxLength" => self.length.most = Some(value.as_u64()?),
            "minItems" => self.count.least = Some(value.as_u64()?),
            "maxItems" => self.count.most = Some(value.as_u64()?),
            "items" => self.items = Some(Box::new(CommonKeywords::of(value)?)),
            "properties" => {
                let named =
                    value.as_object()?.iter().map(|(name, schema)| Some((name.clone(), CommonKeywords::of(schema)?)));
                self.properties = named.collect::<Option<_>>()?;
            }
            "required" => self.required = names(value.as_array()?)?,
            "additionalProperties" => self.others = Some(Box::new(CommonKeywords::of(value)?)),
            "anyOf" => {
                let branches = value.as_array().filter(|branches| !branches.is_empty())?;
                self.any_of = Some(branches.iter().map(CommonKeywords::of).collect::<Option<_>>()?);
            }
            "title" | "description" | "$comment" => _ = value.as_str()?,
            "format" => self.has_format = value.as_str().is_some(),
            "deprecated" | "readOnly" | "writeOnly" => _ = value.as_bool()?,
            "examples" => _ = value.as_array()?,
            "default" => {}
            _ => return None,
        }
        Some(())
    }

    /// Returns `true` if the schema certainly allows the value. `false` means that jsonschema must decide.
    pub(super) fn allows(&self, value: &Value) -> bool {
        !self.is_false
            && self.types.as_ref().is_none_or(|types| types.iter().any(|allowed| allowed.has(value)))
            && self.values.as_ref().is_none_or(|values| values.contains(value))
            && match value {
                Value::Null | Value::Bool(_) => true,
                Value::Number(number) => self.allows_number(number),
                Value::String(text) => !self.has_format && self.length.allow(|| text.chars().count()),
                Value::Array(items) => {
                    let rules = self.items.as_ref();
                    self.count.allow(|| items.len()) && rules.is_none_or(|rules| items.iter().all(|item| rules.allows(item)))
                }
                Value::Object(members) => self.allows_members(members),
            }
            && self.any_of.as_ref().is_none_or(|branches| branches.iter().any(|branch| branch.allows(value)))
    }

    fn allows_number(&self, number: &Number) -> bool {
        if self.least.is_none() && self.most.is_none() {
            return true;
        }
        let Some(number) = exact(number) else {
            return false;
        };
        self.least.is_none_or(|least| number >= least) && self.most.is_none_or(|most| number <= most)
    }

    fn allows_members(&self, members: &Map<String, Value>) -> bool {
        let rules_of = |name: &str| self.properties.iter().find(|(known, _)| known == name).map(|(_, rules)| rules);
        self.required.iter().all(|name| members.contains_key(name))
            && members
                .iter()
                .all(|(name, value)| rules_of(name).or(self.others.as_deref()).is_none_or(|rules| rules.allows(value)))
    }
}

impl Type {
    fn named(name: &Value) -> Option<Type> {
        Some(match name.as_str()? {
            "null" => Type::Null,
            "boolean" => Type::Boolean,
            "integer" => Type::Integer,
            "number" => Type::Number,
            "string" => Type::String,
            "array" => Type::Array,
            "object" => Type::Object,
            _ => return None,
        })
    }

    fn has(self, value: &Value) -> bool {
        match value {
            Value::Null => self == Type::Null,
            Value::Bool(_) => self == Type::Boolean,
            // A float without a fraction is an integer too, but that case is left to jsonschema.
            Value::Number(number) => self == Type::Number || (self == Type::Integer && (number.is_i64() || number.is_u64())),
            Value::String(_) => self == Type::String,
            Value::Array(_) => self == Type::Array,
            Value::Object(_) => self == Type::Object,
        }
    }
}

impl Lengths {
    fn allow(&self, length: impl FnOnce() -> usize) -> bool {
        if self.least.is_none() && self.most.is_none() {
            return true;
        }
        let length = length() as u64;
        self.least.is_none_or(|least| length >= least) && self.most.is_none_or(|most| length <= most)
    }
}

/// Parses one type or a list of distinct types.
fn types(value: &Value) -> Option<Vec<Type>> {
    let Value::Array(names) = value else {
        return Some(vec![Type::named(value)?]);
    };
    let types: Vec<Type> = names.iter().map(Type::named).collect::<Option<_>>()?;
    (!types.is_empty() && all_differ(&types)).then_some(types)
}

fn names(values: &[Value]) -> Option<Vec<String>> {
    let names: Vec<String> = values.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<_>>()?;
    all_differ(&names).then_some(names)
}

fn all_differ<T: PartialEq>(items: &[T]) -> bool {
    items.iter().enumerate().all(|(index, item)| !items[..index].contains(item))
}

/// Converts a number to a float, if that is exact.
fn exact(number: &Number) -> Option<f64> {
    if number.is_f64() || number.as_i64().is_some_and(|integer| integer.unsigned_abs() <= MAX_EXACT_INTEGER) {
        return number.as_f64();
    }
    None
}

#[cfg(test)]
mod tests;
