//! Normalizes file names, because a file on Windows has several.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf, Prefix};

use crate::sys;

/// The platform whose rules for file names apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Platform {
    Unix,
    Windows,
}

impl Platform {
    /// The platform of this program.
    pub(crate) const CURRENT: Self = if sys::IS_WINDOWS { Self::Windows } else { Self::Unix };
}

/// Returns the plain form of a path, which is the same for all names of a file that differ only in their spelling. Returns
/// `None` if it cannot be known which file is meant.
///
/// On Windows, separators, case, trailing dots and spaces, streams (`::$DATA`) and the prefix `\\?\` are normalized. What
/// depends on the state of the system is not known: short names (`SECRET~1`), drive-relative paths (`C:x`), devices, other
/// computers, and `/c/x`, which programs from Unix read as `C:\x`.
pub(crate) fn plain_name(path: &str, platform: Platform) -> Option<Cow<'_, str>> {
    match platform {
        Platform::Unix => Some(Cow::Borrowed(path)),
        Platform::Windows => windows_name(path).map(Cow::Owned),
    }
}

/// Returns a path in the form in which it is compared with others. On Windows this is lower case, without the prefix `\\?\`
/// that resolving links adds.
pub(crate) fn comparable(path: &Path) -> PathBuf {
    if Platform::CURRENT == Platform::Unix {
        return path.to_path_buf();
    }
    let mut components = path.components();
    let plain = match components.next() {
        Some(Component::Prefix(prefix)) => match prefix.kind() {
            Prefix::VerbatimDisk(letter) => Path::new(&format!("{}:", char::from(letter))).join(components.as_path()),
            _ => path.to_path_buf(),
        },
        _ => path.to_path_buf(),
    };
    plain.to_str().map_or_else(|| plain.clone(), |text| PathBuf::from(text.to_lowercase()))
}

/// Returns the pattern of a rule with `/` as separator. On Windows, `C:\x` is written as `//C:/x`.
pub(crate) fn rule_pattern(pattern: &str, platform: Platform) -> Cow<'_, str> {
    if platform == Platform::Unix {
        return Cow::Borrowed(pattern);
    }
    let pattern = pattern.replace('\\', "/");
    Cow::Owned(if drive(&pattern).is_some() { format!("//{pattern}") } else { pattern })
}

/// Splits an absolute pattern, without its leading `//`, into the directory that it starts in and the rest. On Windows this is
/// the root of a drive: `c/x` and `c:/x` are `C:\x`. Returns `None` for everything else there.
pub(crate) fn absolute_pattern(pattern: &str, platform: Platform) -> Option<(PathBuf, &str)> {
    if platform == Platform::Unix {
        return Some((PathBuf::from("/"), pattern));
    }
    let (first, rest) = pattern.split_once('/').unwrap_or((pattern, ""));
    let letter = first.strip_suffix(':').unwrap_or(first);
    let is_drive = letter.len() == 1 && letter.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_drive.then(|| (PathBuf::from(format!("{}:\\", letter.to_lowercase())), rest))
}

