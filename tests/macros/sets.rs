//! Impl blocks as sets of tools.

use std::sync::atomic::{AtomicU32, Ordering};

use mcp_core::{Context, Server, Toolset, tool, toolset};
use serde_json::json;

use crate::host::{call_built, text};

struct Counter {
    count: AtomicU32,
}

#[toolset]
impl Counter {
    fn new() -> Counter {
        Counter { count: AtomicU32::new(0) }
    }

    /// Count up.
    #[tool]
    async fn bump(
        &self,
        /// by how much
        by: u32,
    ) -> u32 {
        self.count.fetch_add(by, Ordering::Relaxed) + by
    }

    /// Read the count.
    #[tool(read_only)]
    fn read(&self, cx: &Context) -> String {
        format!("{} says {}", cx.tool_name(), self.count.load(Ordering::Relaxed))
    }

    /// Double a number.
    #[mcp_core::tool]
    fn double(number: u32) -> u32 {
        number * 2
    }
}

#[test]
fn the_tools_of_a_set_share_their_state() {
    let server = Server::new("test", "1").tools(Counter::new()).build().unwrap();
    assert_eq!(text(&call_built(&server, "bump", json!({"by": 2}))).0, "2");
    assert_eq!(text(&call_built(&server, "bump", json!({"by": 3}))).0, "5");
    assert_eq!(text(&call_built(&server, "read", json!({}))).0, "read says 5");
    assert_eq!(text(&call_built(&server, "double", json!({"number": 4}))).0, "8");
}

#[test]
fn methods_stay_methods() {
    assert_eq!(crate::host::finish(Counter::new().bump(3)), 3);
    assert_eq!(Counter::double(2), 4);
}

#[test]
fn sets_are_merged_and_prefixed() {
    let server = Server::new("test", "1").tools(Counter::new()).tools(Counter::new().prefixed("other_")).build().unwrap();
    let names: Vec<_> = server.tools().map(|tool| tool.name()).collect();
    assert_eq!(names, ["bump", "read", "double", "other_bump", "other_read", "other_double"]);
    assert_eq!(text(&call_built(&server, "bump", json!({"by": 2}))).0, "2");
    assert_eq!(text(&call_built(&server, "other_bump", json!({"by": 1}))).0, "1");
}
