//! JSON-RPC 2.0: bytes become a [`Message`], and a [`Response`] becomes bytes.

mod code;
mod id;
mod message;
mod response;
mod salvage;

pub use code::{Code, RpcError};
pub use id::Id;
pub(crate) use message::string;
pub use message::{Answer, Malformed, Message, Notification, Request};
pub use response::Response;
pub(crate) use response::{Addressee, Body};
