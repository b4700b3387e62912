//! Inputs of the tools that search files.

use super::tool_types;
use crate::words;

tool_types! {
    /// Finds files by name.
    pub struct GlobInput {
        /// The pattern, such as `**/*.rs`.
        pattern: String,
        ;
        /// The directory to search; the working directory if not set.
        path: String,
    }

    /// Searches the content of files.
    pub struct GrepInput {
        /// A regular expression.
        pattern: String,
        ;
        /// The file or directory to search; the working directory if not set.
        path: String,
        /// A glob pattern for file names.
        glob: String,
        /// A file type, such as `rust`.
        #[serde(rename = "type")]
        kind: String,
        /// The format of the output.
        output_mode: GrepOutput,
        /// Whether to ignore case.
        #[serde(rename = "-i")]
        ignore_case: bool,
        /// Whether to show line numbers.
        #[serde(rename = "-n")]
        line_numbers: bool,
        /// The number of lines to show after each match.
        #[serde(rename = "-A")]
        after: u64,
        /// The number of lines to show before each match.
        #[serde(rename = "-B")]
        before: u64,
        /// The number of lines to show around each match.
        #[serde(rename = "-C")]
        around: u64,
        /// The number of lines before and after each match, in newer CLI versions.
        context: u64,
        /// Whether only the matching parts of lines are returned.
        #[serde(rename = "-o")]
        only_matching: bool,
        /// Whether a match may span several lines.
        multiline: bool,
        /// The maximum number of entries in the output.
        head_limit: u64,
        /// The number of entries to skip.
        offset: u64,
    }
}

words! {
    /// The format of the output of a search.
    pub enum GrepOutput {
        /// The matching lines.
        Content = "content",
        /// The paths of matching files.
        FilesWithMatches = "files_with_matches",
        /// The number of matches.
        Count = "count",
    }
}
