use mcp_core::{tool, toolset};

use mcp_core::schemars::JsonSchema;
use mcp_core::serde::de::DeserializeOwned;

struct Store<T>(std::sync::Mutex<Vec<T>>);

#[toolset]
impl<T: DeserializeOwned + JsonSchema + Default> Store<T> {
    /// Store something.
    #[tool]
    fn put(&self, #[serde(default)] value: T) {
        self.0.lock().unwrap().push(value);
    }
}

fn main() {}
