//! The API for transports: sessions, messages, replies, and the services that it provides to a session.
//!
//! A transport reads bytes, parses them with [`Message::parse`], passes each message to [`Session::receive`], runs the
//! [`Reply`] and writes the response. It provides a clock, timers and threads as a [`Host`], and a place for messages
//! that answer no request as an [`Outbox`].

pub use crate::ask::seal::{InMemorySeal, Seal};
pub use crate::host::{BoxFuture, Host, Job, Outbox, Outgoing};
pub use crate::jsonrpc::params::Params;
pub use crate::jsonrpc::summary::RequestSummary;
pub use crate::jsonrpc::{Answer, Code, Id, Malformed, Message, Notification, RawJson, Request, Response, RpcError};
pub use crate::protocol::meta::{
    CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION, SERVER_INFO, SUBSCRIPTION_ID, TASKS,
};
pub use crate::random_id::random_id;
pub use crate::session::Session;
pub use crate::session::reply::{Later, Reply};
pub use crate::session::store::{SessionRecord, SessionStore, SessionStoreError};
