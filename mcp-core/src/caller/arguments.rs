//! The arguments of a typed call, as a list of nested pairs: `(A, (B, ()))`.

use serde::Serialize;
use serde_json::{Map, Value};

/// A list of arguments that can be sent.
pub trait ArgumentValues {
    /// Adds the arguments to an object. `names` has a name for each of them.
    ///
    /// # Errors
    /// The name of the argument that cannot be serialized as JSON, and the reason.
    fn add_to(self, names: &[&str], object: &mut Map<String, Value>) -> Result<(), String>;
}

impl ArgumentValues for () {
    fn add_to(self, _: &[&str], _: &mut Map<String, Value>) -> Result<(), String> {
        Ok(())
    }
}

impl<A: ArgumentValue, L: ArgumentValues> ArgumentValues for (A, L) {
    fn add_to(self, names: &[&str], object: &mut Map<String, Value>) -> Result<(), String> {
        let (name, names) = names.split_first().expect("each argument has a name");
        self.0.add_to(name, object).map_err(|reason| format!("the argument `{name}` cannot be sent: {reason}"))?;
        self.1.add_to(names, object)
    }
}

/// An argument that can be sent.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be sent as an argument: it does not implement `Serialize`",
    label = "the arguments of this call cannot be sent",
    note = "put `#[mcp_core::json_type]` or `#[derive(serde::Serialize)]` on `{Self}`, or on the type inside it that has none"
)]
pub trait ArgumentValue {
    /// Adds the argument to an object.
    ///
    /// # Errors
    /// The reason why it cannot be serialized as JSON.
    fn add_to(self, name: &str, object: &mut Map<String, Value>) -> Result<(), String>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> ArgumentValue for T {
    fn add_to(self, name: &str, object: &mut Map<String, Value>) -> Result<(), String> {
        object.insert(name.to_owned(), to_json(&self)?);
        Ok(())
    }
}

/// An argument that has a default: `None` is not sent.
#[derive(Debug)]
pub struct IfGiven<T>(pub Option<T>);

impl<T: ArgumentValue> ArgumentValue for IfGiven<T> {
    fn add_to(self, name: &str, object: &mut Map<String, Value>) -> Result<(), String> {
        self.0.map_or(Ok(()), |value| value.add_to(name, object))
    }
}

/// An optional argument: `null` is not sent.
#[derive(Debug)]
pub struct NotNull<T>(pub T);

impl<T: ArgumentValue> ArgumentValue for NotNull<T> {
    fn add_to(self, name: &str, object: &mut Map<String, Value>) -> Result<(), String> {
        self.0.add_to(name, object)?;
        object.remove(name).filter(|value| !value.is_null()).map(|value| object.insert(name.to_owned(), value));
        Ok(())
    }
}

/// An argument whose members are arguments themselves.
#[derive(Debug)]
pub struct Flattened<T>(pub T);

impl<T: ArgumentValue> ArgumentValue for Flattened<T> {
    fn add_to(self, name: &str, object: &mut Map<String, Value>) -> Result<(), String> {
        let mut own = Map::new();
        self.0.add_to(name, &mut own)?;
        match own.remove(name) {
            Some(Value::Object(members)) => object.extend(members),
            None | Some(Value::Null) => {}
            Some(other) => return Err(format!("it is flattened, so it must be an object, and it is {other}")),
        }
        Ok(())
    }
}

fn to_json(value: &impl Serialize) -> Result<Value, String> {
    serde_json::to_value(value).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sent(names: &[&str], list: impl ArgumentValues) -> Result<Value, String> {
        let mut object = Map::new();
        list.add_to(names, &mut object).map(|()| Value::Object(object))
    }

    #[test]
    fn arguments_are_sent_by_name() {
        assert_eq!(sent(&["a", "b"], (1, ("x", ()))), Ok(json!({"a": 1, "b": "x"})));
    }

    #[test]
    fn an_absent_optional_argument_is_not_sent() {
        let list = (NotNull(None::<u8>), (NotNull(Some(2)), ()));
        assert_eq!(sent(&["a", "b"], list), Ok(json!({"b": 2})));
    }

    #[test]
    fn an_argument_with_a_default_can_be_null_or_absent() {
        let list = (IfGiven(Some(None::<u8>)), (IfGiven(None::<u8>), ()));
        assert_eq!(sent(&["a", "b"], list), Ok(json!({"a": null})));
    }

    #[test]
    fn the_members_of_a_flattened_argument_are_sent() {
        let list = (Flattened(json!({"x": 1, "y": 2})), (Flattened(None::<Value>), (3, ())));
        assert_eq!(sent(&["point", "other", "z"], list), Ok(json!({"x": 1, "y": 2, "z": 3})));
        let refused = sent(&["point"], (Flattened(5), ())).unwrap_err();
        assert_eq!(refused, "the argument `point` cannot be sent: it is flattened, so it must be an object, and it is 5");
    }

    #[test]
    fn an_argument_that_is_not_json_is_named() {
        let list = (std::collections::HashMap::from([((1, 2), 3)]), ());
        assert_eq!(sent(&["grid"], list).unwrap_err(), "the argument `grid` cannot be sent: key must be a string");
    }
}
