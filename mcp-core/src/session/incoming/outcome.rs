//! Encodes the results of prompts and resources for the revision of the request.

use serde_json::{Value, json};

use crate::call::output_check::Product;
use crate::call::state::{CallState, Target};
use crate::jsonrpc::{Body, Code, RpcError};
use crate::prompt::PromptOutcome;
use crate::protocol::Revision;
use crate::resource::ReadOutcome;
use crate::session::requests::cut;

impl Product for PromptOutcome {
    fn failure(text: String) -> PromptOutcome {
        Err(RpcError::new(Code::INTERNAL_ERROR, text))
    }

    fn is_failure(&self) -> bool {
        self.is_err()
    }

    fn into_body(self, call: &CallState) -> Body {
        body(self.map(|result| json!(result.for_revision(call.revision))), call)
    }
}

impl Product for ReadOutcome {
    fn failure(text: String) -> ReadOutcome {
        Err(RpcError::new(Code::INTERNAL_ERROR, text))
    }

    fn is_failure(&self) -> bool {
        self.is_err()
    }

    fn into_body(self, call: &CallState) -> Body {
        let Target::Resource(place) = call.target else { unreachable!("only resources are read") };
        let spec = &call.server().registry.resources.at(place).spec;
        let kind = &spec.mime_type;
        let read = self.and_then(|contents| {
            let uri = || call.uri.as_deref().unwrap_or_default();
            let mut contents = contents.ok_or_else(|| not_found(uri(), call.revision))?;
            for one in contents.iter_mut().filter(|one| one.mime_type.is_none()) {
                one.mime_type = kind.as_ref().map(ToString::to_string);
            }
            if !call.revision.has_structured_output() {
                contents.iter_mut().for_each(|one| one.meta = None);
            }
            let mut result = json!({"contents": contents});
            if call.revision.is_stateless() {
                let cache = spec.cache.unwrap_or(call.server().registry.cache_reads);
                result["ttlMs"] = json!(cache.ttl_ms());
                result["cacheScope"] = json!(cache.scope());
            }
            Ok(result)
        });
        body(read, call)
    }
}

/// Builds the body of a response from a result, with the fields that the revision requires, or from an error.
pub(crate) fn body(outcome: Result<Value, RpcError>, call: &CallState) -> Body {
    match outcome {
        Err(error) => Body::Error(error),
        Ok(mut result) => {
            if call.revision.is_stateless() {
                result["resultType"] = json!("complete");
                let stamp: Value = serde_json::from_str(call.server().stamp()).expect("written as JSON");
                for (key, value) in stamp.as_object().into_iter().flatten() {
                    result["_meta"][key] = value.clone();
                }
            }
            Body::Json(result.to_string().into())
        }
    }
}

/// Returns the "resource not found" error, with the code of the revision.
pub(crate) fn not_found(uri: &str, revision: Revision) -> RpcError {
    let code = if revision.has_resource_not_found() { Code::RESOURCE_NOT_FOUND } else { Code::INVALID_PARAMS };
    RpcError::new(code, format!("resource not found: {}", cut(uri))).data(json!({"uri": cut(uri)}))
}
