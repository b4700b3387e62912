//! The endpoint and the listener, in memory and over loopback.

mod axum;
mod client;
mod client_limits;
mod fixture;
mod handshake;
mod headers;
mod instances;
mod observed;
mod protection;
mod raw_requests;
mod refusals;
mod session_state;
mod sockets;
mod sse;
mod stateless;
mod streams;
