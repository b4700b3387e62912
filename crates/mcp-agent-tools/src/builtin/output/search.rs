//! The results of the tools that search files and the web.

use serde::{Deserialize, Serialize};

use super::SeenArtifact;
use crate::builtin::{GrepOutput, tool_types};

tool_types! {
    /// The files that were found by name.
    #[serde(rename_all = "camelCase")]
    pub struct GlobOutput {
        /// How long the search took, in milliseconds.
        duration_ms: f64,
        /// The number of files in `filenames`.
        num_files: u64,
        /// The paths of the files.
        filenames: Vec<String>,
        /// Whether some files are missing from the result.
        truncated: bool,
        ;
        /// The number of all files that were found, also those that are missing from the result.
        total_matches: u64,
        /// Whether `total_matches` is exact.
        count_is_complete: bool,
        /// Whether the search reached its time limit.
        timed_out: bool,
    }

    /// The result of a search in the content of files.
    #[serde(rename_all = "camelCase")]
    pub struct GrepMatches {
        /// The number of files in the result.
        num_files: u64,
        /// The paths of the files with matches.
        filenames: Vec<String>,
        ;
        /// The format of the result.
        mode: GrepOutput,
        /// The lines that were found.
        content: String,
        /// The number of lines in the result.
        num_lines: u64,
        /// The number of matches in the result.
        num_matches: u64,
        /// The number of all files with matches, also those that are missing from the result.
        total_files: u64,
        /// The number of all lines that were found, also those that are missing from the result.
        total_lines: u64,
        /// The limit of entries that was applied.
        applied_limit: u64,
        /// The number of entries that were skipped at the beginning.
        applied_offset: u64,
        /// Whether the search reached its time limit.
        timed_out: bool,
    }

    /// A page of the web.
    #[serde(rename_all = "camelCase")]
    pub struct WebFetchOutput {
        /// The size of the page in bytes.
        bytes: u64,
        /// The HTTP status of the response.
        code: u16,
        /// The text of the HTTP status.
        code_text: String,
        /// The answer of the model that read the page.
        result: String,
        /// How long fetching the page took, in milliseconds.
        duration_ms: f64,
        /// The URL of the page.
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
        /// The parts of the result.
        results: Vec<WebSearchPart>,
        /// How long the search took, in seconds.
        duration_seconds: f64,
        ;
        /// The number of searches.
        search_count: u64,
    }

    /// The pages that one search has found.
    pub struct WebHits {
        /// The id of the search.
        tool_use_id: String,
        /// The pages that were found.
        content: Vec<WebHit>,
    }

    /// A page that was found.
    pub struct WebHit {
        /// The title of the page.
        title: String,
        /// The URL of the page.
        url: String,
        ;
        /// A part of the text of the page.
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
