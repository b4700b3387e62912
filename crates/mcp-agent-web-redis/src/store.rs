//! The store of chats.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mcp_agent::{Pending, random_uuid};
use mcp_agent_web::store::{ChatState, ChatStore, MAX_COMMANDS, MAX_READ, StoreError, StoredSnapshot};
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::streams::StreamRangeReply;
use redis::{Client, Cmd, FromRedisValue, RedisError};
use tokio::sync::watch;

use crate::listener::Listener;
use crate::scripts;

/// Timeout of a connection attempt and of each command.
const REDIS_TIMEOUT: Duration = Duration::from_secs(5);

/// The default time to live of a chat after its last event.
const TIME_TO_LIVE: Duration = Duration::from_secs(7 * 24 * 3600);

/// Chats in Redis.
///
/// A chat expires when nothing has happened in it for seven days. The connection is restored by itself; a command that fails
/// ends the session that needed it, and the next prompt continues it.
pub struct RedisChats {
    connection: ConnectionManager,
    listener: Listener,
    prefix: String,
    time_to_live: Duration,
}

type Done<'a, T> = Pending<'a, Result<T, StoreError>>;

impl RedisChats {
    /// Connects to a URL such as `redis://127.0.0.1:6379/0`. The keys start with `mcp-chat`.
    ///
    /// # Errors
    /// Returns an error if the URL is invalid or the server cannot be reached.
    pub async fn connect(url: &str) -> Result<Self, RedisError> {
        Self::connect_as(url, "mcp-chat").await
    }

    /// Connects as [`connect`](Self::connect) does, with another prefix of the keys, so that different programs can use the same
    /// Redis.
    ///
    /// # Errors
    /// Returns an error if the URL is invalid or the server cannot be reached.
    pub async fn connect_as(url: &str, prefix: &str) -> Result<Self, RedisError> {
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(2)
            .set_connection_timeout(Some(REDIS_TIMEOUT))
            .set_response_timeout(Some(REDIS_TIMEOUT));
        let client = Client::open(url)?;
        let connection = client.get_connection_manager_with_config(config).await?;
        let listener = Listener::start(client, format!("{prefix}:changed:"));
        Ok(Self { connection, listener, prefix: prefix.to_owned(), time_to_live: TIME_TO_LIVE })
    }

    /// Sets how long a chat is kept after its last event.
    #[must_use]
    pub fn time_to_live(mut self, time: Duration) -> Self {
        self.time_to_live = time.max(Duration::from_millis(1));
        self
    }

    /// Returns a key of a chat. The braces keep all keys of a chat on the same node of a cluster.
    fn key(&self, chat: &str, kind: &str) -> String {
        format!("{}:{{{chat}}}:{kind}", self.prefix)
    }

    fn channel(&self, chat: &str) -> String {
        format!("{}:changed:{chat}", self.prefix)
    }

    /// Returns a command that runs a script with these keys of a chat.
    fn script(&self, script: &str, chat: &str, keys: &[&str]) -> Cmd {
        let mut command = redis::cmd("EVAL");
        command.arg(script).arg(keys.len());
        for key in keys {
            command.arg(self.key(chat, key));
        }
        command
    }

    fn run<'a, T: FromRedisValue + Send + 'a>(&self, command: Cmd) -> Done<'a, T> {
        let mut connection = self.connection.clone();
        Box::pin(async move { command.query_async(&mut connection).await.map_err(failed) })
    }

    /// Runs a script that returns zero if the lease is lost.
    fn held<'a>(&self, command: Cmd) -> Done<'a, u64> {
        let run = self.run::<u64>(command);
        Box::pin(async move { run.await.and_then(|done| if done == 0 { Err(StoreError::LeaseLost) } else { Ok(done) }) })
    }
}

impl ChatStore for RedisChats {
    fn state<'a>(&'a self, chat: &'a str) -> Done<'a, ChatState> {
        let mut all = redis::pipe();
        all.atomic().cmd("HMGET").arg(self.key(chat, "state")).arg(&["epoch", "first", "last", "busy", "ended"]);
        all.cmd("EXISTS").arg(self.key(chat, "lease")).cmd("LLEN").arg(self.key(chat, "commands"));
        let mut connection = self.connection.clone();
        type Fields = (Option<String>, Option<u64>, Option<u64>, Option<bool>, Option<bool>);
        Box::pin(async move {
            let (fields, is_held, commands): (Fields, bool, u64) = all.query_async(&mut connection).await.map_err(failed)?;
            let (epoch, first, last, is_busy, is_ended) = fields;
            Ok(ChatState {
                epoch: epoch.unwrap_or_default(),
                first: first.unwrap_or(1),
                last: last.unwrap_or_default(),
                is_busy: is_busy.unwrap_or_default(),
                is_ended: is_ended.unwrap_or_default(),
                is_held,
                has_commands: commands > 0,
            })
        })
    }

