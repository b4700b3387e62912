//! The connection, and how things are named.

use std::fmt;
use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, RedisError};

/// How long Redis may take to answer before a request is told to come back later.
const PATIENCE: Duration = Duration::from_secs(5);

/// A Redis server, and a part of its names.
#[derive(Clone)]
pub struct Redis {
    pub(crate) connection: ConnectionManager,
    prefix: String,
}

impl Redis {
    /// Connects to an address such as `redis://127.0.0.1:6379/0`.
    ///
    /// # Errors
    /// When the address is none, or nobody answers there.
    pub async fn connect(address: &str) -> Result<Redis, RedisError> {
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(2)
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        let connection = Client::open(address)?.get_connection_manager_with_config(config).await?;
        Ok(Redis { connection, prefix: "mcp".to_owned() })
    }

    /// Begins all names with that word instead of `mcp`, for servers that share a Redis and nothing else.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Redis {
        self.prefix = prefix.into();
        self
    }

    /// The name of a thing of that kind.
    pub(crate) fn key(&self, kind: &str, name: &str) -> String {
        format!("{}:{kind}:{name}", self.prefix)
    }
}

impl fmt::Debug for Redis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redis").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}
