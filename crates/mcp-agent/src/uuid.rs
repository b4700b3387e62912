//! Random UUIDs, for prompts, temporary files and copies of sessions.

/// Returns a random UUID, version 4, from the operating system's random number generator.
///
/// # Panics
/// If the operating system cannot provide random numbers. Without them, ids could repeat.
pub fn random() -> String {
    let id = mcp_core::transport::random_id().expect("the operating system provides random numbers");
    let bits = u128::from_str_radix(&id, 16).expect("an id is 32 hexadecimal digits");
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        bits >> 96,
        (bits >> 80) & 0xffff,
        (bits >> 64) & 0xfff,
        0x8000 | (bits >> 48) & 0x3fff,
        bits & 0xffff_ffff_ffff
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_the_format_of_version_4_and_differ() {
        let ids: std::collections::HashSet<String> = (0..1000).map(|_| random()).collect();
        assert_eq!(ids.len(), 1000);
        for id in ids {
            let parts: Vec<&str> = id.split('-').collect();
            assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12], "{id}");
            assert!(parts[2].starts_with('4') && "89ab".contains(&parts[3][..1]), "{id}");
        }
    }
}
