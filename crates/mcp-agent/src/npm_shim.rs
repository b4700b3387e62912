//! Batch files that npm creates for the programs of its packages.
//!
//! A batch file is never run: its interpreter parses the arguments a second time, so that they can inject commands. The
//! files of npm only start a program or script with their arguments, which can be started without them.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The longest file that is read. Those of npm have about 300 bytes.
const LONGEST: u64 = 16 << 10;

/// Returns whether a program is a batch file.
pub(crate) fn is_batch_file(program: &Path) -> bool {
    has_extension(program, &["bat", "cmd"])
}

/// Returns the program or script that a batch file of npm starts, or `None` if the file is not one of npm's.
pub(crate) fn target(shim: &Path) -> Option<PathBuf> {
    let mut text = String::new();
    File::open(shim).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
    let target = target_in(&text, shim.parent()?)?;
    target.is_file().then_some(target)
}

/// Returns the last quoted path below the folder of the batch file that is followed by all arguments (`%*`).
fn target_in(text: &str, folder: &Path) -> Option<PathBuf> {
    let command = text.lines().rev().find_map(|line| line.trim_end().strip_suffix("%*"))?;
    let quoted = command.trim_end().strip_suffix('"')?;
    let path = quoted.rsplit_once('"')?.1;
    let path = path.strip_prefix("%dp0%\\").or_else(|| path.strip_prefix("%~dp0\\"))?;
    // Rejects `%variables%`, whose values are not known here.
    if path.contains('%') {
        return None;
    }
    let target = path.split(['\\', '/']).fold(folder.to_owned(), |path, part| match part {
        ".." => path.parent().map(Path::to_owned).unwrap_or_default(),
        part => path.join(part),
    });
    has_extension(&target, &["exe", "js", "mjs", "cjs"]).then_some(target)
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|found| extensions.iter().any(|extension| found.eq_ignore_ascii_case(extension)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target_of(line: &str) -> Option<String> {
        let text = format!("@ECHO off\r\nSETLOCAL\r\nCALL :find_dp0\r\n\r\n{line}\r\n");
        target_in(&text, Path::new("top/npm")).map(|path| path.to_str().expect("text").replace('\\', "/"))
    }

    #[test]
    fn the_script_or_program_behind_a_batch_file_of_npm_is_found() {
        for (line, target) in [
            (
                r#"endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\node_modules\@anthropic-ai\claude-code\cli.js" %*"#,
                "top/npm/node_modules/@anthropic-ai/claude-code/cli.js",
            ),
            (r#""%dp0%\node_modules\claude-code\bin\claude.exe"   %*"#, "top/npm/node_modules/claude-code/bin/claude.exe"),
            (r#""%~dp0\..\claude-code\cli.mjs" %*"#, "top/claude-code/cli.mjs"),
        ] {
            assert_eq!(target_of(line).as_deref(), Some(target), "{line}");
        }
    }

    #[test]
    fn other_batch_files_have_no_target() {
        for line in [
            "echo hello",
            r#""C:\tools\claude.exe" %*"#,
            r#""%dp0%\claude.cmd" %*"#,
            r#""%dp0%\%OTHER%\claude.exe" %*"#,
            r#""%dp0%\claude.exe" --flag"#,
        ] {
            assert_eq!(target_of(line), None, "{line}");
        }
    }
}
