//! The name that the CLI gives to the directory of a project.

use std::borrow::Cow;
use std::path::Path;

/// The longest name that is not shortened, in UTF-16 units.
const LIMIT: usize = 200;

/// Returns the CLI's name for the directory with the sessions of a working directory.
///
/// Every UTF-16 unit that is not an ASCII letter or digit becomes a hyphen, so an emoji becomes two. A name of more than 200
/// characters is cut and gets a hash of the path. The CLI resolves links before it computes the name; pass a path that was
/// [canonicalized](Path::canonicalize).
///
/// ```
/// use mcp_agent::store::project_folder;
///
/// assert_eq!(project_folder("/code/my.project"), "-code-my-project");
/// ```
pub fn project_folder(cwd: impl AsRef<Path>) -> String {
    let path = cwd.as_ref().to_string_lossy();
    // On Windows, canonicalized paths begin with `\\?\`, and those on other computers with `\\?\UNC\`. The CLI uses neither prefix.
    let path = match path.strip_prefix(r"\\?\UNC\") {
        Some(share) => Cow::Owned(format!(r"\\{share}")),
        None => Cow::Borrowed(path.strip_prefix(r"\\?\").unwrap_or(&path)),
    };
    let name: String = path.encode_utf16().map(replaced).collect();
    if name.len() <= LIMIT { name } else { format!("{}-{}", &name[..LIMIT], base36(hash(&path))) }
}

fn replaced(unit: u16) -> char {
    match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
        _ => '-',
    }
}

/// Returns the hash that JavaScript programs often use: `hash * 31 + unit` for each UTF-16 unit, in 32 bits with sign.
fn hash(path: &str) -> u32 {
    let hash = path.encode_utf16().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)));
    hash.unsigned_abs()
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % 36, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_the_cli_gives() {
        assert_eq!(project_folder("/tmp/w/café-😀-x"), "-tmp-w-caf-----x");
        assert_eq!(project_folder(r"C:\code\a_b"), "C--code-a-b");
        assert_eq!(project_folder(r"\\?\C:\code\a_b"), "C--code-a-b");
        assert_eq!(project_folder(r"\\server\share\x"), "--server-share-x");
        assert_eq!(project_folder(r"\\?\UNC\server\share\x"), "--server-share-x");
        // Recorded from version 2.1.325 of the CLI.
        let long = format!(
            "/tmp/h-hist/run/w/{}",
            ["d".repeat(50), "d".repeat(50), "d".repeat(50), "d".repeat(50), "d".repeat(50)].join("/")
        );
        let name = project_folder(&long);
        assert!(name.ends_with("-2uklx9") && name.len() == 207, "{name}");
    }

    #[test]
    fn a_name_of_200_characters_is_not_shortened() {
        assert_eq!(project_folder("/".repeat(200)), "-".repeat(200));
        assert!(project_folder("/".repeat(201)).len() > 201);
        assert_eq!(base36(0), "0");
    }
}
