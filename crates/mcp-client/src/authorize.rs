//! Authorization over HTTP: the trait that supplies credentials and handles responses that refuse them.

use std::fmt;
use std::time::Duration;

use http::Method;
use http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use url::Url;

use crate::transport::Boxed;

/// Supplies credentials for the requests of an HTTP transport.
///
/// Implement it to get tokens in your own way, and pass it to [`Builder::authorize`](crate::Builder::authorize). The transport calls
/// it for requests to the URL of the server only, and never follows a redirect, so credentials reach no other origin.
pub trait Authorize: Send + Sync + 'static {
    /// Returns the headers that authorize a request, or `None` to send it without.
    ///
    /// Called before every request, so it should return a cached token, and refresh it shortly before it expires.
    ///
    /// # Errors
    /// If there are no credentials. The request is then not sent.
    fn credentials<'a>(&'a self, request: &'a AuthRequest) -> Boxed<'a, Result<Option<Credentials>, AuthorizeError>>;

    /// Handles a response with status 401 or 403, for example with a login or a token for more scopes.
    ///
    /// Called at most once for each of the two statuses of one request. The server did not process the request, so sending it
    /// again has no second effect.
    ///
    /// # Errors
    /// If authorization failed. The error is returned to the caller of the request.
    fn challenged<'a>(&'a self, challenge: &'a Challenge) -> Boxed<'a, Result<Next, AuthorizeError>>;

    /// Returns the maximum time of a login. It is added to the connection timeout.
    fn login_time(&self) -> Duration {
        Duration::ZERO
    }
}

/// A request that is about to be sent.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AuthRequest {
    /// The method of the HTTP request.
    pub method: Method,
    /// The URL of the server.
    pub url: Url,
}

/// A response with status 401 or 403.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Challenge {
    /// The request that the server refused.
    pub request: AuthRequest,
    /// The status: 401 or 403.
    pub status: u16,
    /// The headers of the response, `WWW-Authenticate` among them.
    pub headers: HeaderMap,
    /// The credentials that were sent with the request. A concurrent request may already have got newer ones.
    pub credentials: Option<Credentials>,
}

/// What to do after a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Send the request again, with new credentials.
    Retry,
    /// Do not repeat the request. The caller gets an error with the status.
    GiveUp,
}

/// The headers that authorize a request.
#[derive(Clone)]
pub struct Credentials(Vec<(HeaderName, HeaderValue)>);

impl Credentials {
    /// Creates an `Authorization` header with a bearer token.
    ///
    /// # Errors
    /// If the token contains characters that are not allowed in a header.
    pub fn bearer(token: &str) -> Result<Credentials, AuthorizeError> {
        let value = HeaderValue::try_from(format!("Bearer {token}"))
            .map_err(|_| AuthorizeError::new("the token contains characters that are not allowed in a header"))?;
        Ok(Credentials(Vec::new()).header(AUTHORIZATION, value))
    }

    /// Adds a header, for schemes that need more than one. Its value is hidden in logs.
    #[must_use]
    pub fn header(mut self, name: HeaderName, mut value: HeaderValue) -> Credentials {
        value.set_sensitive(true);
        self.0.push((name, value));
        self
    }

    /// Returns the value of a header.
    pub fn get(&self, name: &HeaderName) -> Option<&HeaderValue> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    pub(crate) fn into_headers(self) -> Vec<(HeaderName, HeaderValue)> {
        self.0
    }
}

/// Shows the names of the headers, not their values.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

/// A fixed bearer token.
#[derive(Debug)]
pub(crate) struct FixedToken(pub(crate) Credentials);

impl Authorize for FixedToken {
    fn credentials<'a>(&'a self, _: &'a AuthRequest) -> Boxed<'a, Result<Option<Credentials>, AuthorizeError>> {
        Box::pin(async { Ok(Some(self.0.clone())) })
    }

    fn challenged<'a>(&'a self, _: &'a Challenge) -> Boxed<'a, Result<Next, AuthorizeError>> {
        Box::pin(async { Ok(Next::GiveUp) })
    }
}

/// An error of an [`Authorize`] implementation.
#[derive(Debug)]
pub struct AuthorizeError {
    message: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl AuthorizeError {
    /// Creates an error with this message.
    pub fn new(message: impl Into<String>) -> AuthorizeError {
        AuthorizeError { message: message.into(), source: None }
    }

    /// Adds the cause.
    #[must_use]
    pub fn source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> AuthorizeError {
        self.source = Some(source.into());
        self
    }
}

impl fmt::Display for AuthorizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for AuthorizeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| &**source as &(dyn std::error::Error + 'static))
    }
}
