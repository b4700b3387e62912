//! A set of OAuth scopes.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// The maximum number of scopes, and the maximum length of a scope. Further and longer ones are ignored.
const MOST: usize = 100;
const LONGEST: usize = 200;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Scopes(BTreeSet<String>);

impl Scopes {
    /// Parses scopes separated by spaces. Invalid scopes are ignored.
    pub(super) fn parse(text: &str) -> Scopes {
        Scopes::of(text.split(' '))
    }

    pub(super) fn of<'a>(scopes: impl IntoIterator<Item = &'a str>) -> Scopes {
        let legal = |scope: &&str| {
            let is_legal = |byte: u8| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
            !scope.is_empty() && scope.len() <= LONGEST && scope.bytes().all(is_legal)
        };
        Scopes(scopes.into_iter().filter(legal).take(MOST).map(str::to_owned).collect())
    }

    pub(super) fn union(&self, other: &Scopes) -> Scopes {
        Scopes(self.0.union(&other.0).cloned().collect())
    }

    pub(super) fn contains(&self, scope: &str) -> bool {
        self.0.contains(scope)
    }

    /// Returns the parameter `scope` of a request, or `None` if there are no scopes.
    pub(super) fn parameter(&self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.iter().map(String::as_str).collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_with_illegal_characters_are_left_out() {
        let scopes = Scopes::parse("read  write bad\"quote caf\u{e9} read");
        assert_eq!(scopes.parameter().as_deref(), Some("read write"));
        assert_eq!(Scopes::parse("").parameter(), None);
    }
}
