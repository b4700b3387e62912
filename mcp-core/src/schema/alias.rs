//! Serde aliases of arguments.
//!
//! With `#[serde(alias = "q")]` a type accepts a key that its schema does not declare. Validation would reject the key, or
//! would not check its value. So aliases are replaced by the declared names before validation. Only the type knows its
//! aliases: given an alias and the declared name together, it reports a duplicate field.
//!
//! Known limit: an untagged enum hides that error, so aliases inside of one are treated as unknown keys.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::decode_error::DecodeError;
use super::undeclared_keys::{self, Step, Undeclared};
use super::value_deserializer::{Notes, ValueDeserializer};

/// Deserializes the type and returns the error, if there is one.
type Ask = fn(ValueDeserializer<'_>) -> Option<DecodeError>;

/// The maximum number of trial decodings for one call. Without it, a type that accepts all keys could cause any number.
const MOST_QUESTIONS: usize = 256;
/// The maximum total size of the arguments of all trial decodings for one call.
const MOST_BYTES: usize = 16 << 20;

/// Replaces each alias by the name in the schema. `None` if there are none. `size` is the length of the value as text.
pub(super) fn with_schema_names(ask: Ask, schema: &Value, value: &Value, size: usize) -> Option<Value> {
    let mut places = undeclared_keys::find(schema, value);
    if places.is_empty() {
        return None;
    }
    // A key whose value the type ignores is not an alias. An error does not matter here: decoding reports it later.
    let notes = Notes::default();
    let _ = ask(ValueDeserializer { value, notes: &notes });
    let ignored = notes.ignored.into_inner();
    for place in &mut places {
        place.members.retain(|(_, member)| !ignored.contains(&std::ptr::from_ref(*member)));
    }
    let questions = (MOST_BYTES / size.max(1)).clamp(1, MOST_QUESTIONS);
    let mut names = Names { ask, known: known_only(value, &places), questions, answers: HashMap::new() };
    let mut unknown = Vec::new();
    for place in &places {
        for (key, member) in &place.members {
            if !names.rename(place, key, member) {
                unknown.push((&place.path, *key, *member));
            }
        }
    }
    if names.answers.values().all(Option::is_none) {
        return None;
    }
    for (path, key, member) in unknown {
        insert(&mut names.known, path, key, member);
    }
    Some(names.known)
}

/// The state of the renaming.
struct Names<'a> {
    ask: Ask,
    /// The value without the unknown keys that are not yet renamed. They could cause an error before the tested key is reached.
    known: Value,
    questions: usize,
    /// The known results, by path and key. Paths omit array indexes, so that each key is tested once for all items.
    answers: HashMap<(Vec<Option<&'a str>>, &'a str), Option<&'a str>>,
}

impl<'a> Names<'a> {
    /// Inserts a member under its name in the schema, if it has one.
    fn rename(&mut self, place: &Undeclared<'a>, key: &'a str, member: &Value) -> bool {
        let shape = place.path.iter().map(|step| match step {
            Step::Key(key) => Some(*key),
            Step::Index(_) => None,
        });
        let question = (shape.collect(), key);
        let name = match self.answers.get(&question) {
            Some(name) => *name,
            None if self.questions == 0 => None,
            None => {
                let name = place.names.iter().copied().find(|name| self.is_alias(&place.path, key, name, member));
                self.answers.insert(question, name);
                name
            }
        };
        if let Some(name) = name {
            insert(&mut self.known, &place.path, name, member);
        }
        name.is_some()
    }

    /// Returns whether `key` and `name` are the same field of the type.
    fn is_alias(&mut self, path: &[Step<'_>], key: &str, name: &str, member: &Value) -> bool {
        let Some(left) = self.questions.checked_sub(1) else {
            return false;
        };
        self.questions = left;
        let mut both = self.known.clone();
        insert(&mut both, path, key, member);
        insert(&mut both, path, name, member);
        let refusal = (self.ask)(ValueDeserializer { value: &both, notes: &Notes::default() });
        refusal.is_some_and(|error| error.duplicate == Some(name))
    }
}

/// Returns the value without the undeclared keys.
fn known_only(value: &Value, places: &[Undeclared<'_>]) -> Value {
    let mut known = value.clone();
    for place in places {
        if let Some(object) = object_at(&mut known, &place.path) {
            // `shift_remove` would take time in proportion to all keys, for each key.
            let undeclared: HashSet<&str> = place.members.iter().map(|(key, _)| *key).collect();
            object.retain(|key, _| !undeclared.contains(key.as_str()));
        }
    }
    known
}

fn insert(value: &mut Value, path: &[Step<'_>], key: &str, member: &Value) {
    if let Some(object) = object_at(value, path) {
        object.insert(key.to_owned(), member.clone());
    }
}

fn object_at<'a>(value: &'a mut Value, path: &[Step<'_>]) -> Option<&'a mut Map<String, Value>> {
    let found = path.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get_mut(*key),
        Step::Index(index) => value.get_mut(*index),
    });
    found?.as_object_mut()
}
