//! Inputs of the tools for the web.

use super::tool_types;

tool_types! {
    /// Fetches a web page and asks a model about it.
    pub struct WebFetchInput {
        /// The URL of the page.
        url: String,
        /// The question about the page.
        prompt: String,
        ;
        /// Where in the text of the page to begin, in characters.
        offset: u64,
    }

    /// Searches the web.
    pub struct WebSearchInput {
        /// The search query.
        query: String,
        ;
        /// Only return results from these domains.
        allowed_domains: Vec<String>,
        /// Exclude results from these domains.
        blocked_domains: Vec<String>,
    }
}
