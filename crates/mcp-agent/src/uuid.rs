//! Ids of prompts.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A random UUID, version 4.
///
/// The randomness is that of the standard library's hash maps: enough for ids that must not meet, not for secrets.
pub(crate) fn random() -> String {
    let half = || RandomState::new().build_hasher().finish();
    let (high, low) = (half(), half());
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xfff,
        0x8000 | (low >> 48) & 0x3fff,
        low & 0xffff_ffff_ffff
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_the_form_of_version_4_and_differ() {
        let ids: std::collections::HashSet<String> = (0..1000).map(|_| random()).collect();
        assert_eq!(ids.len(), 1000);
        for id in ids {
            let parts: Vec<&str> = id.split('-').collect();
            assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12], "{id}");
            assert!(parts[2].starts_with('4') && "89ab".contains(&parts[3][..1]), "{id}");
        }
    }
}
