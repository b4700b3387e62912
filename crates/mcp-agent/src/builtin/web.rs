//! The web.

use super::inputs;

inputs! {
    /// Reads a page and asks a model about it.
    pub struct WebFetchInput {
        /// The page.
        url: String,
        /// What to find in it.
        prompt: String,
    }

    /// Searches the web.
    pub struct WebSearchInput {
        /// What for.
        query: String,
        ;
        /// Only there.
        allowed_domains: Vec<String>,
        /// Not there.
        blocked_domains: Vec<String>,
    }
}
