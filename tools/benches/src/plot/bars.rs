//! Horizontal bars on a logarithmic scale.

use super::Role;
use super::canvas::{Anchor, Canvas};
use super::scale::Scale;
use crate::statistics::Spread;

/// A plot of bars.
#[derive(Debug)]
pub(crate) struct Bars {
    pub(crate) title: String,
    /// The label of the scale.
    pub(crate) note: String,
    pub(crate) bars: Vec<Bar>,
    /// The formatted value.
    pub(crate) format: fn(f64) -> String,
}

#[derive(Debug)]
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) value: Spread,
}

const WIDTH: f64 = 760.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 672.0;
const TOP: f64 = 70.0;
const STEP: f64 = 26.0;
const THICK: f64 = 17.0;

impl Bars {
    pub(crate) fn svg(&self) -> String {
        let bottom = TOP + STEP * self.bars.len() as f64;
        let mut canvas = Canvas::new(WIDTH, bottom + 34.0);
        canvas.text("title", Anchor::Start, [20.0, 30.0], &self.title);
        canvas.text("note", Anchor::Start, [20.0, 50.0], &self.note);
        let values = self.bars.iter().flat_map(|bar| [bar.value.median, bar.value.low, bar.value.high]);
        let scale = Scale::from_power(values, [LEFT, RIGHT]);
        for tick in scale.ticks() {
            let x = scale.place(tick);
            canvas.line("grid", [x, TOP - 4.0], [x, bottom + 2.0]);
            canvas.text("tick", Anchor::Middle, [x, bottom + 20.0], &(self.format)(tick));
        }
        for (place, bar) in self.bars.iter().enumerate() {
            let y = TOP + STEP * place as f64 + (STEP - THICK) / 2.0;
            let (middle, end) = (y + THICK / 2.0, scale.place(bar.value.median));
            canvas.text("name", Anchor::End, [LEFT - 10.0, middle + 4.5], &bar.name);
            canvas.rectangle(&format!("{} bar", bar.role.class()), [LEFT, y], [(end - LEFT).max(1.0), THICK]);
            let [low, high] = [bar.value.low, bar.value.high].map(|value| scale.place(value));
            canvas.line("whisker", [low, middle], [high, middle]);
            canvas.text("value", Anchor::Start, [high.max(end) + 7.0, middle + 4.5], &(self.format)(bar.value.median));
        }
        canvas.line("axis", [LEFT, TOP - 4.0], [LEFT, bottom + 2.0]);
        canvas.finish(&self.title)
    }
}
