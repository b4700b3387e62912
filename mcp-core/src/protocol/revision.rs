//! The revisions of MCP and the features of each. The only file that compares versions.

use std::fmt;

/// A published revision of the Model Context Protocol.
///
/// `initialize` negotiates one of the first four for a whole session. 2026-07-28 is stateless: each request names its revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Revision {
    /// 2024-11-05, the first.
    V2024_11_05,
    /// 2025-03-26: batches, tool annotations, audio.
    V2025_03_26,
    /// 2025-06-18: structured output, resource links, elicitation.
    V2025_06_18,
    /// 2025-11-25: icons, tasks.
    V2025_11_25,
    /// 2026-07-28: stateless.
    V2026_07_28,
}

use Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

impl Revision {
    /// All revisions, oldest first.
    pub const ALL: [Revision; 5] = [V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28];

    /// The newest revision that `initialize` can negotiate.
    pub const NEWEST_HANDSHAKE: Revision = V2025_11_25;

    /// The newest revision.
    pub const NEWEST: Revision = V2026_07_28;

    /// Returns the name of the revision on the wire, a date.
    pub const fn as_str(self) -> &'static str {
        match self {
            V2024_11_05 => "2024-11-05",
            V2025_03_26 => "2025-03-26",
            V2025_06_18 => "2025-06-18",
            V2025_11_25 => "2025-11-25",
            V2026_07_28 => "2026-07-28",
        }
    }

    /// Returns the revision with this name.
    pub fn parse(name: &str) -> Option<Revision> {
        Revision::ALL.into_iter().find(|revision| revision.as_str() == name)
    }

    /// Returns the revision that `initialize` answers to a client that requests `name`: the requested one if it is supported,
    /// otherwise [`Revision::NEWEST_HANDSHAKE`].
    pub fn negotiate(name: &str) -> Revision {
        Revision::parse(name).filter(|revision| !revision.is_stateless()).unwrap_or(Revision::NEWEST_HANDSHAKE)
    }

    /// Returns whether the revision has no handshake: each request carries its revision and the client capabilities.
    pub const fn is_stateless(self) -> bool {
        self as u8 >= V2026_07_28 as u8
    }

    /// Returns whether a client may send several messages in one array.
    pub const fn has_batches(self) -> bool {
        self as u8 == V2025_03_26 as u8
    }

    /// Returns whether an HTTP event stream begins with an empty event, whose id the client uses to resume the stream.
    pub const fn primes_streams(self) -> bool {
        self as u8 == V2025_11_25 as u8
    }

    /// The revision for HTTP requests that do not name one.
    pub const UNNAMED_OVER_HTTP: Revision = V2025_03_26;

    /// Returns whether the revision has tool annotations, audio content and progress messages.
    pub(crate) const fn has_annotations(self) -> bool {
        self as u8 >= V2025_03_26 as u8
    }

    /// Returns whether the revision has structured output, titles, resource links, and `_meta` on most objects.
    pub(crate) const fn has_structured_output(self) -> bool {
        self as u8 >= V2025_06_18 as u8
    }

    /// Returns whether structured output may be any JSON value instead of only an object.
    pub(crate) const fn has_any_structured_output(self) -> bool {
        self as u8 >= V2026_07_28 as u8
    }

    /// Returns whether the revision has icons, and a description in the implementation info.
    pub(crate) const fn has_icons(self) -> bool {
        self as u8 >= V2025_11_25 as u8
    }

    /// Returns whether an error response has no `id` if the id of the request could not be read. In older revisions it has
    /// `"id": null` then.
    pub(crate) const fn omits_unreadable_id(self) -> bool {
        self as u8 >= V2025_11_25 as u8
    }

    /// Returns whether a missing resource has its own error code. In newer revisions it is an invalid parameter.
    pub(crate) const fn has_resource_not_found(self) -> bool {
        (self as u8) < V2026_07_28 as u8
    }

    /// Returns whether the revision has elicitation.
    pub(crate) const fn has_elicitation(self) -> bool {
        self as u8 >= V2025_06_18 as u8
    }

    /// Returns whether elicitation requests name their mode, form or URL.
    pub(crate) const fn has_elicitation_modes(self) -> bool {
        self as u8 >= V2025_11_25 as u8
    }

    /// Returns whether tasks are part of the core protocol, and tools declare `execution.taskSupport`.
    pub(crate) const fn has_core_tasks(self) -> bool {
        self as u8 == V2025_11_25 as u8
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsupported_revision_is_negotiated_to_the_newest_with_a_handshake() {
        assert_eq!(Revision::negotiate("2024-11-05"), V2024_11_05);
        assert_eq!(Revision::negotiate("1900-01-01"), V2025_11_25);
        assert_eq!(Revision::negotiate("2026-07-28"), V2025_11_25);
    }

    #[test]
    fn every_name_parses_to_its_revision() {
        for revision in Revision::ALL {
            assert_eq!(Revision::parse(revision.as_str()), Some(revision));
        }
    }
}
