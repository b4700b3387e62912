//! The rules for names.

/// The longest name that a tool may have.
const LONGEST_NAME: usize = 128;

/// What is wrong with a tool's name, if anything.
pub(crate) fn name_fault(name: &str) -> Option<String> {
    if name.is_empty() {
        return Some("it needs a name".into());
    }
    if name.len() > LONGEST_NAME {
        return Some(format!("a name has at most {LONGEST_NAME} characters, this one has {}", name.chars().count()));
    }
    let odd = name.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')))?;
    Some(format!("a name is made of A-Z a-z 0-9 _ . - and {odd:?} is none of them"))
}
