//! Hears about the changes of chats from all instances.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use futures_lite::StreamExt as _;
use redis::{Client, RedisError};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::sleep;

/// The time between two attempts to connect.
const RECONNECT: Duration = Duration::from_millis(500);

/// Notifies the watchers of a chat when it changes on any instance. Has one connection to Redis.
#[derive(Debug)]
pub(crate) struct Listener {
    chats: Arc<Chats>,
    task: AbortHandle,
}

type Chats = Mutex<HashMap<String, watch::Sender<()>>>;

impl Listener {
    /// Starts to listen to the channels with this prefix. The rest of their names is the chat.
    pub(crate) fn start(client: Client, channels: String) -> Self {
        let chats = Arc::<Chats>::default();
        let task = tokio::spawn(listen(client, channels, Arc::downgrade(&chats))).abort_handle();
        Self { chats, task }
    }

    pub(crate) fn changes(&self, chat: &str) -> watch::Receiver<()> {
        let mut chats = lock(&self.chats);
        // Chats that nobody watches any more are forgotten.
        chats.retain(|_, sender| sender.receiver_count() > 0);
        chats.entry(chat.to_owned()).or_default().subscribe()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn listen(client: Client, channels: String, chats: Weak<Chats>) {
    loop {
        if let Err(error) = listen_once(&client, &channels, &chats).await {
            tracing::warn!(%error, "cannot hear about changes of chats: connecting again");
        }
        sleep(RECONNECT).await;
        if chats.strong_count() == 0 {
            return;
        }
    }
}

async fn listen_once(client: &Client, channels: &str, chats: &Weak<Chats>) -> Result<(), RedisError> {
    let mut subscription = client.get_async_pubsub().await?;
    subscription.psubscribe(format!("{channels}*")).await?;
    // Notifications of the time without a connection are lost.
    notify(chats, None);
    let mut messages = subscription.on_message();
    while let Some(message) = messages.next().await {
        if let Some(chat) = message.get_channel_name().strip_prefix(channels) {
            notify(chats, Some(chat));
        }
    }
    Ok(())
}

/// Notifies the watchers of a chat, or of all chats.
fn notify(chats: &Weak<Chats>, chat: Option<&str>) {
    let Some(chats) = chats.upgrade() else { return };
    let chats = lock(&chats);
    match chat {
        Some(chat) => chats.get(chat).into_iter().for_each(|sender| sender.send_replace(())),
        None => chats.values().for_each(|sender| sender.send_replace(())),
    }
}

fn lock(chats: &Chats) -> MutexGuard<'_, HashMap<String, watch::Sender<()>>> {
    chats.lock().unwrap_or_else(PoisonError::into_inner)
}
