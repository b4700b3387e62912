//! The store of sessions: one key for each session.

use std::time::Duration;

use mcp_core::transport::{BoxFuture, SessionRecord, SessionStore, SessionStoreError};

use crate::redis_store::Redis;

const KIND: &str = "session";

impl SessionStore for Redis {
    fn save(&self, name: &str, record: &SessionRecord, idle: Duration) -> BoxFuture<Result<(), SessionStoreError>> {
        let (mut connection, key, text) = (self.connection.clone(), self.key(KIND, name), serde_json::to_string(record));
        Box::pin(async move {
            let mut set = redis::cmd("SET");
            set.arg(key).arg(text?).arg("PX").arg(milliseconds(idle));
            Ok(set.query_async(&mut connection).await?)
        })
    }

    fn load(&self, name: &str, idle: Duration) -> BoxFuture<Result<Option<SessionRecord>, SessionStoreError>> {
        let (mut connection, key) = (self.connection.clone(), self.key(KIND, name));
        Box::pin(async move {
            let mut get = redis::cmd("GETEX");
            get.arg(key).arg("PX").arg(milliseconds(idle));
            let text: Option<String> = get.query_async(&mut connection).await?;
            Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
        })
    }

    fn remove(&self, name: &str) -> BoxFuture<Result<bool, SessionStoreError>> {
        let (mut connection, key) = (self.connection.clone(), self.key(KIND, name));
        Box::pin(async move {
            let removed: u64 = redis::cmd("DEL").arg(key).query_async(&mut connection).await?;
            Ok(removed > 0)
        })
    }
}

/// Returns a time to live that Redis accepts.
fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).clamp(1, i64::MAX as u64 / 2)
}
