/// A note.
#[resource("notes://{folder}/{id}", mime_type = "text/markdown", audience = [user, assistant], priority = 0.5)]
fn note(folder: String, #[complete(Notes::ids)] id: u32, notes: &Notes) -> Option<String> {
    notes.find(&folder, id)
}
