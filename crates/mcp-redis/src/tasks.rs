//! The store of tasks: one key for each task, and an index of tasks for each owner.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use mcp_core::task::{StoreError, Task, TaskMessage, TaskMessages, TaskStore};
use mcp_core::transport::BoxFuture;
use redis::aio::ConnectionManager;
use redis::{AsyncCommands, RedisError};

use crate::redis_store::Redis;

const KIND: &str = "task";
const INDEX: &str = "tasks";
const MESSAGES: &str = "messages";

/// The maximum number of stored messages for a task. If the process that runs the task is gone, only the newest are kept.
const MAX_MESSAGES: isize = 1024;

/// Only the instance that runs a task saves it; every instance can load it.
impl TaskStore for Redis {
    fn save(&self, task: Task) -> BoxFuture<Result<(), StoreError>> {
        let (mut connection, key, index) = (self.connection.clone(), self.key(KIND, &task.id), self.key(INDEX, &task.owner));
        Box::pin(async move {
            let text = serde_json::to_string(&task).map_err(failed)?;
            let (end, left) = (task.created.saturating_add(task.ttl), left(&task));
            let mut both = redis::pipe();
            both.atomic().cmd("SET").arg(key).arg(text).arg("PX").arg(left).ignore();
            if !task.owner.is_empty() {
                // The index is sorted by the end of the time to live, so one command removes all expired tasks.
                both.cmd("ZADD").arg(&index).arg(end).arg(&task.id).ignore();
                both.cmd("ZREMRANGEBYSCORE").arg(&index).arg("-inf").arg(now()).ignore();
                both.cmd("PEXPIRE").arg(&index).arg(left).arg("GT").ignore();
                both.cmd("PEXPIRE").arg(&index).arg(left).arg("NX").ignore();
            }
            both.exec_async(&mut connection).await.map_err(failed)
        })
    }

    fn load(&self, id: &str) -> BoxFuture<Result<Option<Task>, StoreError>> {
        let (mut connection, key) = (self.connection.clone(), self.key(KIND, id));
        Box::pin(async move {
            let text: Option<String> = connection.get(key).await.map_err(failed)?;
            text.map(|text| serde_json::from_str(&text)).transpose().map_err(failed)
        })
    }

    fn list(&self, owner: &str) -> BoxFuture<Result<Vec<Task>, StoreError>> {
        let (store, index) = (self.clone(), self.key(INDEX, owner));
        Box::pin(async move {
            let mut connection = store.connection.clone();
            let ids: Vec<String> = connection.zrangebyscore(index, now(), "+inf").await.map_err(failed)?;
            let texts = texts(&mut connection, ids.iter().map(|id| store.key(KIND, id)).collect()).await.map_err(failed)?;
            let tasks = texts.iter().flatten().map(|text| serde_json::from_str(text).map_err(failed));
            tasks.collect()
        })
    }

    fn remove(&self, id: &str) -> BoxFuture<Result<(), StoreError>> {
        let (mut connection, key) = (self.connection.clone(), self.key(KIND, id));
        // The index keeps the id until the task would have expired. Lists leave out ids without a task.
        Box::pin(async move { connection.del(key).await.map_err(failed) })
    }

    fn messages(&self) -> Option<&dyn TaskMessages> {
        Some(self)
    }
}

/// The messages for a task are a list that expires with the task.
impl TaskMessages for Redis {
    fn send(&self, task: &Task, message: TaskMessage) -> BoxFuture<Result<(), StoreError>> {
        let (mut connection, key, left) = (self.connection.clone(), self.key(MESSAGES, &task.id), left(task));
        Box::pin(async move {
            let text = serde_json::to_string(&message).map_err(failed)?;
            let mut both = redis::pipe();
            both.atomic().cmd("RPUSH").arg(&key).arg(text).ignore();
            both.cmd("LTRIM").arg(&key).arg(-MAX_MESSAGES).arg(-1).ignore();
            both.cmd("PEXPIRE").arg(&key).arg(left).ignore();
            both.exec_async(&mut connection).await.map_err(failed)
        })
    }

    fn receive(&self, id: &str) -> BoxFuture<Result<Vec<TaskMessage>, StoreError>> {
        let (mut connection, key) = (self.connection.clone(), self.key(MESSAGES, id));
        Box::pin(async move {
            let mut both = redis::pipe();
            both.atomic().cmd("LRANGE").arg(&key).arg(0).arg(-1).cmd("DEL").arg(&key).ignore();
            let (texts,): (Vec<String>,) = both.query_async(&mut connection).await.map_err(failed)?;
            texts.iter().map(|text| serde_json::from_str(text).map_err(failed)).collect()
        })
    }
}

/// Returns the values of these keys.
async fn texts(connection: &mut ConnectionManager, keys: Vec<String>) -> Result<Vec<Option<String>>, RedisError> {
    match keys.is_empty() {
        true => Ok(Vec::new()),
        false => connection.mget(keys).await,
    }
}

/// Returns the remaining time to live of a task in milliseconds.
fn left(task: &Task) -> u64 {
    task.created.saturating_add(task.ttl).saturating_sub(now()).max(1)
}

/// Returns the time in milliseconds since 1970, as in the field `created` of a task.
fn now() -> u64 {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    u64::try_from(passed.as_millis()).unwrap_or(u64::MAX)
}

fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
    StoreError::Failed(error.into())
}
