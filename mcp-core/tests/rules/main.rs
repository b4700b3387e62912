//! The rules of JSON-RPC and MCP, as a session keeps them.

mod asks;
mod bytes;
mod caching;
mod calls;
mod envelope;

mod lifecycle;
mod live;
mod load;
mod offers;
mod official;
mod outboxes;
mod output;
mod principals;
mod reference;
mod requirements;
mod revision_features;
mod session;
mod spans;
mod subscriptions;
mod tasks;
mod tasks_elsewhere;
