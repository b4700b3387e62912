//! Plots as SVG, made by hand: a few rectangles, lines and words.

mod bars;
mod canvas;
mod lines;
mod scale;

pub(crate) use bars::{Bar, Bars};
pub(crate) use lines::{Line, Lines};

/// Who a bar or a line stands for, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Floor,
    Ours,
    Peer,
    Interpreted,
}

impl Role {
    fn class(self) -> &'static str {
        match self {
            Role::Floor => "floor",
            Role::Ours => "ours",
            Role::Peer => "peer",
            Role::Interpreted => "interpreted",
        }
    }
}
