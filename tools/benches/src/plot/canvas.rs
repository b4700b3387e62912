//! Builds an SVG picture.

use std::fmt::Write;

/// Colours for a light background. The background is drawn too, because pages can be dark.
const STYLE: &str = "\
text{font:13px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2933}\
.title{font-size:16px;font-weight:600}.note,.tick{fill:#616e7c;font-size:12px}\
.value{font-weight:600;font-size:12px}.grid{stroke:#e4e7eb}.axis{stroke:#9aa5b1}\
.whisker{stroke:#1f2933;stroke-opacity:.55;stroke-width:1.5}\
.floor{fill:#9aa5b1;stroke:#7b8794}.ours{fill:#e8590c;stroke:#d9480f}\
.peer{fill:#4c8dbf;stroke:#2f6f9f}.interpreted{fill:#a5c8e1;stroke:#7aa9c9}\
.bar{stroke:none}.line{fill:none;stroke-width:2.5}.dot{stroke:#fff;stroke-width:1.5}.floor.line{stroke-dasharray:5 4}";

/// The part of a text that is at its position.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Debug)]
pub(super) struct Canvas {
    body: String,
    width: f64,
    height: f64,
}

impl Canvas {
    pub(super) fn new(width: f64, height: f64) -> Canvas {
        Canvas { body: String::new(), width, height }
    }

    pub(super) fn text(&mut self, class: &str, anchor: Anchor, [x, y]: [f64; 2], text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escape(text);
        self.add(format_args!(r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#));
    }

    pub(super) fn rectangle(&mut self, class: &str, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
        self.add(format_args!(
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="2"/>"#
        ));
    }

    pub(super) fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        self.add(format_args!(r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#));
    }

    pub(super) fn path(&mut self, class: &str, points: &[[f64; 2]]) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        self.add(format_args!(r#"<polyline class="{class}" points="{}"/>"#, points.join(" ")));
    }

    pub(super) fn dot(&mut self, class: &str, [x, y]: [f64; 2]) {
        self.add(format_args!(r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="4"/>"#));
    }

    /// The whole picture.
    pub(super) fn finish(self, title: &str) -> String {
        let Canvas { body, width, height } = self;
        let title = escape(title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#fff\"/>\n{body}</svg>\n"
        )
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        writeln!(self.body, "{element}").expect("writing to a string does not fail");
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cannot_break_the_picture() {
        let mut canvas = Canvas::new(10.0, 10.0);
        canvas.text("note", Anchor::Start, [0.0, 0.0], "a < b & \"c\"");
        let svg = canvas.finish("<title>");
        assert!(svg.contains("a &lt; b &amp; &quot;c&quot;") && svg.contains("<title>&lt;title&gt;</title>"));
    }
}