    fn append<'a>(&'a self, chat: &'a str, lease: &'a str, event: Arc<str>, is_busy: bool) -> Done<'a, u64> {
        let mut append = self.script(scripts::APPEND, chat, &["state", "events", "lease", "snapshot"]);
        append.arg(lease).arg(&*event).arg(u8::from(is_busy)).arg(milliseconds(self.time_to_live));
        append.arg(self.channel(chat)).arg(&random_uuid()[..8]);
        self.held(append)
    }

    fn read<'a>(&'a self, chat: &'a str, after: u64, limit: usize) -> Done<'a, Vec<(u64, Arc<str>)>> {
        let mut page = self.script(scripts::READ, chat, &["events"]);
        page.arg(format!("({after}-0")).arg(limit).arg(MAX_READ);
        let read = self.run::<StreamRangeReply>(page);
        Box::pin(async move {
            let event = |entry: redis::streams::StreamId| {
                let number = entry.id.split('-').next().and_then(|number| number.parse().ok());
                let text: Option<String> = entry.get("event");
                number.zip(text.map(Arc::from)).ok_or_else(|| failed("an event in Redis is not valid"))
            };
            read.await?.ids.into_iter().map(event).collect()
        })
    }

    fn save<'a>(&'a self, chat: &'a str, lease: &'a str, snapshot: StoredSnapshot, remove_to: u64) -> Done<'a, ()> {
        let mut save = self.script(scripts::SAVE, chat, &["state", "events", "lease", "snapshot"]);
        save.arg(lease).arg(snapshot.at).arg(&*snapshot.transcript).arg(remove_to + 1).arg(milliseconds(self.time_to_live));
        let saved = self.held(save);
        Box::pin(async move { saved.await.map(drop) })
    }

    fn snapshot<'a>(&'a self, chat: &'a str) -> Done<'a, Option<StoredSnapshot>> {
        let mut get = redis::cmd("HMGET");
        get.arg(self.key(chat, "snapshot")).arg(&["at", "transcript"]);
        let got = self.run::<(Option<u64>, Option<String>)>(get);
        Box::pin(async move {
            let (at, transcript) = got.await?;
            Ok(at.zip(transcript).map(|(at, transcript)| StoredSnapshot { at, transcript: transcript.into() }))
        })
    }

    fn end<'a>(&'a self, chat: &'a str, lease: &'a str) -> Done<'a, ()> {
        let mut end = self.script(scripts::END, chat, &["state", "lease", "commands"]);
        end.arg(lease).arg(self.channel(chat));
        let ended = self.held(end);
        Box::pin(async move { ended.await.map(drop) })
    }

    fn claim<'a>(&'a self, chat: &'a str, lease: &'a str, time: Duration) -> Done<'a, bool> {
        let mut claim = self.script(scripts::CLAIM, chat, &["lease"]);
        claim.arg(lease).arg(milliseconds(time));
        self.run(claim)
    }

    fn release<'a>(&'a self, chat: &'a str, lease: &'a str) -> Done<'a, ()> {
        let mut release = self.script(scripts::RELEASE, chat, &["lease"]);
        release.arg(lease).arg(self.channel(chat));
        let released = self.run::<u64>(release);
        Box::pin(async move { released.await.map(drop) })
    }

    fn send<'a>(&'a self, chat: &'a str, command: String, once: Option<&'a str>) -> Done<'a, bool> {
        let used = format!("used:{}", once.unwrap_or_default());
        let mut send = self.script(scripts::SEND, chat, &["commands", &used]);
        send.arg(command).arg(MAX_COMMANDS).arg(milliseconds(self.time_to_live)).arg(self.channel(chat));
        send.arg(u8::from(once.is_some()));
        let sent = self.run::<i64>(send);
        Box::pin(async move {
            match sent.await? {
                -1 => Err(StoreError::TooManyCommands),
                is_new => Ok(is_new == 1),
            }
        })
    }

    fn next_command<'a>(&'a self, chat: &'a str, lease: &'a str) -> Done<'a, Option<String>> {
        let mut next = self.script(scripts::NEXT_COMMAND, chat, &["commands", "lease"]);
        next.arg(lease);
        let next = self.run::<Option<Vec<String>>>(next);
        Box::pin(async move { Ok(next.await?.ok_or(StoreError::LeaseLost)?.pop()) })
    }

    fn remove_command<'a>(&'a self, chat: &'a str, lease: &'a str) -> Done<'a, ()> {
        let mut remove = self.script(scripts::REMOVE_COMMAND, chat, &["commands", "lease"]);
        remove.arg(lease);
        let removed = self.held(remove);
        Box::pin(async move { removed.await.map(drop) })
    }

    fn changes(&self, chat: &str) -> watch::Receiver<()> {
        self.listener.changes(chat)
    }
}

/// Returns a time that Redis accepts.
fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).clamp(1, i64::MAX as u64 / 2)
}

fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
    StoreError::Failed(error.into())
}

impl fmt::Debug for RedisChats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisChats").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}
