//! The rules of JSON-RPC and MCP, as a session keeps them.

mod asks;
mod bytes;
mod calls;
mod envelope;
mod lifecycle;
mod live;
mod load;
mod offers;
mod official;
mod session;
mod subscriptions;
