//! Arguments under another of their names.
//!
//! `#[serde(alias = "q")]` lets a type take a key that its schema does not know, so the schema would refuse the key, or would let
//! its value pass unseen. Before validation such keys get the name that the schema knows. Which one that is only the type can
//! tell: given both names at once, it complains that the field is there twice.
//!
//! Known limit: an untagged enum swallows that complaint, so aliases inside of one are unknown keys.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::node::{Ignored, Node};
use super::refusal::Refusal;
use super::undeclared::{self, Step, Undeclared};

/// Why the type in question would refuse a value, if so.
type Ask = fn(Node<'_>) -> Option<Refusal>;

/// The most questions that one call may put to its type; a type that keeps whatever it does not know invites any number.
const MOST_QUESTIONS: usize = 256;
/// The most bytes of arguments that all questions of a call may repeat.
const MOST_BYTES: usize = 16 << 20;

/// The value with every alias replaced by the name in the schema, if there are any; `size` is its length as text.
pub(super) fn with_schema_names(ask: Ask, schema: &Value, value: &Value, size: usize) -> Option<Value> {
    let mut places = undeclared::find(schema, value);
    if places.is_empty() {
        return None;
    }
    // What the type does not look at is no alias. A refusal does not matter here: it comes up again when decoding.
    let ignored = Ignored::default();
    let _ = ask(Node { value, ignored: &ignored });
    let ignored = ignored.into_inner();
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

/// The renaming as far as it has come.
struct Names<'a> {
    ask: Ask,
    /// The value without the keys that still wait for a name: they could make the type stop before it sees the one in question.
    known: Value,
    questions: usize,
    /// By where the key is, without the places in lists: their items all have the same names, so each is asked for once.
    answers: HashMap<(Vec<Option<&'a str>>, &'a str), Option<&'a str>>,
}

impl<'a> Names<'a> {
    /// Puts a key back under its name in the schema, if it has one.
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

    /// Whether the type takes key and name for the same field.
    fn is_alias(&mut self, path: &[Step<'_>], key: &str, name: &str, member: &Value) -> bool {
        let Some(left) = self.questions.checked_sub(1) else {
            return false;
        };
        self.questions = left;
        let mut both = self.known.clone();
        insert(&mut both, path, key, member);
        insert(&mut both, path, name, member);
        let refusal = (self.ask)(Node { value: &both, ignored: &Ignored::default() });
        refusal.is_some_and(|refusal| refusal.duplicate == Some(name))
    }
}

/// The value without the keys in question.
fn known_only(value: &Value, places: &[Undeclared<'_>]) -> Value {
    let mut known = value.clone();
    for place in places {
        if let Some(object) = object_at(&mut known, &place.path) {
            for (key, _) in &place.members {
                object.remove(*key);
            }
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
