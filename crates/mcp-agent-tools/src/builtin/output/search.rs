//! The results of the tools that search files and the web.

use serde::{Deserialize, Serialize};

use super::SeenArtifact;
use crate::builtin::{GrepOutput, tool_types};

tool_types! {
    /// The files that were found by name.
    #[serde(rename_all = "camelCase")]
    pub struct GlobOutput {
        /// How long the search took.
        duration_ms: f64,
        /// The number of files.
        num_files: u64,
        /// Their paths.
        filenames: Vec<String>,
        /// Whether some are missing.
        truncated: bool,
        ;
        /// The number of files, with those that are missing.
        total_matches: u64,
        /// Whether that number is exact.
        count_is_complete: bool,
        /// Whether the search ran out of time.
        timed_out: bool,
    }

    /// The result of a search in the content of files.
    #[serde(rename_all = "camelCase")]
    pub struct GrepMatches {
        /// The number of files.
        num_files: u64,
        /// Their paths.
        filenames: Vec<String>,
        ;
        /// The format.
        mode: GrepOutput,
        /// The lines.
        content: String,
        /// The number of lines.
        num_lines: u64,
        /// The number of matches.
        num_matches: u64,
        /// The number of files, with those that are missing.
        total_files: u64,
        /// The number of lines, with those that are missing.
        total_lines: u64,
        /// The limit that was applied.
        applied_limit: u64,
        /// The number of entries that were skipped.
        applied_offset: u64,
        /// Whether the search ran out of time.
        timed_out: bool,
    }

    /// A page of the web.
    #[serde(rename_all = "camelCase")]
    pub struct WebFetchOutput {
        /// Its size in bytes.
        bytes: u64,
        /// The HTTP status.
        code: u16,
        /// The text of the HTTP status.
        code_text: String,
        /// The answer of the model that has read it.
        result: String,
        /// How long it took.
        duration_ms: f64,
        /// Its URL.
        url: String,
        ;
        /// Set if the page is an artifact.
        artifact_read: SeenArtifact,
    }

    /// The result of a search in the web.
    #[serde(rename_all = "camelCase")]
    pub struct WebSearchOutput {
        /// The search query.
        query: String,
        /// What was found.
        results: Vec<WebSearchPart>,
        /// How long it took.
        duration_seconds: f64,
        ;
        /// The number of searches.
        search_count: u64,
    }

    /// The pages that one search has found.
    pub struct WebHits {
        /// The id of the search.
        tool_use_id: String,
        /// The pages.
        content: Vec<WebHit>,
    }

    /// A page that was found.
    pub struct WebHit {
        /// Its title.
        title: String,
        /// Its URL.
        url: String,
        ;
        /// A part of its text.
        snippet: String,
    }
}

/// A part of the result of a search in the web.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum WebSearchPart {
    /// The pages that one search has found.
    Hits(WebHits),
    /// Text of the model.
    Text(String),
}
