//! The endpoint as a protected resource of OAuth: who may come in, and where the others learn how (RFC 9728).

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderValue, Response, StatusCode, Uri};
use mcp_core::serde_json::json;
use mcp_core::transport::{Code, RpcError};
use mcp_core::{Principal, Server};

use crate::bearer::{Bearer, Brought, TokenError, token};
use crate::body::Body;
use crate::refusal::{Refusal, json as json_response};

/// Where clients look for the metadata of what stands at a path.
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// An endpoint that is open only to those who bring a token, and says where tokens are given out.
///
/// Who brings none is told so in `WWW-Authenticate`, with the address of the metadata; a client that follows it finds the
/// authorization servers. The metadata stands at `/.well-known/oauth-protected-resource` and the path of the endpoint: a
/// [`Listener`](crate::Listener) serves it there, in an application of your own the [`Endpoint`](crate::Endpoint) is mounted
/// at [`metadata_path`](Protection::metadata_path) a second time.
#[derive(Clone)]
#[must_use = "it protects nothing until it is given to `Http::protect`"]
pub struct Protection {
    bearer: Arc<dyn Bearer>,
    resource: String,
    /// Where the metadata is, from the client's point of view.
    metadata: String,
    metadata_path: String,
    issuers: Vec<String>,
    name: Option<String>,
    documentation: Option<String>,
    required: Vec<String>,
}

impl Protection {
    /// Lets those in whose tokens that check accepts. `resource` is the address by which clients know this endpoint, such as
    /// `https://mcp.example.com/mcp`; it is the audience that tokens are issued for.
    ///
    /// # Errors
    /// When that is no address, or one with a query or a fragment.
    pub fn new(resource: impl Into<String>, bearer: impl Bearer) -> Result<Protection, ResourceError> {
        let resource = resource.into();
        let uri: Uri = resource.parse().map_err(|_| ResourceError(resource.clone()))?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(ResourceError(resource));
        };
        if uri.query().is_some() || resource.contains('#') || !matches!(scheme, "http" | "https") {
            return Err(ResourceError(resource));
        }
        let metadata_path = format!("{WELL_KNOWN}{}", uri.path().trim_end_matches('/'));
        let metadata = format!("{scheme}://{authority}{metadata_path}");
        Ok(Protection {
            bearer: Arc::new(bearer),
            resource,
            metadata,
            metadata_path,
            issuers: Vec::new(),
            name: None,
            documentation: None,
            required: Vec::new(),
        })
    }

    /// The authorization servers that give out tokens for this endpoint, by their issuer addresses.
    pub fn issuers<S: Into<String>>(mut self, issuers: impl IntoIterator<Item = S>) -> Protection {
        self.issuers.extend(issuers.into_iter().map(Into::into));
        self
    }

    /// Scopes without which nothing at all is served. What single tools need beyond them, they say
    /// [themselves](mcp_core::ToolSpec::scopes).
    pub fn require<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Protection {
        self.required.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// What people are shown as the name of this endpoint.
    pub fn name(mut self, name: impl Into<String>) -> Protection {
        self.name = Some(name.into());
        self
    }

    /// Where people read about it.
    pub fn documentation(mut self, address: impl Into<String>) -> Protection {
        self.documentation = Some(address.into());
        self
    }

    /// The path of the metadata: `/.well-known/oauth-protected-resource/mcp` for an endpoint at `/mcp`.
    pub fn metadata_path(&self) -> &str {
        &self.metadata_path
    }

    /// Whether a path is one of the two that metadata is looked for at.
    pub(crate) fn is_metadata(&self, path: &str) -> bool {
        path == self.metadata_path || path == WELL_KNOWN
    }

    /// What clients learn: where tokens come from, and what they may be asked for.
    pub(crate) fn metadata(&self, server: &Server) -> Response<Body> {
        let mut scopes = self.required.clone();
        for scope in server.scopes() {
            if !scopes.contains(&scope) {
                scopes.push(scope);
            }
        }
        let mut document = json!({"resource": self.resource, "bearer_methods_supported": ["header"]});
        if !self.issuers.is_empty() {
            document["authorization_servers"] = json!(self.issuers);
        }
        if !scopes.is_empty() {
            document["scopes_supported"] = json!(scopes);
        }
        for (key, value) in [("resource_name", &self.name), ("resource_documentation", &self.documentation)] {
            if let Some(value) = value {
                document[key] = json!(value);
            }
        }
        let mut response = json_response(StatusCode::OK, Bytes::from(document.to_string()));
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("max-age=3600"));
        response
    }

    /// Who a request comes from.
    pub(crate) async fn admit(&self, request: &Parts) -> Result<Principal, Refusal> {
        let token = match token(&request.headers) {
            Brought::Token(token) => token.to_owned(),
            Brought::Nothing => {
                return Err(self.refuse(StatusCode::UNAUTHORIZED, None, "a token is needed", &self.required));
            }
            Brought::Nonsense => {
                let what = "the header `Authorization` must hold one bearer token";
                return Err(self.refuse(StatusCode::BAD_REQUEST, Some("invalid_request"), what, &[]));
            }
        };
        let principal = self.bearer.principal(token).await.map_err(|error| match error {
            TokenError::Unavailable => Refusal::busy("the token cannot be checked at the moment"),
            error => self.refuse(StatusCode::UNAUTHORIZED, Some("invalid_token"), &error.to_string(), &self.required),
        })?;
        match self.required.iter().all(|scope| principal.has_scope(scope)) {
            true => Ok(principal),
            false => Err(self.lacking(&[])),
        }
    }

    /// The client must come back with a token for more.
    pub(crate) fn lacking(&self, scopes: &[String]) -> Refusal {
        let mut needed = self.required.clone();
        needed.extend(scopes.iter().filter(|scope| !self.required.contains(scope)).cloned());
        self.refuse(StatusCode::FORBIDDEN, Some("insufficient_scope"), "the token is not good for this", &needed)
    }

    fn refuse(&self, status: StatusCode, error: Option<&str>, what: &str, scopes: &[String]) -> Refusal {
        let metadata = ("resource_metadata", self.metadata.clone());
        refuse(status, error, what, scopes, Some(metadata))
    }
}

