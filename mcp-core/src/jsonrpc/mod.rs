//! JSON-RPC 2.0: bytes become a [`Message`], and a [`Response`] becomes bytes.

mod code;
mod id;
pub(crate) mod lex;
mod message;
mod nesting;
mod raw;
mod response;
mod salvage;
mod scan;
mod tool_body;

pub use code::{Code, RpcError};
pub use id::Id;
pub use message::{Answer, Malformed, Message, Notification, Request};
pub use raw::RawJson;
pub use response::Response;
pub(crate) use response::{Addressee, Body};
pub(crate) use scan::{Known, Scanner};
pub(crate) use tool_body::ToolBody;
