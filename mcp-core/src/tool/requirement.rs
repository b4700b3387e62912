//! Client capabilities that a tool requires.

use serde_json::{Map, Value, json};

use crate::jsonrpc::{Code, RpcError};
use crate::protocol::{ClientCapabilities, Revision};

/// A client capability that a tool requires.
///
/// If the client lacks it, the call fails before the tool runs: see [`ToolSpec::requires`](crate::ToolSpec::requires).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Requirement {
    /// The client can show the user a form.
    Elicitation,
    /// The client can send the user to a web page.
    ElicitationUrl,
    /// The client can sample from a model.
    Sampling,
    /// The client can list the folders that the user works in.
    Roots,
}

impl Requirement {
    /// Returns the keys of the capability in the capabilities object, outermost first.
    fn path(self) -> &'static [&'static str] {
        match self {
            Requirement::Elicitation => &["elicitation"],
            Requirement::ElicitationUrl => &["elicitation", "url"],
            Requirement::Sampling => &["sampling"],
            Requirement::Roots => &["roots"],
        }
    }

    fn is_met_by(self, client: &ClientCapabilities, revision: Revision) -> bool {
        match self {
            Requirement::Elicitation => client.can_elicit(),
            Requirement::ElicitationUrl => client.can_elicit_url() && revision.has_elicitation_modes(),
            Requirement::Sampling => client.can_sample(),
            Requirement::Roots => client.can_tell_roots(),
        }
    }

    /// Returns an error that names the capabilities the client lacks, `None` if it has them all.
    ///
    /// The error is that of stateless revisions. Older revisions use only its message.
    pub(crate) fn lacking(required: &[Requirement], client: &ClientCapabilities, revision: Revision) -> Option<RpcError> {
        let lacking: Vec<_> = required.iter().filter(|one| !one.is_met_by(client, revision)).map(|one| one.path()).collect();
        (!lacking.is_empty()).then(|| missing(&lacking))
    }
}

/// Returns the error for missing client capabilities. Each path is the list of keys of a capability, outermost first.
pub(crate) fn missing(paths: &[&[&str]]) -> RpcError {
    let mut required = json!({});
    for path in paths {
        let mut place = &mut required;
        for word in *path {
            let inside =
                place.as_object_mut().map(|object| object.entry(*word).or_insert_with(|| Value::Object(Map::new())));
            place = inside.expect("every value in `required` is an object");
        }
    }
    let names: Vec<String> = paths.iter().map(|path| format!("`{}`", path.join("."))).collect();
    RpcError::new(Code::MISSING_CLIENT_CAPABILITY, format!("this needs a client with {}", names.join(" and ")))
        .data(json!({ "requiredCapabilities": required }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_missing_capabilities_are_reported_in_one_object() {
        let client: ClientCapabilities = serde_json::from_value(json!({"sampling": {}})).unwrap();
        let all = [Requirement::Elicitation, Requirement::ElicitationUrl, Requirement::Sampling, Requirement::Roots];
        let error = Requirement::lacking(&all, &client, Revision::NEWEST).unwrap();
        assert_eq!(error.message, "this needs a client with `elicitation` and `elicitation.url` and `roots`");
        assert_eq!(error.data.unwrap()["requiredCapabilities"], json!({"elicitation": {"url": {}}, "roots": {}}));
        assert_eq!(Requirement::lacking(&[Requirement::Sampling], &client, Revision::NEWEST), None);
    }
}
