//! JSON-RPC 2.0: bytes become a [`Message`], and a [`Response`] becomes bytes.

mod error_code;
mod id;
mod invalid_message_id;
mod lex;
mod message;
pub(crate) mod methods;
mod nesting;
pub(crate) mod params;
mod raw_json;
mod response;
mod scan;
mod span;
pub(crate) mod summary;
mod tool_body;

pub use error_code::{Code, RpcError};
pub use id::Id;
pub use message::{Answer, Malformed, Message, Notification, Request};
pub use raw_json::RawJson;
pub use response::Response;
pub(crate) use response::{Body, ResponseId};
pub(crate) use scan::{Keys, keys, members, start};
pub(crate) use span::Span;
pub(crate) use tool_body::ToolBody;
