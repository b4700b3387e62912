//! Dispatch: finds the revision and the handler of each message.

use std::sync::Arc;

use serde_json::json;

use crate::host::Outbox;
use crate::jsonrpc::methods::{self, Method};
use crate::jsonrpc::params::Param;
use crate::jsonrpc::{Body, Code, Id, Malformed, Message, Notification, Request, Response, ResponseId, RpcError};
use crate::protocol::Revision;
use crate::protocol::meta::{self, RequestMeta};
use crate::session::Session;
use crate::session::incoming::{self, Incoming};
use crate::session::reply::Reply;
use crate::session::requests::{cut, discover, stateless_revisions};
use crate::task::about_task;

impl Session {
    pub(crate) fn request(&self, request: &Request<'_>, outbox: &Arc<dyn Outbox>) -> Reply {
        self.dispatch(request, outbox)
            .unwrap_or_else(|error| Reply::Now(Response::new(request.id.clone(), Body::Error(error))))
    }

    fn dispatch(&self, request: &Request<'_>, outbox: &Arc<dyn Outbox>) -> Result<Reply, RpcError> {
        let method = Method::parse(&request.method).ok_or_else(|| method_not_found(&request.method))?;
        let params = request.params.checked()?;
        let own_meta = params.request_meta()?;
        let meta = own_meta.as_ref().unwrap_or(RequestMeta::empty());
        let revision = self.revision_of(method, meta)?;
        let server = self.shared.server();
        let offered = match method {
            Method::ListTools | Method::CallTool => server.offers_tools(),
            Method::ListPrompts | Method::GetPrompt => server.offers_prompts(),
            Method::ListResources | Method::ListResourceTemplates | Method::ReadResource => server.offers_resources(),
            Method::Subscribe | Method::Unsubscribe => server.offers_resources(),
            Method::Listen => server.live.is_some() || server.offers_resources() || server.offers_tasks(),
            Method::Complete => server.offers_prompts() || server.offers_resources(),
            Method::GetTask | Method::TaskResult | Method::ListTasks => server.offers_tasks(),
            Method::CancelTask | Method::UpdateTask => server.offers_tasks(),
            _ => true,
        };
        if !offered || !method.exists_in(revision) {
            return Err(method_not_found(&request.method));
        }
        let registry = &server.registry;
        let cursor = || params.text(Param::Cursor);
        let body = match method {
            Method::CallTool
            | Method::GetPrompt
            | Method::ReadResource
            | Method::Complete
            | Method::Listen
            | Method::GetTask
            | Method::TaskResult
            | Method::ListTasks
            | Method::CancelTask
            | Method::UpdateTask => {
                let id = &request.id;
                let request = Incoming { session: self, server: &server, outbox, id, params, meta, method, revision };
                return match method {
                    Method::CallTool => incoming::call_tool(&request),
                    Method::GetPrompt => incoming::get_prompt(&request),
                    Method::ReadResource => incoming::read_resource(&request),
                    Method::Listen => incoming::listen(&request),
                    Method::Complete => incoming::complete(&request),
                    _ => about_task(&request, method),
                };
            }
            Method::ListTools => Body::Json(registry.tools.page(cursor()?.as_deref(), revision, &server)?),
            Method::ListPrompts => Body::Json(registry.prompts.page(cursor()?.as_deref(), revision, &server)?),
            Method::ListResources => Body::Json(registry.resources.fixed.page(cursor()?.as_deref(), revision, &server)?),
            Method::ListResourceTemplates => {
                Body::Json(registry.resources.templated.page(cursor()?.as_deref(), revision, &server)?)
            }
            Method::Subscribe => self.subscribe(&server, params, revision)?,
            Method::Unsubscribe => self.unsubscribe(params)?,
            Method::Ping => Body::Static("{}"),
            Method::Initialize => self.initialize(&server, params)?,
            Method::Discover => discover(&server, revision),
            Method::SetLogLevel => self.set_log_level(params)?,
        };
        Ok(Reply::Now(Response::new(request.id.clone(), body)))
    }

    /// Returns the revision of a request: the one in its `_meta`, or else the negotiated one.
    fn revision_of(&self, method: Method, meta: &RequestMeta<'_>) -> Result<Revision, RpcError> {
        if let Some(requested) = &meta.protocol_version {
            let revision = Revision::parse(requested).filter(|revision| revision.is_stateless());
            let revision = revision.ok_or_else(|| unsupported_version(requested))?;
            if !meta.client_capabilities.is_some_and(|raw| raw.get().starts_with('{')) {
                let what = format!("`params._meta[\"{}\"]` must be an object", meta::CLIENT_CAPABILITIES);
                return Err(RpcError::invalid_params(what));
            }
            return Ok(revision);
        }
        match (method, self.revision()) {
            (Method::Initialize | Method::Ping, negotiated) => Ok(negotiated.unwrap_or(Revision::NEWEST_HANDSHAKE)),
            (_, Some(negotiated)) => Ok(negotiated),
            (_, None) => Err(RpcError::invalid_params(format!(
                "no protocol version is negotiated: send `initialize` first, or name one in `params._meta[\"{}\"]`",
                meta::PROTOCOL_VERSION
            ))),
        }
    }

    pub(crate) fn notification(&self, notification: &Notification<'_>) {
        if notification.method != methods::CANCELLED {
            return;
        }
        let id = notification.params.checked().ok().and_then(|params| Id::from_json(params.get(Param::RequestId)?.get()));
        if let Some(call) = id.and_then(|id| self.shared.inflight.remove(&id)) {
            call.status.cancel();
        }
    }

    pub(crate) fn batch(&self, messages: Vec<Message<'_>>, outbox: &Arc<dyn Outbox>) -> Reply {
        if messages.is_empty() || !self.revision().is_some_and(Revision::has_batches) {
            let what =
                if messages.is_empty() { "the batch is empty" } else { "the negotiated protocol version has no batches" };
            return Reply::Now(self.reject(Malformed { id: None, error: RpcError::invalid_request(what) }));
        }
        let replies = messages.into_iter().map(|message| match message {
            Message::Request(request) if Method::parse(&request.method) == Some(Method::Initialize) => {
                let error = RpcError::invalid_request("`initialize` must not be part of a batch");
                Reply::Now(Response::new(request.id, Body::Error(error)))
            }
            message => self.receive_via(message, outbox),
        });
        Reply::join(replies.collect())
    }

    /// Returns the error response to a malformed message.
    pub(crate) fn reject(&self, malformed: Malformed) -> Response {
        let to = match malformed.id {
            Some(id) => ResponseId::Request(id),
            None if self.revision().is_some_and(Revision::omits_unreadable_id) => ResponseId::Absent,
            None => ResponseId::Null,
        };
        Response { to, body: Body::Error(malformed.error) }
    }
}

fn method_not_found(name: &str) -> RpcError {
    RpcError::new(Code::METHOD_NOT_FOUND, format!("method not found: {}", cut(name)))
}

fn unsupported_version(requested: &str) -> RpcError {
    RpcError::new(Code::UNSUPPORTED_VERSION, "unsupported protocol version")
        .data(json!({"supported": stateless_revisions(), "requested": cut(requested)}))
}