fn windows_name(path: &str) -> Option<String> {
    let path = path.replace('/', "\\").to_lowercase();
    let path = match path.strip_prefix(r"\\?\") {
        // `\\?\UNC\`, `\\?\Volume{..}\`, `\\?\GLOBALROOT\` are other computers and devices.
        Some(rest) => drive(rest)?.0.to_owned() + drive(rest)?.1,
        None if path.starts_with(r"\\") || path.starts_with(r"\??\") => return None,
        None => path,
    };
    let (prefix, rest) = match drive(&path) {
        Some((prefix, rest)) if rest.starts_with('\\') => (prefix, rest),
        // `C:x` is relative to the working directory of that drive.
        Some(_) => return None,
        None => ("", path.as_str()),
    };
    let first = rest.trim_start_matches('\\').split('\\').next().unwrap_or_default();
    if prefix.is_empty() && rest.starts_with('\\') && first.len() == 1 {
        return None;
    }
    let parts: Option<Vec<&str>> = rest.split('\\').map(windows_component).collect();
    Some(format!("{prefix}{}", parts?.join("\\")))
}

/// Splits a path at the end of its drive, such as `c:`.
fn drive(path: &str) -> Option<(&str, &str)> {
    let is_drive = path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && path[1..].starts_with(':');
    is_drive.then(|| path.split_at(2))
}

/// Returns the plain form of one component in lower case.
fn windows_component(part: &str) -> Option<&str> {
    if matches!(part, "" | "." | "..") {
        return Some(part);
    }
    // A stream of a file is the file: `name::$DATA`, `name:stream`.
    let name = part.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    let is_unclear = name.is_empty()
        || name.contains(['<', '>', '"', '|', '*', '?'])
        || name.chars().any(char::is_control)
        || is_short_name(name)
        || is_device(name);
    (!is_unclear).then_some(name)
}

/// Returns whether a name may be the short form of another one, such as `SECRET~1.TXT`. Wine has letters after the `~` too.
fn is_short_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    stem.chars().count() <= 8
        && stem.rsplit_once('~').is_some_and(|(start, rest)| {
            !start.is_empty() && !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
}

/// Returns whether a name is that of a device, which it is with any extension: `NUL`, `com1.txt`.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(' ');
    let numbered = |port: &str| {
        stem.strip_prefix(port)
            .is_some_and(|number| number.chars().count() == 1 && number.contains(|c: char| c.is_numeric()))
    };
    matches!(stem, "aux" | "con" | "conin$" | "conout$" | "nul" | "prn") || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(windows)]
    #[test]
    fn a_path_with_links_resolved_is_compared_without_its_prefix() {
        assert_eq!(comparable(Path::new(r"\\?\C:\Code\.ENV")), Path::new(r"c:\code\.env"));
        assert_eq!(comparable(Path::new(r"C:\Code")).as_os_str(), r"c:\code");
    }

    fn windows(path: &str) -> Option<String> {
        plain_name(path, Platform::Windows).map(Cow::into_owned)
    }

    #[test]
    fn all_spellings_of_a_windows_path_have_one_plain_name() {
        for path in [
            r"C:\Code\.env",
            r"c:\code\.ENV",
            "C:/code/.env",
            r"C:\code\.env.",
            r"C:\code\.env. . ",
            r"C:\code\.env::$DATA",
            r"C:\code\.env:stream",
            r"C:\code\.env:stream:$DATA",
            r"C:\code.\.env",
            r"C:\code \.env",
            r"\\?\C:\code\.env",
            "//?/C:/code/.env",
        ] {
            assert_eq!(windows(path).as_deref(), Some(r"c:\code\.env"), "{path}");
        }
        assert_eq!(windows(r".\Sub\..\.ENV").as_deref(), Some(r".\sub\..\.env"));
    }

    #[test]
    fn a_windows_path_whose_file_is_not_known_has_no_plain_name() {
        for path in [
            r"C:.env",
            r"C:code\.env",
            r"C:\code\SECRET~1.TXT",
            r"C:\PROGRA~1\x",
            r"C:\A_LO~CPN.TXT",
            r"\\server\share\.env",
            r"\\localhost\c$\code\.env",
            r"\\?\UNC\localhost\c$\code\.env",
            r"\\?\Volume{b75e2c83-0000-0000-0000-602f00000000}\code\.env",
            r"\\?\GLOBALROOT\Device\HarddiskVolume1\code\.env",
            r"\\.\C:\code\.env",
            r"\??\C:\code\.env",
            r"C:\code\NUL",
            r"C:\code\con.txt",
            r"C:\code\COM1",
            "C:\\code\\lpt\u{b9}.log",
            r"C:\code\CONIN$",
            r"C:\code\...\.env",
            r"C:\code\.en<",
            r#"C:\code\"env"#,
            "/c/code/.env",
            "\\c",
        ] {
            assert_eq!(windows(path), None, "{path}");
        }
    }

    #[test]
    fn other_windows_paths_stay_different() {
        for (path, name) in [
            (r"C:\code\.envrc", r"c:\code\.envrc"),
            (r"D:\code\.env", r"d:\code\.env"),
            (r"src\main~.rs", r"src\main~.rs"),
            (r"C:\code\console", r"c:\code\console"),
            (r"\code\com10", r"\code\com10"),
            (r"a b\c", r"a b\c"),
        ] {
            assert_eq!(windows(path).as_deref(), Some(name), "{path}");
        }
    }

    #[test]
    fn a_unix_path_is_its_own_name() {
        for path in ["/code/.ENV", "a~1", "a:b", "nul", "x. "] {
            assert_eq!(plain_name(path, Platform::Unix).as_deref(), Some(path));
        }
    }
}
