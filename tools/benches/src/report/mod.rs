//! The page: what was measured, held against the bar.

mod bar;
mod figures;
mod page;
mod pictures;
mod tables;
mod units;

pub(crate) use page::write;
