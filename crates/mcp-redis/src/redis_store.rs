//! The connection and the names of keys.

use std::fmt;
use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, RedisError};

/// Timeout of a connection attempt and of each command.
const REDIS_TIMEOUT: Duration = Duration::from_secs(5);

/// A connection to a Redis server, and the prefix of the keys.
#[derive(Clone)]
pub struct Redis {
    pub(crate) connection: ConnectionManager,
    prefix: String,
}

impl Redis {
    /// Connects to a URL such as `redis://127.0.0.1:6379/0`.
    ///
    /// # Errors
    /// Returns an error if the URL is invalid or the server cannot be reached.
    pub async fn connect(url: &str) -> Result<Redis, RedisError> {
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(2)
            .set_connection_timeout(Some(REDIS_TIMEOUT))
            .set_response_timeout(Some(REDIS_TIMEOUT));
        let connection = Client::open(url)?.get_connection_manager_with_config(config).await?;
        Ok(Redis { connection, prefix: "mcp".to_owned() })
    }

    /// Sets the prefix of all keys, so that different servers can use the same Redis. The default is `mcp`.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Redis {
        self.prefix = prefix.into();
        self
    }

    /// Returns the key of an item of this kind.
    pub(crate) fn key(&self, kind: &str, name: &str) -> String {
        format!("{}:{kind}:{name}", self.prefix)
    }
}

impl fmt::Debug for Redis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redis").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}
