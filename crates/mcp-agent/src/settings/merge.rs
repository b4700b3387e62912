//! Merges settings as the CLI does. Does no I/O.

use serde_json::{Map, Value};

/// Merges settings of a higher layer into those of lower ones: objects key by key, lists one after the other without duplicates,
/// anything else replaced.
pub(crate) fn merge(base: &mut Value, more: &Value) {
    match (base, more) {
        (Value::Object(base), Value::Object(more)) => merge_objects(base, more),
        (Value::Array(base), Value::Array(more)) => {
            let new: Vec<Value> = more.iter().filter(|item| !base.contains(item)).cloned().collect();
            base.extend(new);
        }
        (base, more) => *base = more.clone(),
    }
}

/// Merges the settings of a higher layer into those of lower ones.
pub(crate) fn merge_objects(base: &mut Map<String, Value>, more: &Map<String, Value>) {
    for (key, value) in more {
        merge(base.entry(key.clone()).or_insert(Value::Null), value);
    }
}
