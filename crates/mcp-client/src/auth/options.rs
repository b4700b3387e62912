//! The options of [`OAuth`](super::OAuth).

use std::sync::Arc;
use std::time::Duration;

use super::browser::{self, Browser};
use super::client::RegisteredClient;
use super::private_key::PrivateKey;
use super::scopes::Scopes;
use super::store::{MemoryStore, TokenStore};

#[derive(Clone)]
pub(super) struct Options {
    /// Whether to use the client credentials grant, which has no user.
    pub(super) machine: bool,
    pub(super) client: Option<RegisteredClient>,
    /// The URL of the client id metadata document.
    pub(super) document: Option<String>,
    pub(super) name: String,
    pub(super) scopes: Scopes,
    pub(super) store: Arc<dyn TokenStore>,
    pub(super) browser: Browser,
    pub(super) redirect: String,
    pub(super) login_timeout: Duration,
    pub(super) fetch_timeout: Duration,
    pub(super) allow_private: bool,
}

impl Options {
    pub(super) fn key(&self) -> Option<&PrivateKey> {
        self.client.as_ref()?.key.as_ref()
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            machine: false,
            client: None,
            document: None,
            name: env!("CARGO_PKG_NAME").to_owned(),
            scopes: Scopes::default(),
            store: Arc::new(MemoryStore::default()),
            browser: browser::system(),
            redirect: "http://127.0.0.1/callback".to_owned(),
            login_timeout: Duration::from_secs(5 * 60),
            fetch_timeout: Duration::from_secs(30),
            allow_private: false,
        }
    }
}
