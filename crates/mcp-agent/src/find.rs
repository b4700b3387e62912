//! Finds the CLI.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::error::StartError;
use crate::{npm_shim, sys};

/// The environment that the search depends on; tests provide their own.
#[derive(Debug, Default)]
struct SearchEnvironment {
    claude_bin: Option<OsString>,
    home: Option<PathBuf>,
    path: Option<OsString>,
    cwd: Option<PathBuf>,
    system: Option<PathBuf>,
}

/// Finds the CLI: the given program, else `CLAUDE_BIN`, else the first existing file of `~/.claude/local/claude`,
/// `~/.local/bin/claude`, `/usr/local/bin/claude`, `claude` on the `PATH`, and the npm package of this platform in a
/// `node_modules` of the working directory or its parents.
///
/// A batch file of npm stands for the program or script that it starts. Other batch files are rejected.
///
/// If a program was named, by the caller or with `CLAUDE_BIN`, no other program is used in its place.
///
/// # Errors
/// [`StartError::NotFound`] with the paths that were tried, or [`StartError::BatchFile`].
pub(crate) fn find(given: Option<&Path>) -> Result<PathBuf, StartError> {
    find_in(
        given,
        &SearchEnvironment {
            claude_bin: env::var_os("CLAUDE_BIN").filter(|value| !value.is_empty()),
            home: sys::home(),
            path: env::var_os("PATH"),
            cwd: env::current_dir().ok(),
            system: sys::PROGRAMS.map(PathBuf::from),
        },
    )
}

fn find_in(given: Option<&Path>, around: &SearchEnvironment) -> Result<PathBuf, StartError> {
    let mut tried = Vec::new();
    let named = given.or(around.claude_bin.as_deref().map(Path::new));
    let found = match named {
        Some(named) => lookup(named, around, &mut tried),
        None => search(around, &mut tried),
    };
    let program = found.ok_or(StartError::NotFound { tried })?;
    if npm_shim::is_batch_file(&program) {
        npm_shim::target(&program).ok_or(StartError::BatchFile { program })
    } else {
        Ok(program)
    }
}

/// Resolves a named program: a path is used as it is, a bare name is searched on the `PATH`.
fn lookup(named: &Path, around: &SearchEnvironment, tried: &mut Vec<PathBuf>) -> Option<PathBuf> {
    if named.components().count() > 1 || named.is_absolute() {
        tried.push(named.to_owned());
        named.is_file().then(|| named.to_owned())
    } else {
        on_path(named.as_os_str(), around, tried)
    }
}

fn search(around: &SearchEnvironment, tried: &mut Vec<PathBuf>) -> Option<PathBuf> {
    let local =
        around.home.iter().flat_map(|home| [".claude/local", ".local/bin"].map(|folder| home.join(folder).join(PROGRAM)));
    let system = around.system.iter().map(|directory| directory.join(PROGRAM));
    for candidate in local.chain(system) {
        tried.push(candidate.clone());
        if candidate.is_file() {
            return Some(candidate);
        }
    }
    on_path(OsStr::new("claude"), around, tried).or_else(|| in_node_modules(around, tried))
}

fn on_path(name: &OsStr, around: &SearchEnvironment, tried: &mut Vec<PathBuf>) -> Option<PathBuf> {
    let path = around.path.clone()?;
    tried.extend(env::split_paths(&path).map(|directory| directory.join(name)));
    let cwd = around.cwd.clone().unwrap_or_default();
    // Relative entries of the `PATH` are skipped: they would make the result depend on the working directory.
    let absolute = env::join_paths(env::split_paths(&path).filter(|directory| directory.is_absolute())).ok()?;
    // On Windows the extensions of `PATHEXT` are tried. A batch file counts only if it is one of npm.
    which::which_in_all(name, Some(absolute), cwd)
        .ok()?
        .find(|program| !npm_shim::is_batch_file(program) || npm_shim::target(program).is_some())
}

