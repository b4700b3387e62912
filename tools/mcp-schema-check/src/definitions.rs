use std::{
    collections::HashMap,
    fs,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use jsonschema::Validator;
use serde_json::{Map, Value};

/// The definitions of one revision, and which of them belongs to which method. `python/generate.py` writes them.
pub(crate) struct Definitions {
    schema: Value,
    // A validator compiles the part of the schema that it reaches, so each definition is compiled once.
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Definitions {
    /// Reads the definitions of a revision from the folder that has a file for each revision.
    pub(crate) fn load(folder: &Path, revision: &str) -> Self {
        let path = folder.join(format!("{revision}.json"));
        let text = fs::read(&path)
            .unwrap_or_else(|error| panic!("no schemas of revision {revision:?}: {}: {error}", path.display()));
        let schema = serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{} is not JSON: {error}", path.display()));
        Self { schema, validators: Mutex::default() }
    }

    /// The definition of a response with a result.
    pub(crate) fn success_response(&self) -> &'static str {
        if self.has("JSONRPCResultResponse") { "JSONRPCResultResponse" } else { "JSONRPCResponse" }
    }

    /// The definition of a response with an error.
    pub(crate) fn error_response(&self) -> &'static str {
        if self.has("JSONRPCErrorResponse") { "JSONRPCErrorResponse" } else { "JSONRPCError" }
    }

    /// The definition of a request or notification, by its method.
    pub(crate) fn message(&self, method: &str) -> Option<&str> {
        self.schema["methods"][method]["message"].as_str()
    }

    /// The definition of the result of a method.
    pub(crate) fn result(&self, method: &str) -> Option<&str> {
        self.schema["methods"][method]["result"].as_str()
    }

    /// The definition of the response with this error code, if the code has data of its own.
    pub(crate) fn error_with_data(&self, code: i64) -> Option<&str> {
        self.schema["errors"][code.to_string()].as_str()
    }

    /// Whether the revision has the definition `name`.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.schema["$defs"][name].is_object()
    }

    /// Whether the definition `name` contains a reference to the definition `member`.
    pub(crate) fn refers(&self, name: &str, member: &str) -> bool {
        refers(&self.schema["$defs"][name], &format!("#/$defs/{member}"))
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
        assert!(self.has(name), "the schemas have no definition {name:?}");
        let mut root: Map<String, Value> = self.schema.as_object().expect("a schema is an object").clone();
        root.insert("$ref".into(), format!("#/$defs/{name}").into());
        // URIs are checked. This dialect of JSON Schema does not do that by default.
        let validator =
            jsonschema::options().should_validate_formats(true).build(&root.into()).expect("the schemas compile");
        let validator = Arc::new(validator);
        validators.insert(name.to_owned(), Arc::clone(&validator));
        validator
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
