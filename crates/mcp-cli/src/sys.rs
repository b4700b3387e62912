//! Everything that depends on the operating system: where clients keep their configuration, and how shells quote.

use std::env;
use std::path::PathBuf;

/// Whether the system is Windows.
pub(crate) const IS_WINDOWS: bool = cfg!(windows);

/// The environment variable with the folder of the user.
pub(crate) const HOME: &str = if IS_WINDOWS { "USERPROFILE" } else { "HOME" };

/// Returns the folder of the user.
pub(crate) fn home() -> Option<PathBuf> {
    folder(HOME)
}

/// Returns the folder that an environment variable names.
pub(crate) fn folder(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Returns the folder in which programs with a graphical interface keep the settings of the user.
pub(crate) fn settings_folder() -> Option<PathBuf> {
    if IS_WINDOWS {
        folder("APPDATA").or_else(|| Some(home()?.join("AppData").join("Roaming")))
    } else if cfg!(target_os = "macos") {
        Some(home()?.join("Library/Application Support"))
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| Some(home()?.join(".config")))
    }
}

/// Returns the folder in which Zed keeps its settings. On macOS it is the one of Linux.
pub(crate) fn zed_folder() -> Option<PathBuf> {
    let folder = if cfg!(windows) {
        settings_folder()?.join("Zed")
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| Some(home()?.join(".config")))?.join("zed")
    };
    Some(folder)
}

/// Quotes a word for a shell: on Windows for PowerShell and `cmd`, elsewhere for a POSIX shell.
pub(crate) fn shell_word(word: &str) -> String {
    if IS_WINDOWS { windows_word(word) } else { posix_word(word) }
}

fn posix_word(word: &str) -> String {
    if is_plain(word, "") { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// Backslashes before a double quote, and at the end, would escape it.
fn windows_word(word: &str) -> String {
    if is_plain(word, r"\") {
        return word.to_owned();
    }
    let mut quoted = String::from('"');
    let mut backslashes = 0;
    for character in word.chars() {
        if character == '"' {
            quoted.extend(std::iter::repeat_n('\\', backslashes + 1));
        }
        backslashes = if character == '\\' { backslashes + 1 } else { 0 };
        quoted.push(character);
    }
    quoted.extend(std::iter::repeat_n('\\', backslashes));
    quoted + "\""
}

fn is_plain(word: &str, more: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./=:,+@".contains(c) || more.contains(c))
}

#[cfg(test)]
mod tests {
    use super::{posix_word, windows_word};

    #[test]
    fn words_are_quoted_for_the_shells_of_each_system() {
        for (word, posix, windows) in [
            ("plain-1.0", "plain-1.0", "plain-1.0"),
            ("", "''", "\"\""),
            ("a b", "'a b'", "\"a b\""),
            ("it's", r"'it'\''s'", "\"it's\""),
            (r"C:\x\calc.exe", r"'C:\x\calc.exe'", r"C:\x\calc.exe"),
            (r"C:\my files\", r"'C:\my files\'", r#""C:\my files\\""#),
            (r#"a\"b"#, r#"'a\"b'"#, r#""a\\\"b""#),
        ] {
            assert_eq!((posix_word(word).as_str(), windows_word(word).as_str()), (posix, windows), "{word}");
        }
    }
}
