//! The session store.

use std::fmt;
use std::time::Duration;

use mcp_agent::Pending;
use mcp_agent::store::{SessionKey, SessionStore, SessionSummary, StoreError, StoredLine};
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, Cmd, RedisError};

use crate::keys::Keys;

/// Timeout of a connection attempt and of each command.
const REDIS_TIMEOUT: Duration = Duration::from_secs(5);

/// Appends lines, unless the summary has changed since it was read. Returns whether it has appended.
///
/// Keys: lines, ids, summary, names (the sessions of the project, or the subpaths of the session).
/// Arguments: the name, the old and the new summary (both empty for a sub-agent), the time to live in milliseconds or 0, then
/// id and text of each line.
const APPEND: &str = r"
local is_main = ARGV[3] ~= ''
if is_main and (redis.call('GET', KEYS[3]) or '') ~= ARGV[2] then return 0 end
for i = 5, #ARGV, 2 do
  if ARGV[i] == '' or redis.call('SADD', KEYS[2], ARGV[i]) == 1 then redis.call('RPUSH', KEYS[1], ARGV[i + 1]) end
end
if is_main then redis.call('SET', KEYS[3], ARGV[3]) end
redis.call('SADD', KEYS[4], ARGV[1])
if ARGV[4] ~= '0' then
  for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ARGV[4]) end
  if not is_main then redis.call('PEXPIRE', KEYS[4], ARGV[4]) end
end
return 1";

/// A session store in Redis.
#[derive(Clone)]
pub struct RedisStore {
    connection: ConnectionManager,
    keys: Keys,
    retention: Option<Duration>,
}

impl RedisStore {
    /// Connects to a URL such as `redis://127.0.0.1:6379/0`.
    ///
    /// # Errors
    /// If the URL is invalid or the server cannot be reached.
    pub async fn connect(url: &str) -> Result<Self, RedisError> {
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(2)
            .set_connection_timeout(Some(REDIS_TIMEOUT))
            .set_response_timeout(Some(REDIS_TIMEOUT));
        let connection = Client::open(url)?.get_connection_manager_with_config(config).await?;
        Ok(Self { connection, keys: Keys { prefix: "agent".to_owned() }, retention: None })
    }

