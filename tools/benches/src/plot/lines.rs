//! Lines over a number that grows, both on logarithmic scales.

use super::Role;
use super::canvas::{Anchor, Canvas};
use super::scale::Scale;
use crate::statistics::Spread;

/// A plot of lines.
#[derive(Debug)]
pub(crate) struct Lines {
    pub(crate) title: String,
    pub(crate) note: String,
    /// The title of the x axis.
    pub(crate) across: String,
    pub(crate) lines: Vec<Line>,
    /// Formats a value.
    pub(crate) format: fn(f64) -> String,
}

#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) points: Vec<(f64, Spread)>,
}

const WIDTH: f64 = 760.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 590.0;
const TOP: f64 = 76.0;
const BOTTOM: f64 = 330.0;
/// How close two names may be.
const APART: f64 = 17.0;

impl Lines {
    pub(crate) fn svg(&self) -> String {
        let mut canvas = Canvas::new(WIDTH, BOTTOM + 56.0);
        canvas.text("title", Anchor::Start, [20.0, 30.0], &self.title);
        canvas.text("note", Anchor::Start, [20.0, 50.0], &self.note);
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let across = Scale::tight(points().map(|(at, _)| *at), [LEFT + 12.0, RIGHT]);
        let up = Scale::new(points().flat_map(|(_, value)| [value.median, value.low, value.high]), [BOTTOM, TOP]);
        for tick in up.ticks() {
            let y = up.place(tick);
            canvas.line("grid", [LEFT, y], [RIGHT + 8.0, y]);
            canvas.text("tick", Anchor::End, [LEFT - 8.0, y + 4.0], &(self.format)(tick));
        }
        let mut ats: Vec<u64> = points().map(|(at, _)| *at as u64).collect();
        ats.sort_unstable();
        ats.dedup();
        for at in ats {
            canvas.text("tick", Anchor::Middle, [across.place(at as f64), BOTTOM + 20.0], &grouped(at));
        }
        canvas.line("axis", [LEFT, BOTTOM], [RIGHT + 8.0, BOTTOM]);
        canvas.text("note", Anchor::Middle, [f64::midpoint(LEFT, RIGHT), BOTTOM + 42.0], &self.across);
        for line in &self.lines {
            draw(&mut canvas, line, across, up);
        }
        for (y, line) in self.names(up) {
            canvas.text("name", Anchor::Start, [RIGHT + 16.0, y + 4.5], &line.name);
        }
        canvas.finish(&self.title)
    }

    /// The names at the ends of their lines, moved apart where they would cover each other.
    fn names(&self, up: Scale) -> Vec<(f64, &Line)> {
        let end = |line: &Line| line.points.last().map_or(BOTTOM, |(_, value)| up.place(value.median));
        let mut names: Vec<(f64, &Line)> = self.lines.iter().map(|line| (end(line), line)).collect();
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        for place in 1..names.len() {
            names[place].0 = names[place].0.max(names[place - 1].0 + APART);
        }
        names
    }
}

fn draw(canvas: &mut Canvas, line: &Line, across: Scale, up: Scale) {
    let class = line.role.class();
    let place = |(at, value): &(f64, Spread)| [across.place(*at), up.place(value.median)];
    let places: Vec<[f64; 2]> = line.points.iter().map(place).collect();
    canvas.path(&format!("{class} line"), &places);
    for ((_, value), [x, y]) in line.points.iter().zip(places) {
        canvas.line("whisker", [x, up.place(value.low)], [x, up.place(value.high)]);
        canvas.dot(&format!("{class} dot"), [x, y]);
    }
}

/// 10000 as 10,000.
fn grouped(number: u64) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", grouped(number / 1000), number % 1000) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, value: f64) -> Line {
        let spread = Spread::of([value]).unwrap();
        Line { name: name.into(), role: Role::Peer, points: vec![(1.0, spread), (1000.0, spread)] }
    }

    #[test]
    fn names_do_not_cover_each_other() {
        let lines = Lines {
            title: "t".into(),
            note: "n".into(),
            across: "x".into(),
            lines: vec![line("a", 10.0), line("b", 10.1), line("c", 9.9)],
            format: |value| value.to_string(),
        };
        let up = Scale::new([1.0, 100.0].into_iter(), [BOTTOM, TOP]);
        let names = lines.names(up);
        assert!(names.windows(2).all(|pair| pair[1].0 - pair[0].0 >= APART - 1e-9));
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([7, 1000, 1_234_567].map(grouped), ["7", "1,000", "1,234,567"]);
    }
}
