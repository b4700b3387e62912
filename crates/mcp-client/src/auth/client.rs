//! The client id and credentials for an authorization server.

use data_encoding::BASE64;
use http::header::HeaderValue;
use serde::{Deserialize, Serialize};
use url::form_urlencoded::byte_serialize;

use super::issuer::Issuer;
use super::private_key::PrivateKey;
use super::secret::Secret;
use crate::authorize::AuthorizeError;

const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// A client that was registered at an authorization server beforehand.
///
/// ```
/// use mcp_client::RegisteredClient;
///
/// let client = RegisteredClient::new("reports").secret("from the vault").issuer("https://login.example.com");
/// # let _ = client;
/// ```
#[derive(Clone, Debug)]
pub struct RegisteredClient {
    pub(super) id: String,
    pub(super) secret: Option<Secret>,
    pub(super) key: Option<PrivateKey>,
    pub(super) issuer: Option<String>,
}

impl RegisteredClient {
    /// Creates a client without a secret.
    pub fn new(id: impl Into<String>) -> RegisteredClient {
        RegisteredClient { id: id.into(), secret: None, key: None, issuer: None }
    }

    /// Sets the client's secret. It is sent by the method that the authorization server supports (basic or post).
    #[must_use]
    pub fn secret(mut self, secret: impl Into<String>) -> RegisteredClient {
        self.secret = Some(Secret::new(secret));
        self
    }

    /// Sets the private key with which the client signs assertions (`private_key_jwt`). It replaces the secret.
    #[must_use]
    pub fn private_key(mut self, key: PrivateKey) -> RegisteredClient {
        self.key = Some(key);
        self
    }

    /// Sets the issuer that the client is registered at: the secret is sent to no other authorization server.
    ///
    /// Set it whenever you know it. Without it, the secret goes to the first authorization server that the MCP server names.
    #[must_use]
    pub fn issuer(mut self, issuer: impl Into<String>) -> RegisteredClient {
        self.issuer = Some(issuer.into());
        self
    }
}

/// A way to authenticate at the token endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Method {
    #[serde(rename = "none")]
    None,
    #[serde(rename = "client_secret_basic")]
    Basic,
    #[serde(rename = "client_secret_post")]
    Post,
    #[serde(rename = "private_key_jwt")]
    PrivateKey,
}

impl Method {
    pub(super) fn name(self) -> &'static str {
        match self {
            Method::None => "none",
            Method::Basic => "client_secret_basic",
            Method::Post => "client_secret_post",
            Method::PrivateKey => "private_key_jwt",
        }
    }

    pub(super) fn parse(name: &str) -> Option<Method> {
        [Method::None, Method::Basic, Method::Post, Method::PrivateKey].into_iter().find(|method| method.name() == name)
    }

    /// Returns the authentication method if the registration does not name one.
    pub(super) fn for_secret(issuer: &Issuer) -> Method {
        // RFC 8414: without a list the method is basic.
        let Some(methods) = &issuer.client_auth else { return Method::Basic };
        let supports = |method: &Method| methods.iter().any(|name| name == method.name());
        [Method::Basic, Method::Post, Method::None].into_iter().find(supports).unwrap_or(Method::Basic)
    }
}

/// The client's id and credentials at one authorization server.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ClientId {
    pub(super) id: String,
    pub(super) secret: Option<Secret>,
    pub(super) method: Method,
    /// The redirect URL, if the client was registered dynamically.
    pub(super) redirect: Option<String>,
    /// When the secret expires, in seconds since 1970.
    pub(super) expires_at: Option<u64>,
}

impl ClientId {
    /// Creates a client id that needs no registration by this program.
    pub(super) fn known(id: String, secret: Option<Secret>, method: Method) -> ClientId {
        ClientId { id, secret, method, redirect: None, expires_at: None }
    }

    /// Adds the client's credentials to a form, or returns an `Authorization` header with them.
    pub(super) fn authenticate(
        &self,
        issuer: &Issuer,
        key: Option<&PrivateKey>,
        form: &mut Vec<(&str, String)>,
    ) -> Result<Option<HeaderValue>, AuthorizeError> {
        let secret = self.secret.as_ref().map(Secret::expose).unwrap_or_default();
        if self.method == Method::Basic {
            let encode = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
            let password = BASE64.encode(format!("{}:{}", encode(&self.id), encode(secret)).as_bytes());
            let header = HeaderValue::try_from(format!("Basic {password}"));
            let mut header = header.map_err(|_| AuthorizeError::new("the client secret cannot be sent in a header"))?;
            header.set_sensitive(true);
            return Ok(Some(header));
        }
        form.push(("client_id", self.id.clone()));
        match self.method {
            Method::Post => form.push(("client_secret", secret.to_owned())),
            Method::PrivateKey => {
                let key = key.ok_or_else(|| AuthorizeError::new("the private key of the client is missing"))?;
                form.push(("client_assertion_type", ASSERTION_TYPE.to_owned()));
                form.push(("client_assertion", key.assertion(&self.id, &issuer.id)?));
            }
            Method::None | Method::Basic => {}
        }
        Ok(None)
    }
}