    /// Sets the prefix of all keys, so that several programs can use the same Redis. The default is `agent`.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.keys.prefix = prefix.into();
        self
    }

    /// Sets how long a session is kept after its last line. By default it is kept until it is deleted.
    #[must_use]
    pub fn retention(mut self, time: Duration) -> Self {
        self.retention = Some(time);
        self
    }

    async fn run<T: redis::FromRedisValue>(&self, command: &Cmd) -> Result<T, RedisError> {
        command.query_async(&mut self.connection.clone()).await
    }

    async fn append_lines(&self, key: &SessionKey, lines: &[StoredLine]) -> Result<(), StoreError> {
        let (names, name) = match &key.subpath {
            None => (self.keys.sessions(&key.project), &key.session),
            Some(subpath) => (self.keys.subpaths(key), subpath),
        };
        let summary_key = self.keys.summary(&key.project, &key.session);
        let retention =
            self.retention.map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX).clamp(1, 1 << 50));
        loop {
            let (old, new) =
                if key.subpath.is_none() { self.summaries(key, &summary_key, lines).await? } else { Default::default() };
            let mut append = redis::cmd("EVAL");
            append.arg(APPEND).arg(4).arg(self.keys.lines(key)).arg(self.keys.uuids(key)).arg(&summary_key).arg(&names);
            append.arg(name).arg(old).arg(new).arg(retention);
            for line in lines {
                append.arg(line.uuid().unwrap_or_default()).arg(line.as_str());
            }
            // Another process has changed the summary in between: its lines are part of the next one.
            if self.run::<bool>(&append).await? {
                return Ok(());
            }
        }
    }

    /// Returns the summary that a session has, and the one that it will have with these lines.
    async fn summaries(
        &self,
        key: &SessionKey,
        summary_key: &str,
        lines: &[StoredLine],
    ) -> Result<(String, String), StoreError> {
        let old: Option<String> = self.run(redis::cmd("GET").arg(summary_key)).await?;
        let old = old.unwrap_or_default();
        let summary = serde_json::from_str(&old).unwrap_or_else(|_| SessionSummary::new(&key.session));
        let (seconds, microseconds): (u64, u64) = self.run(&redis::cmd("TIME")).await?;
        let new = summary.fold(lines, seconds * 1000 + microseconds / 1000);
        Ok((old, serde_json::to_string(&new)?))
    }

    async fn load_lines(&self, key: &SessionKey) -> Result<Option<Vec<StoredLine>>, StoreError> {
        let lines: Vec<String> = self.run(redis::cmd("LRANGE").arg(self.keys.lines(key)).arg(0).arg(-1)).await?;
        let lines = lines.iter().map(|line| StoredLine::parse(line)).collect::<Result<Vec<_>, _>>()?;
        Ok(Some(lines).filter(|lines| !lines.is_empty()))
    }

    async fn list(&self, project: &str) -> Result<Vec<SessionSummary>, StoreError> {
        let names: Vec<String> = self.run(redis::cmd("SMEMBERS").arg(self.keys.sessions(project))).await?;
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let mut get = redis::cmd("MGET");
        for name in &names {
            get.arg(self.keys.summary(project, name));
        }
        let texts: Vec<Option<String>> = self.run(&get).await?;
        let mut summaries = Vec::new();
        for (name, text) in names.iter().zip(texts) {
            match text {
                Some(text) => summaries.push(serde_json::from_str(&text)?),
                // Its time has passed.
                None => self.run(redis::cmd("SREM").arg(self.keys.sessions(project)).arg(name)).await?,
            }
        }
        Ok(summaries)
    }

    async fn list_subpaths(&self, session: &SessionKey) -> Result<Vec<String>, StoreError> {
        Ok(self.run(redis::cmd("SMEMBERS").arg(self.keys.subpaths(session))).await?)
    }

    async fn remove(&self, key: &SessionKey) -> Result<(), StoreError> {
        if let Some(subpath) = &key.subpath {
            self.run::<()>(redis::cmd("SREM").arg(self.keys.subpaths(key)).arg(subpath)).await?;
            return Ok(self.run(redis::cmd("DEL").arg(self.keys.lines(key)).arg(self.keys.uuids(key))).await?);
        }
        let mut delete = redis::cmd("DEL");
        for subpath in self.list_subpaths(key).await? {
            let key = key.with_subpath(&subpath)?;
            delete.arg(self.keys.lines(&key)).arg(self.keys.uuids(&key));
        }
        delete.arg(self.keys.lines(key)).arg(self.keys.uuids(key)).arg(self.keys.subpaths(key));
        delete.arg(self.keys.summary(&key.project, &key.session));
        self.run::<()>(&delete).await?;
        Ok(self.run(redis::cmd("SREM").arg(self.keys.sessions(&key.project)).arg(&key.session)).await?)
    }
}

impl SessionStore for RedisStore {
    fn append<'a>(&'a self, key: &'a SessionKey, lines: &'a [StoredLine]) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(self.append_lines(key, lines))
    }

    fn load<'a>(&'a self, key: &'a SessionKey) -> Pending<'a, Result<Option<Vec<StoredLine>>, StoreError>> {
        Box::pin(self.load_lines(key))
    }

    fn sessions<'a>(&'a self, project: &'a str) -> Pending<'a, Result<Vec<SessionSummary>, StoreError>> {
        Box::pin(self.list(project))
    }

    fn subpaths<'a>(&'a self, session: &'a SessionKey) -> Pending<'a, Result<Vec<String>, StoreError>> {
        Box::pin(self.list_subpaths(session))
    }

    fn delete<'a>(&'a self, key: &'a SessionKey) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(self.remove(key))
    }
}

impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the URL, which may have a password.
        f.debug_struct("RedisStore").field("prefix", &self.keys.prefix).finish_non_exhaustive()
    }
}
