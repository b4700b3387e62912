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
enum MethodRevisions {
    Handshake,
    Stateless,
    Both,
    /// The revision whose core has tasks.
    CoreTasks,
    /// The revision whose core has tasks, and those that have tasks as an extension.
    Tasks,
}

const TABLE: [(&str, Method, MethodRevisions); 20] = [
    ("tools/call", Method::CallTool, MethodRevisions::Both),
    ("tools/list", Method::ListTools, MethodRevisions::Both),
    ("ping", Method::Ping, MethodRevisions::Handshake),
    ("initialize", Method::Initialize, MethodRevisions::Handshake),
    ("server/discover", Method::Discover, MethodRevisions::Stateless),
    ("logging/setLevel", Method::SetLogLevel, MethodRevisions::Handshake),
    ("prompts/list", Method::ListPrompts, MethodRevisions::Both),
    ("prompts/get", Method::GetPrompt, MethodRevisions::Both),
    ("resources/list", Method::ListResources, MethodRevisions::Both),
    ("resources/templates/list", Method::ListResourceTemplates, MethodRevisions::Both),
    ("resources/read", Method::ReadResource, MethodRevisions::Both),
    ("resources/subscribe", Method::Subscribe, MethodRevisions::Handshake),
    ("resources/unsubscribe", Method::Unsubscribe, MethodRevisions::Handshake),
    ("subscriptions/listen", Method::Listen, MethodRevisions::Stateless),
    ("completion/complete", Method::Complete, MethodRevisions::Both),
    ("tasks/get", Method::GetTask, MethodRevisions::Tasks),
    ("tasks/result", Method::TaskResult, MethodRevisions::CoreTasks),
    ("tasks/list", Method::ListTasks, MethodRevisions::CoreTasks),
    ("tasks/cancel", Method::CancelTask, MethodRevisions::Tasks),
    ("tasks/update", Method::UpdateTask, MethodRevisions::Stateless),
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
                    MethodRevisions::Handshake => !revision.is_stateless(),
                    MethodRevisions::Stateless => revision.is_stateless(),
                    MethodRevisions::Both => true,
                    MethodRevisions::CoreTasks => revision.has_core_tasks(),
                    MethodRevisions::Tasks => revision.has_core_tasks() || revision.is_stateless(),
                }
        })
    }
}
