//! Serves requests of the CLI: permission, hooks, mounted servers, elicitation, dialogs. Does no I/O: a request becomes
//! a response, now or later.

mod answer;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::callback::{Callback, Guarded};
use crate::elicitation::{DialogAnswer, DialogRequest, ElicitationAnswer, ElicitationRequest};
use crate::frame::RequestId;
use crate::hook::Hooks;
use crate::mount::{MountedServers, Received};
use crate::permission::{Ask, Decision};
use crate::transport::Pending;
use crate::wire::{Typed, view};

pub(crate) use answer::{Answer, Work};

view! {
    /// The fields of a control request that determine which callback or server answers it.
    pub struct RequestFields {
        /// The subtype of the request.
        subtype: String,
        /// The id of the callback of a hook. Empty for other requests.
        callback_id: String,
        /// The id of the tool use that a hook is called for.
        tool_use_id: Option<String>,
        /// The name of the mounted server to which the request goes. Empty for other requests.
        server_name: String,
    }
}

/// A control request of the CLI that has no callback of its own.
pub type ControlRequest = Typed<RequestFields>;

/// The callbacks of the user.
#[derive(Debug, Clone, Default)]
pub(crate) struct Callbacks {
    pub(crate) permission: Option<Callback<Ask, Decision>>,
    pub(crate) hooks: Hooks,
    pub(crate) elicitation: Option<Callback<ElicitationRequest, ElicitationAnswer>>,
    pub(crate) dialog: Option<Callback<DialogRequest, DialogAnswer>>,
    pub(crate) dialog_kinds: Vec<String>,
    pub(crate) other: Option<Callback<ControlRequest, Result<Value, String>>>,
}

/// Routes each request to the callback or mounted server that answers it.
pub(crate) struct Service {
    callbacks: Callbacks,
    mounted: Arc<MountedServers>,
}

impl Service {
    pub(crate) fn new(callbacks: Callbacks, mounted: Arc<MountedServers>) -> Self {
        Self { callbacks, mounted }
    }

    /// Starts to serve a request. Every request gets a response, also if its subtype is unknown or a callback panics.
    pub(crate) fn serve(&self, id: &RequestId, request: Box<RawValue>) -> Work {
        let request = ControlRequest::new(request);
        match request.subtype.as_str() {
            "can_use_tool" => self.permission(id, request),
            "hook_callback" => self.hook(&request),
            "mcp_message" => self.message(&request),
            "elicitation" => self.elicitation(request),
            "request_user_dialog" => self.dialog(request),
            _ => self.other(request),
        }
    }

    fn permission(&self, id: &RequestId, request: ControlRequest) -> Work {
        let Some(permission) = &self.callbacks.permission else {
            return Work::Done(Answer::unsupported(&request.subtype));
        };
        let mut ask: Ask = request.retyped();
        ask.set(|ask| ask.request_id = id.text());
        let tool_use_id = ask.tool_use_id.clone();
        going(permission.call(ask), move |decision| {
            let decision = decision.unwrap_or_else(|_| Decision::deny("the permission callback panicked"));
            decision.answer(&tool_use_id).map_or(Answer::Elsewhere, |answer| Answer::of(&answer))
        })
    }

    fn hook(&self, request: &ControlRequest) -> Work {
        let input = request.field::<Box<RawValue>>("input").unwrap_or_else(|| RawValue::NULL.to_owned());
        match self.callbacks.hooks.call(&request.callback_id, input, request.tool_use_id.clone()) {
            None => Work::Done(Answer::error(format!("unknown hook callback {:?}", request.callback_id))),
            Some(answer) => going(answer, |answer| match answer {
                Ok(Ok(output)) => Answer::Success(output),
                Ok(Err(message)) => Answer::error(message),
                Err(_) => Answer::error("the hook callback panicked"),
            }),
        }
    }

    fn message(&self, request: &ControlRequest) -> Work {
        let Some(mounted) = self.mounted.get(&request.server_name) else {
            return Work::Done(Answer::error(format!("unknown mounted server {:?}", request.server_name)));
        };
        let Some(message) = request.field::<Box<RawValue>>("message") else {
            return Work::Done(Answer::error("missing field `message`"));
        };
        match catch_unwind(AssertUnwindSafe(|| mounted.receive(&message))) {
            Ok(Received::Nothing) => Work::Done(Answer::acknowledged()),
            Ok(Received::Now(response)) => Work::Done(Answer::Mcp(response)),
            Ok(Received::Later(response)) => going(response, |response| match response {
                Ok(Some(response)) => Answer::Mcp(response),
                Ok(None) => Answer::error("cancelled"),
                Err(_) => Answer::error("the mounted server panicked"),
            }),
            Err(_) => Work::Done(Answer::error("the mounted server panicked")),
        }
    }

    fn elicitation(&self, request: ControlRequest) -> Work {
        match &self.callbacks.elicitation {
            None => Work::Done(Answer::of(&ElicitationAnswer::Decline)),
            Some(elicitation) => {
                going(elicitation.call(request.retyped()), |answer| Answer::of(&answer.unwrap_or(ElicitationAnswer::Cancel)))
            }
        }
    }

    fn dialog(&self, request: ControlRequest) -> Work {
        match &self.callbacks.dialog {
            None => Work::Done(Answer::of(&DialogAnswer::Cancelled)),
            Some(dialog) => {
                going(dialog.call(request.retyped()), |answer| Answer::of(&answer.unwrap_or(DialogAnswer::Cancelled)))
            }
        }
    }

    fn other(&self, request: ControlRequest) -> Work {
        match &self.callbacks.other {
            None => Work::Done(Answer::unsupported(&request.subtype)),
            Some(other) => going(other.call(request), |answer| match answer {
                Ok(Ok(value)) => Answer::of(&value),
                Ok(Err(message)) => Answer::error(message),
                Err(_) => Answer::error("the callback panicked"),
            }),
        }
    }
}

fn going<A: Send + 'static>(
    work: Pending<'static, A>,
    answer: impl FnOnce(Result<A, crate::callback::Panicked>) -> Answer + Send + 'static,
) -> Work {
    Work::Going(Box::pin(async move { answer(Guarded::new(work).await) }))
}

#[cfg(test)]
mod tests;
