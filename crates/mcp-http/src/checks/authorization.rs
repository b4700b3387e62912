//! The endpoint as an OAuth protected resource (RFC 9728): token checks, challenges and metadata.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderValue, Response, StatusCode, Uri};
use mcp_core::serde_json::json;
use mcp_core::transport::{Code, RpcError};
use mcp_core::{Principal, Server};

use super::bearer::{Bearer, Credentials, TokenError, credentials};
use crate::body::Body;
use crate::responses::{Refusal, json as json_response};

/// The path prefix at which clients look for the metadata of a resource.
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// Makes an endpoint an OAuth protected resource: every request needs a valid bearer token.
///
/// A request without a token gets `401` with the URL of the metadata in `WWW-Authenticate`. The metadata names the
/// authorization servers that issue tokens. Its path is `/.well-known/oauth-protected-resource` followed by the path of the
/// endpoint. A [`Listener`](crate::Listener) serves it. In your own web server, mount the [`Endpoint`](crate::Endpoint) a
/// second time, at [`metadata_path`](Protection::metadata_path).
#[derive(Clone)]
#[must_use = "a `Protection` has no effect until it is passed to `Http::protect`"]
pub struct Protection {
    bearer: Arc<dyn Bearer>,
    resource: String,
    /// The URL of the metadata, as clients see it.
    metadata_url: String,
    metadata_path: String,
    issuers: Vec<String>,
    name: Option<String>,
    documentation: Option<String>,
    required: Vec<String>,
}

impl Protection {
    /// Accepts the tokens that `bearer` accepts. `resource` is the URL that clients use for this endpoint, such as
    /// `https://mcp.example.com/mcp`. It is the audience of the tokens.
    ///
    /// # Errors
    /// If `resource` is not an `http` or `https` URL, or has a query or a fragment.
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
        let metadata_url = format!("{scheme}://{authority}{metadata_path}");
        Ok(Protection {
            bearer: Arc::new(bearer),
            resource,
            metadata_url,
            metadata_path,
            issuers: Vec::new(),
            name: None,
            documentation: None,
            required: Vec::new(),
        })
    }

    /// Adds the issuer URLs of the authorization servers that issue tokens for this endpoint.
    pub fn issuers<S: Into<String>>(mut self, issuers: impl IntoIterator<Item = S>) -> Protection {
        self.issuers.extend(issuers.into_iter().map(Into::into));
        self
    }

    /// Adds scopes that every request needs. A tool can require further scopes with
    /// [`ToolSpec::scopes`](mcp_core::ToolSpec::scopes).
    pub fn require<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Protection {
        self.required.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// Sets the display name of this endpoint in the metadata.
    pub fn name(mut self, name: impl Into<String>) -> Protection {
        self.name = Some(name.into());
        self
    }

    /// Sets the URL of the documentation in the metadata.
    pub fn documentation(mut self, address: impl Into<String>) -> Protection {
        self.documentation = Some(address.into());
        self
    }

    /// Returns the path of the metadata: `/.well-known/oauth-protected-resource/mcp` for an endpoint at `/mcp`.
    pub fn metadata_path(&self) -> &str {
        &self.metadata_path
    }

    /// Returns whether clients look for the metadata at this path.
    pub(crate) fn is_metadata(&self, path: &str) -> bool {
        path == self.metadata_path || path == WELL_KNOWN
    }

    /// Returns the metadata: the authorization servers and the scopes.
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

    /// Validates the token of a request and its scopes.
    pub(crate) async fn authenticate(&self, request: &Parts) -> Result<Principal, Refusal> {
        let token = match credentials(&request.headers) {
            Credentials::Token(token) => token.to_owned(),
            Credentials::Missing => {
                return Err(self.refuse(StatusCode::UNAUTHORIZED, None, "a bearer token is required", &self.required));
            }
            Credentials::Invalid => {
                let what = "the header `Authorization` must have exactly one bearer token";
                return Err(self.refuse(StatusCode::BAD_REQUEST, Some("invalid_request"), what, &[]));
            }
        };
        let principal = self.bearer.principal(token).await.map_err(|error| match error {
            error @ TokenError::Unavailable => Refusal::busy(&error.to_string()),
            error => self.refuse(StatusCode::UNAUTHORIZED, Some("invalid_token"), &error.to_string(), &self.required),
        })?;
        match self.required.iter().all(|scope| principal.has_scope(scope)) {
            true => Ok(principal),
            false => Err(self.insufficient_scope(&[])),
        }
    }

    /// Refuses a token that lacks scopes. The challenge has the scopes of the endpoint and of the tool.
    pub(crate) fn insufficient_scope(&self, scopes: &[String]) -> Refusal {
        let mut needed = self.required.clone();
        needed.extend(scopes.iter().filter(|scope| !self.required.contains(scope)).cloned());
        self.refuse(StatusCode::FORBIDDEN, Some("insufficient_scope"), "the token lacks a required scope", &needed)
    }

    fn refuse(&self, status: StatusCode, error: Option<&str>, message: &str, scopes: &[String]) -> Refusal {
        let metadata = ("resource_metadata", self.metadata_url.clone());
        refuse(status, error, message, scopes, Some(metadata))
    }
}

/// Refuses a principal that lacks scopes and was authenticated by the application, not by a [`Protection`].
pub(crate) fn insufficient_scope(scopes: &[String]) -> Refusal {
    refuse(StatusCode::FORBIDDEN, Some("insufficient_scope"), "the principal lacks a required scope", scopes, None)
}

/// Builds a refusal with a challenge in `WWW-Authenticate` (RFC 6750).
fn refuse(
    status: StatusCode,
    error: Option<&str>,
    message: &str,
    scopes: &[String],
    metadata: Option<(&'static str, String)>,
) -> Refusal {
    let code = if status == StatusCode::FORBIDDEN { Code::INSUFFICIENT_SCOPE } else { Code::INVALID_REQUEST };
    let error = error.map(|error| [("error", error.to_owned()), ("error_description", message.to_owned())]);
    let scope = (!scopes.is_empty()).then(|| ("scope", scopes.join(" ")));
    let parameters = error.into_iter().flatten().chain(scope).chain(metadata);
    let challenge: Vec<String> = parameters.map(|(name, value)| format!("{name}=\"{}\"", quotable(&value))).collect();
    let challenge = format!("Bearer {}", challenge.join(", "));
    let refusal = Refusal::with(status, RpcError::new(code, message));
    // `quotable` keeps only characters that a header may have, so the conversion does not fail.
    match HeaderValue::try_from(challenge.trim_end()) {
        Ok(challenge) => refusal.header(WWW_AUTHENTICATE, challenge),
        Err(_) => refusal.header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")),
    }
}

/// Removes the characters that a quoted header parameter cannot have.
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

/// A URL that cannot identify a protected endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceError(String);

impl fmt::Display for ResourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a valid resource: use an http or https URL without query and fragment", self.0)
    }
}

impl std::error::Error for ResourceError {}
