//! The tokens of a flow, in memory and in the store.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use tokio::time::Instant;

use super::flow::Flow;
use super::resource::canonical;
use super::store::StoredTokens;
use super::token::Tokens;
use crate::authorize::AuthorizeError;

/// The tokens for the next request.
#[derive(Clone)]
pub(super) enum CurrentTokens {
    NotLoaded,
    None,
    Tokens(Arc<Tokens>),
}

/// The stored tokens, and the times of the last logins.
#[derive(Default)]
pub(super) struct State {
    pub(super) stored: Option<StoredTokens>,
    /// The times of the last logins.
    pub(super) logins: VecDeque<Instant>,
}

impl State {
    pub(super) fn tokens(&self) -> Option<&Tokens> {
        self.stored.as_ref()?.tokens.as_ref()
    }
}

impl Flow {
    /// Reads the store, because another program may have saved newer tokens.
    pub(super) async fn load(&self, state: &mut State) -> Result<(), AuthorizeError> {
        let (store, server) = (Arc::clone(&self.options.store), canonical(&self.server));
        let Some(loaded) = blocking(move || store.load(&server)).await?? else { return Ok(()) };
        let issued_at = |stored: &StoredTokens| stored.tokens.as_ref().map(|tokens| tokens.issued_at);
        let is_newer = state.stored.as_ref().is_none_or(|stored| issued_at(stored) <= issued_at(&loaded));
        // Ignores tokens that were issued to another client id.
        let is_ours = match (&self.options.client, &loaded.client.redirect) {
            (Some(client), _) => client.id == loaded.client.id,
            (None, Some(_)) => true,
            (None, None) => self.options.document.as_ref() == Some(&loaded.client.id),
        };
        if is_newer && is_ours && loaded.server == canonical(&self.server) {
            state.stored = Some(loaded);
        }
        Ok(())
    }

    /// Stores tokens, and makes later requests use them.
    pub(super) async fn keep(&self, state: &mut State, stored: StoredTokens) {
        let (store, saved) = (Arc::clone(&self.options.store), stored.clone());
        state.stored = Some(stored);
        self.publish(state);
        let save = blocking(move || store.save(&saved.server, &saved)).await.and_then(|saved| saved);
        if let Err(error) = save {
            tracing::warn!(%error, "cannot store the tokens: they are lost when the program ends");
        }
    }

    /// Makes later requests use these tokens.
    pub(super) fn publish(&self, state: &State) {
        let current = state.tokens().map_or(CurrentTokens::None, |tokens| CurrentTokens::Tokens(Arc::new(tokens.clone())));
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = current;
    }
}

async fn blocking<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> Result<T, AuthorizeError> {
    let finished = tokio::task::spawn_blocking(run).await;
    finished.map_err(|error| AuthorizeError::new("the token store failed").source(error))
}
