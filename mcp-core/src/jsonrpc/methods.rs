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
/// A resource holds something else now, from us.
pub(crate) const RESOURCE_UPDATED: &str = "notifications/resources/updated";
/// A stream of changes is open, from us.
pub(crate) const SUBSCRIBED: &str = "notifications/subscriptions/acknowledged";
/// A task stands otherwise now, from us, in the revision whose core has tasks.
pub(crate) const TASK_STATUS: &str = "notifications/tasks/status";
/// The same in the extension.
pub(crate) const TASK_CHANGED: &str = "notifications/tasks";
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
    Subscribe,
    Unsubscribe,
    Listen,
    Complete,
    GetTask,
    TaskResult,
    ListTasks,
    CancelTask,
    UpdateTask,
}

/// In which revisions a method exists.
enum Era {
    Handshake,
    Stateless,
    Both,
    /// The revision whose core has tasks.
    CoreTasks,
    /// That one, and those that have them as an extension.
    Tasks,
}

const TABLE: [(&str, Method, Era); 20] = [
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
    ("resources/subscribe", Method::Subscribe, Era::Handshake),
    ("resources/unsubscribe", Method::Unsubscribe, Era::Handshake),
    ("subscriptions/listen", Method::Listen, Era::Stateless),
    ("completion/complete", Method::Complete, Era::Both),
    ("tasks/get", Method::GetTask, Era::Tasks),
    ("tasks/result", Method::TaskResult, Era::CoreTasks),
    ("tasks/list", Method::ListTasks, Era::CoreTasks),
    ("tasks/cancel", Method::CancelTask, Era::Tasks),
    ("tasks/update", Method::UpdateTask, Era::Stateless),
];

impl Method {
    pub(crate) fn parse(name: &str) -> Option<Method> {
        TABLE.iter().find(|row| row.0 == name).map(|row| row.1)
    }

    pub(crate) fn name(self) -> &'static str {
        TABLE.iter().find(|row| row.1 == self).map_or("", |row| row.0)
    }

    pub(crate) fn exists_in(self, revision: Revision) -> bool {
        TABLE.iter().any(|(_, method, era)| {
            *method == self
                && match era {
                    Era::Handshake => !revision.is_stateless(),
                    Era::Stateless => revision.is_stateless(),
                    Era::Both => true,
                    Era::CoreTasks => revision.has_core_tasks(),
                    Era::Tasks => revision.has_core_tasks() || revision.is_stateless(),
                }
        })
    }
}
