//! The checks that a request passes before a session sees it, in this order: host and origin, token, headers, body, scopes.

mod allow_list;
mod authorization;
mod bearer;
mod body_limit;
pub(crate) mod header_check;

use http::request::Parts;
use http::{Method, Response};
use mcp_core::transport::RequestSummary;
use mcp_core::{Principal, Server};

pub(crate) use self::allow_list::AllowList;
pub use self::authorization::{Protection, ResourceError};
pub use self::bearer::{Bearer, TokenError};
use self::body_limit::{BodyLimit, RequestBody};
use crate::body::Body;
use crate::options::Http;
use crate::peer::{Client, TrustedProxies};
use crate::responses::Refusal;

/// A request without its body, and the principal that it was authenticated as.
pub(crate) struct Caller {
    pub(crate) parts: Parts,
    pub(crate) principal: Option<Principal>,
    /// The client whose limits apply to the request.
    pub(crate) client: Client,
}

/// The checks that depend on the options of the endpoint. Those that do not are functions in [`header_check`].
#[derive(Debug)]
pub(crate) struct Checks {
    allow_list: AllowList,
    protection: Option<Protection>,
    body_limit: BodyLimit,
    proxies: TrustedProxies,
}

impl Checks {
    pub(crate) fn new(options: &Http) -> Checks {
        Checks {
            allow_list: options.allow_list.clone(),
            protection: options.protection.clone(),
            body_limit: BodyLimit::new(options.limits.max_body, options.limits.body_timeout),
            proxies: options.proxies.clone(),
        }
    }

    /// Refuses requests with a `Host` or an `Origin` that is not on the allow-lists.
    pub(crate) fn host_and_origin(&self, parts: &Parts) -> Result<(), Refusal> {
        self.allow_list.check(parts)
    }

    /// Returns the response to a request for the protected resource metadata, which needs no token; `None` for other paths.
    pub(crate) fn metadata(&self, parts: &Parts, server: &Server) -> Option<Result<Response<Body>, Refusal>> {
        let protection = self.protection.as_ref().filter(|protection| protection.is_metadata(parts.uri.path()))?;
        Some(match parts.method {
            Method::GET => Ok(protection.metadata(server)),
            _ => Err(Refusal::method("GET")),
        })
    }

    /// Finds out who sent a request. The principal comes from its token, or from its extensions if the endpoint has no
    /// [`Protection`].
    pub(crate) async fn authenticate(&self, parts: Parts) -> Result<Caller, Refusal> {
        let principal = match &self.protection {
            Some(protection) => Some(Box::pin(protection.authenticate(&parts)).await?),
            None => parts.extensions.get().cloned(),
        };
        let client = Client::of(&parts, principal.as_ref(), &self.proxies);
        Ok(Caller { parts, principal, client })
    }

    /// Reads the body of a request within the limits on size and time.
    pub(crate) async fn read_body<B: http_body::Body>(&self, caller: &Caller, body: B) -> Result<RequestBody, Refusal> {
        self.body_limit.read(&caller.client, &caller.parts.headers, body).await
    }

    /// Refuses a tool call whose principal lacks a scope of the tool, with `403` and the scopes in `WWW-Authenticate`.
    pub(crate) fn scopes(&self, server: &Server, caller: &Caller, summary: &RequestSummary<'_>) -> Result<(), Refusal> {
        let (Some(principal), Some(tool), true) = (&caller.principal, &summary.subject, summary.is_tool_call) else {
            return Ok(());
        };
        let required = server.required_scopes(tool);
        if required.iter().all(|scope| principal.has_scope(scope)) {
            return Ok(());
        }
        Err(match &self.protection {
            Some(protection) => protection.insufficient_scope(&required),
            None => authorization::insufficient_scope(&required),
        })
    }
}
