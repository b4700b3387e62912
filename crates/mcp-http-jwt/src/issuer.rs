//! Who signs tokens, and where its keys are.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use mcp_core::transport::BoxFuture;

use crate::keys::Keys;

/// Why keys could not be fetched, in the words of your HTTP client.
pub type FetchError = Box<dyn std::error::Error + Send + Sync>;

/// Fetches what stands at an address: your HTTP client, with your proxies and your trusted certificates.
///
/// Any `Fn(String) -> impl Future<Output = Result<Vec<u8>, FetchError>>` is one. It should follow no redirects and bound what
/// it reads and how long; an answer other than 200 is an error.
pub trait Fetch: Send + Sync + 'static {
    /// The body of what stands there.
    fn fetch(&self, address: String) -> BoxFuture<Result<Vec<u8>, FetchError>>;
}

impl<C, F> Fetch for C
where
    C: Fn(String) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Vec<u8>, FetchError>> + Send + 'static,
{
    fn fetch(&self, address: String) -> BoxFuture<Result<Vec<u8>, FetchError>> {
        Box::pin(self(address))
    }
}

/// An authorization server, as far as its tokens go: its name and its keys.
///
/// The keys are fetched when the first token comes, again when a token names a key that is not among them, but not more often
/// than once in half a minute, and every hour. When that fails, those that are known stay good.
#[derive(Clone)]
pub struct Issuer {
    pub(crate) name: String,
    pub(crate) keys: Arc<Keys>,
}

impl Issuer {
    /// One whose tokens say that they come from `name`, signed with the keys at the address `jwks`.
    pub fn new(name: impl Into<String>, jwks: impl Into<String>, fetch: impl Fetch) -> Issuer {
        Issuer { name: name.into(), keys: Arc::new(Keys::new(jwks.into(), Box::new(fetch))) }
    }

    /// How long keys are used before they are fetched again.
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
