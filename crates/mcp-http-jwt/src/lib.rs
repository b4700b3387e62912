//! Signed tokens as the way into an [`mcp_http`] endpoint.
//!
//! ```
//! use mcp_http::{Http, Protection};
//! use mcp_http_jwt::{FetchError, Issuer, Jwt};
//!
//! # async fn get(_: String) -> Result<Vec<u8>, FetchError> { Ok(Vec::new()) }
//! const HERE: &str = "https://mcp.example.com/mcp";
//! // `get` is your HTTP client: an address goes in, the body comes out.
//! let issuer = Issuer::new("https://issuer.example.com", "https://issuer.example.com/jwks.json", get);
//! let protection = Protection::new(HERE, Jwt::new(HERE, issuer))?.issuers(["https://issuer.example.com"]);
//! let http = Http::new().protect(protection);
//! # let _ = http;
//! # Ok::<(), mcp_http::ResourceError>(())
//! ```
//!
//! [`Jwt`] takes a token only if it is signed with a key of the [`Issuer`], was issued by it, for this very endpoint, and is in
//! time. Its scopes become those of the [`Principal`](mcp_core::Principal), its [`Claims`] are the details.

mod claims;
mod issuer;
mod jwt;
mod keys;

pub use claims::Claims;
pub use issuer::{Fetch, FetchError, Issuer};
pub use jwt::Jwt;
