//! What the hub gives to the program that creates the agent of a chat.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use mcp_agent::{Ask, Decision};

use crate::session::Asks;

/// A chat whose agent is being created.
pub struct Chat {
    id: String,
    asks: Asks,
}

impl Chat {
    pub(crate) fn new(id: String, asks: Asks) -> Self {
        Self { id, asks }
    }

    /// Returns the id of the chat.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns a permission callback that asks the people who watch the chat: for
    /// [`Agent::permission`](mcp_agent::Agent::permission) or, with permission rules,
    /// [`Agent::rules_or`](mcp_agent::Agent::rules_or). Without it, the CLI denies what it would ask about.
    ///
    /// Everyone who watches sees the question as the event `chat.ask`. The first answer counts.
    pub fn ask(&self) -> impl Fn(Ask) -> Pin<Box<dyn Future<Output = Decision> + Send>> + Send + Sync + 'static {
        let asks = self.asks.clone();
        move |ask| asks.ask(ask)
    }
}

impl fmt::Debug for Chat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chat").field("id", &self.id).finish_non_exhaustive()
    }
}
