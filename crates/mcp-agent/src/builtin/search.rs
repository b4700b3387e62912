//! Searches: files by name, lines by content.

use super::inputs;
use crate::wire::words;

inputs! {
    /// Finds files by their names.
    pub struct GlobInput {
        /// The pattern, such as `**/*.rs`.
        pattern: String,
        ;
        /// Where to look; the working directory by default.
        path: String,
    }

    /// Finds lines in files.
    pub struct GrepInput {
        /// A regular expression.
        pattern: String,
        ;
        /// Where to look; the working directory by default.
        path: String,
        /// Only in files of such names.
        glob: String,
        /// Only in files of this kind, such as `rust`.
        #[serde(rename = "type")]
        kind: String,
        /// What to tell of what was found.
        output_mode: GrepOutput,
        /// Whether case does not matter.
        #[serde(rename = "-i")]
        ignore_case: bool,
        /// Whether lines have their numbers.
        #[serde(rename = "-n")]
        line_numbers: bool,
        /// How many lines after.
        #[serde(rename = "-A")]
        after: u64,
        /// How many lines before.
        #[serde(rename = "-B")]
        before: u64,
        /// How many lines around.
        #[serde(rename = "-C")]
        around: u64,
        /// Whether a match may go over several lines.
        multiline: bool,
        /// How much to tell at most.
        head_limit: u64,
        /// How much of it to leave out.
        offset: u64,
    }
}

words! {
    /// What a search tells of what it found.
    pub enum GrepOutput {
        /// The lines.
        Content = "content",
        /// The files.
        FilesWithMatches = "files_with_matches",
        /// How many.
        Count = "count",
    }
}
