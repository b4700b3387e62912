//! Writes docs/performance.md: the measurements, compared with the required limits.

mod agents;
mod bar;
mod clients;
mod contents;
mod figures;
mod growth;
mod method;
mod page;
mod pictures;
mod tables;
mod units;

pub(crate) use page::write;
