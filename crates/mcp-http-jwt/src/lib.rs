//! Signed bearer tokens (JWT) for an [`mcp_http`] endpoint.
//!
//! ```
//! use mcp_http::{Http, Protection};
//! use mcp_http_jwt::{FetchError, Issuer, Jwt};
//!
//! # async fn get(_: String) -> Result<Vec<u8>, FetchError> { Ok(Vec::new()) }
//! const HERE: &str = "https://mcp.example.com/mcp";
//! // `get` is your HTTP client: it takes a URL and returns the body.
//! let issuer = Issuer::new("https://issuer.example.com", "https://issuer.example.com/jwks.json", get);
//! let protection = Protection::new(HERE, Jwt::new(HERE, issuer))?.issuers(["https://issuer.example.com"]);
//! let http = Http::new().protect(protection);
//! # let _ = http;
//! # Ok::<(), mcp_http::ResourceError>(())
//! ```
//!
//! [`Jwt`] accepts a token only if it is signed with a key of the [`Issuer`], names this issuer and this endpoint (its audience),
//! and has not expired. Its scopes become the scopes of the [`Principal`](mcp_core::Principal), its [`Claims`] are the details.

mod claims;
mod issuer;
mod jwt;
mod keys;

pub use claims::Claims;
pub use issuer::{Fetch, FetchError, Issuer};
pub use jwt::Jwt;
