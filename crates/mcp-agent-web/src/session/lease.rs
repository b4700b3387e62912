//! The lease of a chat: only one runner, of all instances, runs its session.

use std::sync::Arc;
use std::time::Duration;

use mcp_agent::random_uuid;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::sleep;

use crate::store::{ChatStore, StoreError};

/// The lease of a chat, which is extended in the background until it is released or dropped.
#[derive(Debug)]
pub(crate) struct Lease {
    pub(crate) id: String,
    pub(crate) chat: String,
    store: Arc<dyn ChatStore>,
    lost: watch::Receiver<bool>,
    keeper: AbortHandle,
}

impl Lease {
    /// Takes the lease of a chat. Returns `None` if another runner holds it.
    pub(crate) async fn claim(store: &Arc<dyn ChatStore>, chat: &str, time: Duration) -> Result<Option<Self>, StoreError> {
        let id = random_uuid();
        if !store.claim(chat, &id, time).await? {
            return Ok(None);
        }
        let (is_lost, lost) = watch::channel(false);
        let keeper = tokio::spawn(keep(Arc::clone(store), chat.to_owned(), id.clone(), time, is_lost)).abort_handle();
        Ok(Some(Self { id, chat: chat.to_owned(), store: Arc::clone(store), lost, keeper }))
    }

    /// Waits until the lease is lost.
    pub(crate) async fn lost(&self) {
        let mut lost = self.lost.clone();
        // An error means that the keeper has ended, which it does only after it has lost the lease.
        let _ = lost.wait_for(|lost| *lost).await;
    }

    pub(crate) async fn release(self) -> Result<(), StoreError> {
        self.keeper.abort();
        self.store.release(&self.chat, &self.id).await
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

async fn keep(store: Arc<dyn ChatStore>, chat: String, id: String, time: Duration, is_lost: watch::Sender<bool>) {
    // Two attempts may fail before the lease expires.
    let mut failures = 0;
    while failures < 3 {
        sleep(time / 4).await;
        match store.claim(&chat, &id, time).await {
            Ok(true) => failures = 0,
            Ok(false) => break,
            Err(error) => {
                tracing::warn!(%error, chat, "cannot extend the lease of a chat");
                failures += 1;
            }
        }
    }
    is_lost.send_replace(true);
}
