//! The revisions of MCP, and everything that began or ended with one: the only file that compares versions.

use std::fmt;

/// A published revision of the Model Context Protocol.
///
/// The first four are negotiated once by `initialize`; 2026-07-28 is stateless: each request names its revision.
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
    /// All of them, oldest first.
    pub const ALL: [Revision; 5] = [V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28];

    /// The newest that `initialize` can negotiate.
    pub const NEWEST_HANDSHAKE: Revision = V2025_11_25;

    /// The newest of all.
    pub const NEWEST: Revision = V2026_07_28;

    /// The date that names it on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            V2024_11_05 => "2024-11-05",
            V2025_03_26 => "2025-03-26",
            V2025_06_18 => "2025-06-18",
            V2025_11_25 => "2025-11-25",
            V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision of that name.
    pub fn parse(name: &str) -> Option<Revision> {
        Revision::ALL.into_iter().find(|revision| revision.as_str() == name)
    }

    /// What `initialize` answers to a client that asks for `name`: the same where known, else the newest.
    pub fn negotiate(name: &str) -> Revision {
        Revision::parse(name).filter(|revision| !revision.is_stateless()).unwrap_or(Revision::NEWEST_HANDSHAKE)
    }

    /// Each request stands alone; there is no handshake.
    pub const fn is_stateless(self) -> bool {
        self as u8 >= V2026_07_28 as u8
    }

    /// Several messages may come in one array.
    pub const fn has_batches(self) -> bool {
        self as u8 == V2025_03_26 as u8
    }

    /// A stream of events over HTTP begins with an empty one, which says where to come back to.
    pub const fn primes_streams(self) -> bool {
        self as u8 == V2025_11_25 as u8
    }

    /// What a request over HTTP is served in that says nothing of its revision.
    pub const UNNAMED_OVER_HTTP: Revision = V2025_03_26;

    /// Tools carry annotations, there is audio, and progress has a message.
    pub(crate) const fn has_annotations(self) -> bool {
        self as u8 >= V2025_03_26 as u8
    }

    /// Structured output, titles, `_meta` on most things, resource links.
    pub(crate) const fn has_structured_output(self) -> bool {
        self as u8 >= V2025_06_18 as u8
    }

    /// Structured output may be any JSON, not only an object.
    pub(crate) const fn has_any_structured_output(self) -> bool {
        self as u8 >= V2026_07_28 as u8
    }

    /// Icons, and descriptions of the implementation.
    pub(crate) const fn has_icons(self) -> bool {
        self as u8 >= V2025_11_25 as u8
    }

    /// An error may leave out an id that could not be read; before, it is null.
    pub(crate) const fn omits_unreadable_id(self) -> bool {
        self as u8 >= V2025_11_25 as u8
    }

    /// A resource that is not there has an error code of its own; later it is an invalid parameter.
    pub(crate) const fn has_resource_not_found(self) -> bool {
        (self as u8) < V2026_07_28 as u8
    }

    /// Users can be asked.
    pub(crate) const fn has_elicitation(self) -> bool {
        self as u8 >= V2025_06_18 as u8
    }

    /// Users are asked with a form or by a page, and the question says which.
    pub(crate) const fn has_elicitation_modes(self) -> bool {
        self as u8 >= V2025_11_25 as u8
    }

    /// Tools say whether they can run as tasks (`execution.taskSupport`).
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
    fn a_client_gets_what_it_asks_for_or_the_newest_handshake() {
        assert_eq!(Revision::negotiate("2024-11-05"), V2024_11_05);
        assert_eq!(Revision::negotiate("1900-01-01"), V2025_11_25);
        assert_eq!(Revision::negotiate("2026-07-28"), V2025_11_25);
    }

    #[test]
    fn names_read_back() {
        for revision in Revision::ALL {
            assert_eq!(Revision::parse(revision.as_str()), Some(revision));
        }
    }
}
