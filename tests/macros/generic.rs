//! Tests of toolsets with type parameters.

use std::fmt::Display;
use std::sync::Mutex;

use mcp_core::{Context, Server, tool, toolset};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::asking::{call_built, text};

trait Store: Send + Sync {
    type Key: DeserializeOwned + JsonSchema + Send;
    type Error: Display + Send;

    fn get(&self, key: Self::Key) -> Result<String, Self::Error>;
}

struct Even;

impl Store for Even {
    type Key = u32;
    type Error = String;

    fn get(&self, key: u32) -> Result<String, String> {
        if key.is_multiple_of(2) { Ok(format!("value {key}")) } else { Err(format!("{key} is odd")) }
    }
}

struct Shelf<S, T, const N: usize> {
    store: S,
    notes: Mutex<Vec<T>>,
}

#[toolset]
impl<S: Store, T, const N: usize> Shelf<S, T, N>
where
    T: DeserializeOwned + JsonSchema + Display + Send,
{
    const GREETING: &'static str = "shelf";

    /// Get a value.
    #[tool(read_only)]
    async fn get(
        &self,
        /// which one
        key: S::Key,
    ) -> Result<String, S::Error> {
        self.store.get(key)
    }

    /// Print notes.
    #[tool]
    fn note(&self, notes: Vec<T>, cx: &Context) -> String {
        let mut all = self.notes.lock().unwrap();
        all.extend(notes);
        let noted: Vec<_> = all.iter().take(N).map(ToString::to_string).collect();
        format!("{} {}: {}", Self::GREETING, cx.name(), noted.join(", "))
    }

    fn helper(&self) -> usize {
        self.notes.lock().unwrap().len()
    }
}

#[test]
fn a_generic_toolset_works_with_different_types() {
    let shelf = Shelf::<_, f64, 2> { store: Even, notes: Mutex::default() };
    assert_eq!(shelf.helper(), 0);
    let server = Server::builder("test", "1").tools(shelf).build().unwrap();
    assert_eq!(text(&call_built(&server, "get", json!({"key": 2}))), ("value 2".to_owned(), false));
    assert_eq!(text(&call_built(&server, "get", json!({"key": 3}))), ("3 is odd".to_owned(), true));
    let noted = call_built(&server, "note", json!({"notes": [1.5, 2.5, 3.5]}));
    assert_eq!(text(&noted), ("shelf note: 1.5, 2.5".to_owned(), false));

    let words = Shelf::<_, String, 9> { store: Even, notes: Mutex::default() };
    let server = Server::builder("test", "1").tools(words).build().unwrap();
    assert_eq!(text(&call_built(&server, "note", json!({"notes": ["a"]}))), ("shelf note: a".to_owned(), false));
    assert_eq!(call_built(&server, "note", json!({"notes": [1.5]}))["isError"], true);
}

#[derive(Clone, Default, PartialEq, serde::Serialize, serde::Deserialize, JsonSchema)]
struct Point {
    x: i32,
    y: i32,
}

#[toolset]
impl Point {
    /// Move by another point.
    #[tool]
    fn shift(
        &self,
        by: Self,
        #[default(Self::default())] back: Self,
        #[serde(default)] scale: Option<Self>,
    ) -> mcp_core::Json<Self> {
        let scale = scale.unwrap_or(Point { x: 1, y: 1 });
        mcp_core::Json(Point { x: (self.x + by.x - back.x) * scale.x, y: (self.y + by.y - back.y) * scale.y })
    }
}

#[test]
fn self_can_be_used_in_parameter_and_result_types() {
    let server = Server::builder("test", "1").tools(Point { x: 1, y: 2 }).build().unwrap();
    let shifted = call_built(&server, "shift", json!({"by": {"x": 10, "y": 20}}));
    assert_eq!(shifted["structuredContent"], json!({"x": 11, "y": 22}));
}
