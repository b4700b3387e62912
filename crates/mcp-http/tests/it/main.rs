//! Servers over HTTP, in memory and over loopback.

mod axum;
mod client;
mod fixture;
mod handshake;
mod headers;
mod instances;
mod observed;
mod protection;
mod refusals;
mod sockets;
mod sse;
mod stateless;
mod streams;