fn in_node_modules(around: &SearchEnvironment, tried: &mut Vec<PathBuf>) -> Option<PathBuf> {
    let here = around.cwd.iter().flat_map(|cwd| cwd.ancestors());
    let local = around.home.iter().map(|home| home.join(".claude/local"));
    for directory in here.map(Path::to_owned).chain(local) {
        for package in platform_packages() {
            let candidate = directory.join("node_modules/@anthropic-ai").join(package).join(PROGRAM);
            tried.push(candidate.clone());
            if candidate.is_file() {
                return Some(candidate);
            }
        }
    }
    None
}

/// The file name of the CLI.
const PROGRAM: &str = sys::CLAUDE;

/// Returns the names of the npm packages that can hold a binary for this machine, the preferred one first.
fn platform_packages() -> Vec<String> {
    let platform = match env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let arch = match env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let plain = format!("claude-code-{platform}-{arch}");
    match platform {
        "linux" if sys::IS_MUSL => vec![format!("{plain}-musl"), plain],
        "linux" => vec![plain.clone(), format!("{plain}-musl")],
        _ => vec![plain],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A temporary directory that is removed at the end of the test.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = env::temp_dir().join(format!("mcp-agent-find-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).expect("a scratch directory");
            Self(path)
        }

        fn program(&self, path: &str) -> PathBuf {
            let path = self.0.join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
            fs::write(&path, "#!/bin/sh\n").expect("a file");
            sys::make_executable(&path);
            path
        }

        fn surroundings(&self) -> SearchEnvironment {
            SearchEnvironment {
                claude_bin: None,
                home: Some(self.0.join("home")),
                path: Some(self.0.join("path").into_os_string()),
                cwd: Some(self.0.join("work/deep")),
                system: Some(self.0.join("system")),
            }
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_first_existing_program_in_search_order_is_found() {
        let scratch = Scratch::new("order");
        let around = scratch.surroundings();
        let package = format!("work/node_modules/@anthropic-ai/{}", platform_packages()[0]);
        for folder in [package.as_str(), "path", "system", "home/.local/bin", "home/.claude/local"] {
            let program = scratch.program(&format!("{folder}/{PROGRAM}"));
            assert_eq!(find_in(None, &around).expect("found"), program);
        }
        let named = scratch.program("other/claude");
        let by_variable = SearchEnvironment { claude_bin: Some(named.clone().into()), ..scratch.surroundings() };
        assert_eq!(find_in(None, &by_variable).expect("found"), named);
        let given = scratch.program("given/claude");
        assert_eq!(find_in(Some(&given), &by_variable).expect("found"), given);
    }

    #[test]
    fn a_named_program_that_does_not_exist_is_an_error() {
        let scratch = Scratch::new("named");
        scratch.program("path/claude");
        let missing = scratch.0.join("missing/claude");
        match find_in(Some(&missing), &scratch.surroundings()) {
            Err(StartError::NotFound { tried }) => assert_eq!(tried, [missing]),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_error_lists_every_path_that_was_tried() {
        let scratch = Scratch::new("nowhere");
        let Err(StartError::NotFound { tried }) = find_in(None, &scratch.surroundings()) else { panic!("found") };
        for folder in ["home/.claude/local", "home/.local/bin", "system"] {
            assert!(tried.contains(&scratch.0.join(folder).join(PROGRAM)), "{folder} in {tried:?}");
        }
        assert!(tried.contains(&scratch.0.join("path/claude")), "{tried:?}");
    }

    #[test]
    fn batch_files_are_rejected_unless_npm_wrote_them() {
        let scratch = Scratch::new("batch");
        for name in ["claude.cmd", "claude.BAT"] {
            let program = scratch.program(name);
            assert!(matches!(find_in(Some(&program), &scratch.surroundings()), Err(StartError::BatchFile { .. })));
        }
        let shim = scratch.program("npm/claude.cmd");
        fs::write(&shim, "\"%_prog%\"  \"%dp0%\\node_modules\\claude-code\\cli.js\" %*\r\n").expect("a file");
        let script = scratch.program("npm/node_modules/claude-code/cli.js");
        assert_eq!(find_in(Some(&shim), &scratch.surroundings()).expect("found"), script);
    }
}
