//! The trait for token storage, and a store in memory.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::client::ClientId;
use super::token::Tokens;
use crate::authorize::AuthorizeError;

/// Keeps the tokens of MCP servers. [`FileStore`](crate::FileStore) keeps them on disk; by default they are kept in memory.
///
/// Implement it to keep them elsewhere, for example in the keychain of the system. The methods may block: they are called
/// outside of the async threads.
pub trait TokenStore: fmt::Debug + Send + Sync + 'static {
    /// Returns the tokens that were saved for a server.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn load(&self, server: &str) -> Result<Option<StoredTokens>, AuthorizeError>;

    /// Replaces the tokens of a server. `server` is its URL.
    ///
    /// # Errors
    /// If the store cannot be written. The tokens are then used, but lost when the program ends.
    fn save(&self, server: &str, tokens: &StoredTokens) -> Result<(), AuthorizeError>;
}

/// The tokens for one server, bound to the server, the issuer and the client that they were issued to.
///
/// Serialize it to store it. The serialized form contains secrets; `Debug` does not show them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredTokens {
    /// The URL of the MCP server.
    pub(super) server: String,
    /// The resource that the tokens were requested for.
    pub(super) resource: String,
    pub(super) issuer: String,
    pub(super) legacy: bool,
    pub(super) client: ClientId,
    /// The tokens of the client. `None` if the authorization server refused the last refresh token.
    pub(super) tokens: Option<Tokens>,
}

/// Keeps tokens until the program ends.
#[derive(Debug, Default)]
pub(super) struct MemoryStore(Mutex<HashMap<String, StoredTokens>>);

impl TokenStore for MemoryStore {
    fn load(&self, server: &str) -> Result<Option<StoredTokens>, AuthorizeError> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).get(server).cloned())
    }

    fn save(&self, server: &str, tokens: &StoredTokens) -> Result<(), AuthorizeError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(server.to_owned(), tokens.clone());
        Ok(())
    }
}
