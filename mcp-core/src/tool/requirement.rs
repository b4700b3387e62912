//! What a tool requires of its client.

use serde_json::{Map, Value, json};

use crate::jsonrpc::{Code, RpcError};
use crate::protocol::{ClientCapabilities, Revision};

/// Something that a client may be able to do, and that a tool cannot do without.
///
/// A client that cannot is told so before the tool runs: see [`ToolSpec::requires`](crate::ToolSpec::requires).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Requirement {
    /// It can show its user a form.
    Elicitation,
    /// It can send its user to a page.
    ElicitationUrl,
    /// It can ask a model.
    Sampling,
    /// It can tell which folders the user works in.
    Roots,
}

impl Requirement {
    /// The words of the protocol for it, from the outside to the inside.
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

    /// What that client lacks of these, as the error of a stateless revision; its message will do for the others.
    pub(crate) fn lacking(required: &[Requirement], client: &ClientCapabilities, revision: Revision) -> Option<RpcError> {
        let lacking: Vec<_> = required.iter().filter(|one| !one.is_met_by(client, revision)).map(|one| one.path()).collect();
        (!lacking.is_empty()).then(|| missing(&lacking))
    }
}

/// The client would have to be able to do these, each by its words from the outside to the inside.
pub(crate) fn missing(paths: &[&[&str]]) -> RpcError {
    let mut required = json!({});
    for path in paths {
        let mut place = &mut required;
        for word in *path {
            let inside =
                place.as_object_mut().map(|object| object.entry(*word).or_insert_with(|| Value::Object(Map::new())));
            place = inside.expect("only objects are made");
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
    fn what_lacks_is_told_in_one_object() {
        let client: ClientCapabilities = serde_json::from_value(json!({"sampling": {}})).unwrap();
        let all = [Requirement::Elicitation, Requirement::ElicitationUrl, Requirement::Sampling, Requirement::Roots];
        let error = Requirement::lacking(&all, &client, Revision::NEWEST).unwrap();
        assert_eq!(error.message, "this needs a client with `elicitation` and `elicitation.url` and `roots`");
        assert_eq!(error.data.unwrap()["requiredCapabilities"], json!({"elicitation": {"url": {}}, "roots": {}}));
        assert_eq!(Requirement::lacking(&[Requirement::Sampling], &client, Revision::NEWEST), None);
    }
}
