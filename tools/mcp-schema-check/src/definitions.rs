use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use jsonschema::Validator;
use serde_json::{Map, Value};

/// Where the official schemas are expected: `shared/mcp-schemas` beside the workspace.
///
/// They are not part of this repository; a test that needs them says `SKIPPED` where the folder is absent.
#[must_use]
pub fn schema_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/mcp-schemas")
}

/// The named definitions of one revision, with what `dispatch.json` says about its methods.
pub(crate) struct Definitions {
    schema: Value,
    /// `definitions` or `$defs`, by the dialect of the revision.
    key: String,
    dispatch: Value,
    // A validator compiles the part of the schema that it reaches, which is worth doing once a definition.
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Definitions {
    /// Reads the two files of a revision; `None` if the folder is absent.
    ///
    /// A folder that is there but cannot be used is a broken set-up, and no reason to skip: it panics.
    pub(crate) fn load(folder: &Path, revision: &str) -> Option<Self> {
        if !folder.is_dir() {
            return None;
        }
        let mut dispatch = read(&folder.join("dispatch.json"));
        let dispatch = dispatch[revision].take();
        assert!(dispatch.is_object(), "dispatch.json knows no revision {revision:?}");
        let key = dispatch["defsKey"].as_str().expect("dispatch.json names the definitions key").to_owned();
        let mut schema = read(&folder.join(format!("{revision}.json")));
        mend_number_bounds(&mut schema[&key]);
        Some(Self { schema, key, dispatch, validators: Mutex::default() })
    }

    /// The name that `dispatch.json` gives to the envelope of a reply: `kind` is `success` or `error`.
    pub(crate) fn envelope(&self, kind: &str) -> &str {
        self.dispatch[kind].as_str().expect("dispatch.json names both envelopes")
    }

    /// The definition of a request or notification, by its method.
    pub(crate) fn message(&self, method: &str) -> Option<&str> {
        self.dispatch["methods"][method]["def"].as_str()
    }

    /// The definition of a method's result.
    pub(crate) fn result(&self, method: &str) -> Option<&str> {
        self.dispatch["methods"][method]["result"].as_str()
    }

    /// The definition of a whole reply whose error has a code with a meaning of its own.
    pub(crate) fn typed_error(&self, code: i64) -> Option<&str> {
        self.dispatch["typedErrors"][code.to_string()].as_str()
    }

    /// Whether the revision declares `name` at all.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.schema[&self.key][name].is_object()
    }

    /// Whether `member` is one of the alternatives anywhere inside the definition `name`.
    pub(crate) fn refers(&self, name: &str, member: &str) -> bool {
        refers(&self.schema[&self.key][name], &format!("#/{}/{member}", self.key))
    }

    /// Every violation of the definition `name` in `instance`, with its path.
    pub(crate) fn violations(&self, name: &str, instance: &Value) -> Vec<String> {
        self.validator(name)
            .iter_errors(instance)
            .map(|error| format!("{name}: at '{}': {error}", error.instance_path()))
            .collect()
    }

    fn validator(&self, name: &str) -> Arc<Validator> {
        let mut validators = self.validators.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(validator) = validators.get(name) {
            return Arc::clone(validator);
        }
        assert!(self.has(name), "the schema has no definition {name:?}");
        // The dialect comes with `$schema`; the reference leads into the definitions of the same document.
        let mut root: Map<String, Value> = self.schema.as_object().expect("a schema is an object").clone();
        root.insert("$ref".into(), format!("#/{}/{name}", self.key).into());
        let validator = jsonschema::validator_for(&root.into()).expect("the official schema compiles");
        let validator = Arc::new(validator);
        validators.insert(name.to_owned(), Arc::clone(&validator));
        validator
    }
}

fn read(path: &Path) -> Value {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{} is readable: {error}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{} is JSON: {error}", path.display()))
}

/// Undoes an erratum: two published revisions say that the bounds of a number are integers.
fn mend_number_bounds(definitions: &mut Value) {
    for bound in ["minimum", "maximum", "default"] {
        if let Some(kind) = definitions.pointer_mut(&format!("/NumberSchema/properties/{bound}/type")) {
            *kind = "number".into();
        }
    }
}

fn refers(schema: &Value, target: &str) -> bool {
    match schema {
        Value::Object(members) => {
            members.get("$ref").is_some_and(|reference| reference == target)
                || members.values().any(|member| refers(member, target))
        }
        Value::Array(items) => items.iter().any(|item| refers(item, target)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Definitions, mend_number_bounds, schema_folder};

    #[test]
    fn a_folder_that_is_absent_gives_nothing() {
        assert!(Definitions::load(&schema_folder().join("no-such-folder"), "2025-11-25").is_none());
    }

    #[test]
    fn number_bounds_published_as_integers_become_numbers() {
        let mut definitions = json!({"NumberSchema": {"properties": {
            "minimum": {"type": "integer"}, "maximum": {"type": "integer"}, "type": {"enum": ["integer", "number"]},
        }}});
        mend_number_bounds(&mut definitions);
        assert_eq!(
            definitions,
            json!({"NumberSchema": {"properties": {
                "minimum": {"type": "number"}, "maximum": {"type": "number"}, "type": {"enum": ["integer", "number"]},
            }}})
        );
    }
}
