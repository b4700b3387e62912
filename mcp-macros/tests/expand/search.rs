/// Search the notes.
///
/// - `word` may hold *wildcards*
#[tool(name = "search-notes", read_only, timeout = "30s", meta("acme/cost" = 3), crate = my_mcp)]
pub(crate) fn search(
    word: String,
    #[default(10)] limit: u32,
    #[serde(rename = "in")]
    #[schemars(length(min = 1))]
    folders: Option<Vec<String>>,
    cx: &Context,
    notes: &Notes,
) -> Result<Json<Vec<Note>>, io::Error> {
    notes.search(&word, limit, folders, cx)
}
