use mcp_core::resource;

struct Notebook;

impl Notebook {
    /// A note.
    #[resource("notes://{id}")]
    fn note(&self, id: String) -> String {
        id
    }
}

fn main() {
    Notebook.note(String::new());
}