/// The same for principals that were authenticated elsewhere.
pub(crate) fn lacking(scopes: &[String]) -> Refusal {
    refuse(StatusCode::FORBIDDEN, Some("insufficient_scope"), "this needs more scopes", scopes, None)
}

/// A refusal that says in `WWW-Authenticate` what would be needed.
fn refuse(
    status: StatusCode,
    error: Option<&str>,
    what: &str,
    scopes: &[String],
    metadata: Option<(&'static str, String)>,
) -> Refusal {
    let code = if status == StatusCode::FORBIDDEN { Code::INSUFFICIENT_SCOPE } else { Code::INVALID_REQUEST };
    let error = error.map(|error| [("error", error.to_owned()), ("error_description", what.to_owned())]);
    let scope = (!scopes.is_empty()).then(|| ("scope", scopes.join(" ")));
    let parameters = error.into_iter().flatten().chain(scope).chain(metadata);
    let challenge: Vec<String> = parameters.map(|(name, value)| format!("{name}=\"{}\"", quotable(&value))).collect();
    let challenge = format!("Bearer {}", challenge.join(", "));
    let refusal = Refusal::with(status, RpcError::new(code, what));
    // All that is in it can stand in a header, so there is always one.
    match HeaderValue::try_from(challenge.trim_end()) {
        Ok(challenge) => refusal.header(WWW_AUTHENTICATE, challenge),
        Err(_) => refusal.header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")),
    }
}

/// What may stand between quotes.
fn quotable(value: &str) -> String {
    value.chars().filter(|c| matches!(c, ' '..='~') && !matches!(c, '"' | '\\')).collect()
}

impl fmt::Debug for Protection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Protection")
            .field("resource", &self.resource)
            .field("issuers", &self.issuers)
            .finish_non_exhaustive()
    }
}

/// An address that cannot be that of a protected endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceError(String);

impl fmt::Display for ResourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no http address without query and fragment", self.0)
    }
}

impl std::error::Error for ResourceError {}
