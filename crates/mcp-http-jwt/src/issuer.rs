//! The issuer of tokens, and where its keys are.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use mcp_core::transport::BoxFuture;

use crate::keys::Keys;

/// Why keys could not be fetched: the error of your HTTP client.
pub type FetchError = Box<dyn std::error::Error + Send + Sync>;

/// Fetches a URL. Applications implement it with their HTTP client, its proxies and its trusted certificates.
///
/// Every `Fn(String) -> impl Future<Output = Result<Vec<u8>, FetchError>>` implements it. An implementation should not follow
/// redirects, should limit the size of the body and the time, and should return an error for any status other than 200.
pub trait Fetch: Send + Sync + 'static {
    /// Returns the body of the response to a GET request.
    fn fetch(&self, url: String) -> BoxFuture<Result<Vec<u8>, FetchError>>;
}

impl<C, F> Fetch for C
where
    C: Fn(String) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Vec<u8>, FetchError>> + Send + 'static,
{
    fn fetch(&self, url: String) -> BoxFuture<Result<Vec<u8>, FetchError>> {
        Box::pin(self(url))
    }
}

/// An authorization server that issues tokens: its name and its keys.
///
/// The keys are fetched when the first token arrives, when a token names an unknown key (at most once in 30 seconds), and every
/// hour. If that fails, the known keys remain valid.
#[derive(Clone)]
pub struct Issuer {
    pub(crate) name: String,
    pub(crate) keys: Arc<Keys>,
}

impl Issuer {
    /// Creates an issuer. `name` is the claim `iss` of its tokens, `jwks` the URL of its keys (a JSON Web Key Set).
    pub fn new(name: impl Into<String>, jwks: impl Into<String>, fetch: impl Fetch) -> Issuer {
        Issuer { name: name.into(), keys: Arc::new(Keys::new(jwks.into(), Box::new(fetch))) }
    }

    /// Sets how long keys are used before they are fetched again. The default is one hour.
    #[must_use]
    pub fn keep_keys_for(self, time: Duration) -> Issuer {
        self.keys.keep_for(time);
        self
    }
}

impl fmt::Debug for Issuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Issuer").field("name", &self.name).field("keys", &self.keys).finish()
    }
}
