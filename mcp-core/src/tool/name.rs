//! Validation of tool and prompt names.

/// The maximum length of a name.
const MAX_NAME_LENGTH: usize = 128;

/// Returns the reason why a name is invalid, `None` if it is valid.
pub(crate) fn name_fault(name: &str) -> Option<String> {
    if name.is_empty() {
        return Some("the name is empty".into());
    }
    if name.len() > MAX_NAME_LENGTH {
        return Some(format!("the name has {} characters, the maximum is {MAX_NAME_LENGTH}", name.chars().count()));
    }
    let odd = name.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')))?;
    Some(format!("the name contains {odd:?}, allowed are A-Z a-z 0-9 _ . -"))
}
