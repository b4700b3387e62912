//! The whole, tested at the doors that users use: the public API and the built examples.

mod agents;
mod binary;
mod conversation;
mod examples;
mod feature_pages;
mod http_page;
mod mounted;
mod offers_pages;
mod page;
mod pages;
mod posted;
mod readme;
mod survival;
mod tools_page;
mod transcripts;
