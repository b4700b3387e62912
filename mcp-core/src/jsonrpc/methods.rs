//! The table of methods: their names, and the revisions that have them.

use crate::protocol::Revision;

/// Sent by the server: progress of a call.
pub(crate) const PROGRESS: &str = "notifications/progress";
/// Sent by the server: a log message.
pub(crate) const LOG_MESSAGE: &str = "notifications/message";
/// Sent by the server: the list of tools has changed.
pub(crate) const TOOLS_CHANGED: &str = "notifications/tools/list_changed";
/// Sent by the server: the list of prompts has changed.
pub(crate) const PROMPTS_CHANGED: &str = "notifications/prompts/list_changed";
/// Sent by the server: the list of resources has changed.
pub(crate) const RESOURCES_CHANGED: &str = "notifications/resources/list_changed";
/// Sent by the server: the content of a resource has changed.
pub(crate) const RESOURCE_UPDATED: &str = "notifications/resources/updated";
/// Sent by the server: a stream of changes is open.
pub(crate) const SUBSCRIBED: &str = "notifications/subscriptions/acknowledged";
/// Sent by the server: the status of a task has changed (2025-11-25).
pub(crate) const TASK_STATUS: &str = "notifications/tasks/status";
/// Sent by the server: the status of a task has changed (extension of 2026-07-28).
pub(crate) const TASK_CHANGED: &str = "notifications/tasks";
/// Sent by the server: a question to the user.
pub(crate) const ELICIT: &str = "elicitation/create";
/// Sent by the server: a request to the client's model.
pub(crate) const SAMPLE: &str = "sampling/createMessage";
/// Sent by the server: asks for the folders that the user works in.
pub(crate) const LIST_ROOTS: &str = "roots/list";
/// Sent by both sides: cancels a request.
pub(crate) const CANCELLED: &str = "notifications/cancelled";

/// The requests that a server handles.
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

/// The revisions that have a method.
enum Era {
    Handshake,
    Stateless,
    Both,
    /// The revision whose core has tasks.
    CoreTasks,
    /// The revision whose core has tasks, and those that have tasks as an extension.
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
        TABLE.iter().find(|(known, ..)| *known == name).map(|(_, method, _)| *method)
    }

    pub(crate) fn name(self) -> &'static str {
        TABLE.iter().find(|(_, method, _)| *method == self).map_or("", |(name, ..)| *name)
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
