use mcp_core::{tool, toolset};

struct Point;

struct Canvas;

#[toolset]
impl Canvas {
    /// Draw a point.
    #[tool]
    async fn draw(&self, point: Point) {
        let _ = point;
    }
}

fn main() {}
