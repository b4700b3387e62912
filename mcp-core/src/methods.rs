//! The method table: the only file where method names are written.

use crate::protocol::Revision;

/// Progress of a call, from us.
pub(crate) const PROGRESS: &str = "notifications/progress";
/// A log message, from us.
pub(crate) const LOG_MESSAGE: &str = "notifications/message";
/// The tools are others now, from us.
pub(crate) const TOOLS_CHANGED: &str = "notifications/tools/list_changed";
/// The prompts are others now, from us.
pub(crate) const PROMPTS_CHANGED: &str = "notifications/prompts/list_changed";
/// The resources are others now, from us.
pub(crate) const RESOURCES_CHANGED: &str = "notifications/resources/list_changed";
/// Ask the user, from us.
pub(crate) const ELICIT: &str = "elicitation/create";
/// Ask the client's model, from us.
pub(crate) const SAMPLE: &str = "sampling/createMessage";
/// Ask for the user's folders, from us.
pub(crate) const LIST_ROOTS: &str = "roots/list";
/// The client no longer wants an answer, or we no longer want one of it.
pub(crate) const CANCELLED: &str = "notifications/cancelled";

/// The requests that this server knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Initialize,
    Discover,
    Ping,
    SetLogLevel,
    ListTools,
    CallTool,
    ListPrompts,
    GetPrompt,
    ListResources,
    ListResourceTemplates,
    ReadResource,
    Complete,
}

/// In which revisions a method exists.
enum Era {
    Handshake,
    Stateless,
    Both,
}

const TABLE: [(&str, Method, Era); 12] = [
    ("tools/call", Method::CallTool, Era::Both),
    ("tools/list", Method::ListTools, Era::Both),
    ("ping", Method::Ping, Era::Handshake),
    ("initialize", Method::Initialize, Era::Handshake),
    ("server/discover", Method::Discover, Era::Stateless),
    ("logging/setLevel", Method::SetLogLevel, Era::Handshake),
    ("prompts/list", Method::ListPrompts, Era::Both),
    ("prompts/get", Method::GetPrompt, Era::Both),
    ("resources/list", Method::ListResources, Era::Both),
    ("resources/templates/list", Method::ListResourceTemplates, Era::Both),
    ("resources/read", Method::ReadResource, Era::Both),
    ("completion/complete", Method::Complete, Era::Both),
];

impl Method {
    pub(crate) fn parse(name: &str) -> Option<Method> {
        TABLE.iter().find(|row| row.0 == name).map(|row| row.1)
    }

    pub(crate) fn exists_in(self, revision: Revision) -> bool {
        TABLE.iter().any(|(_, method, era)| {
            *method == self
                && match era {
                    Era::Handshake => !revision.is_stateless(),
                    Era::Stateless => revision.is_stateless(),
                    Era::Both => true,
                }
        })
    }
}
