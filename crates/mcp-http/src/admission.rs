//! Who a request comes from, and whether it may do what it wants to.

use http::request::Parts;
use http::{Method, Response};
use mcp_core::Principal;
use mcp_core::transport::RequestSummary;

use crate::body::Body;
use crate::endpoint::Shared;
use crate::protection::{self, Protection};
use crate::refusal::Refusal;

/// A request without its body, and who it comes from.
pub(crate) struct Caller {
    pub(crate) parts: Parts,
    pub(crate) principal: Option<Principal>,
}

impl Shared {
    /// What a client must know to get a token; it has none yet.
    pub(crate) fn tell_metadata(&self, protection: &Protection, parts: &Parts) -> Result<Response<Body>, Refusal> {
        match parts.method {
            Method::GET => Ok(protection.metadata(&self.server)),
            _ => Err(Refusal::method("GET")),
        }
    }

    /// Finds out who a request comes from.
    pub(crate) async fn admit(&self, parts: &Parts) -> Result<Option<Principal>, Refusal> {
        match &self.protection {
            Some(protection) => Box::pin(protection.admit(parts)).await.map(Some),
            None => Ok(parts.extensions.get().cloned()),
        }
    }

    /// Whether this principal may call the tool; who may not is told in the words of HTTP what it takes.
    pub(crate) fn check_scopes(&self, caller: &Caller, outline: &RequestSummary<'_>) -> Result<(), Refusal> {
        let (Some(principal), Some(tool), true) = (&caller.principal, &outline.subject, outline.is_tool_call) else {
            return Ok(());
        };
        let needed = self.server.required_scopes(tool);
        if needed.iter().all(|scope| principal.has_scope(scope)) {
            return Ok(());
        }
        Err(self.protection.as_ref().map_or_else(|| protection::lacking(&needed), |known| known.lacking(&needed)))
    }
}
