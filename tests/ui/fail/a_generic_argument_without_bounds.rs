use mcp_core::{tool, toolset};

struct Store<T>(std::sync::Mutex<Vec<T>>);

#[toolset]
impl<T> Store<T> {
    /// Store something.
    #[tool]
    fn put(&self, value: T) {
        self.0.lock().unwrap().push(value);
    }
}

fn main() {}
