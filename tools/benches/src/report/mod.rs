//! Writes docs/performance.md: the measurements, compared with the required limits.

mod agents;
mod bar;
mod clients;
mod figures;
mod page;
mod pictures;
mod tables;
mod units;

pub(crate) use page::write;
