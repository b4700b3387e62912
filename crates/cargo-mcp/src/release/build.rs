//! Compiles the server for a target.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::folders::Folders;
use super::project::Project;
use super::rustflags;
use crate::{Failure, tell};

/// The compiler of this machine.
#[derive(Debug)]
pub(super) struct Compiler {
    /// The target of this machine.
    pub(super) host: String,
    pub(super) commit: String,
    pub(super) sysroot: PathBuf,
}

impl Compiler {
    pub(super) fn read() -> Result<Compiler, Failure> {
        let version = rustc(&["-vV"])?;
        let value = |key: &str| version.lines().find_map(|line| line.strip_prefix(key)).map(str::to_owned);
        let host = value("host: ")
            .ok_or_else(|| Failure::new("`rustc -vV` does not print the target of this machine (its line `host:`)"))?;
        let sysroot = PathBuf::from(rustc(&["--print", "sysroot"])?.trim());
        Ok(Compiler { host, commit: value("commit-hash: ").unwrap_or_default(), sysroot })
    }
}

fn rustc(arguments: &[&str]) -> Result<String, Failure> {
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())).args(arguments).output();
    let output = output.map_err(|error| Failure::new(format!("cannot run rustc: {error}")))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Compiles the program. Returns its path.
pub(super) fn build(project: &Project, compiler: &Compiler, target: &str, profile: &str) -> Result<PathBuf, Failure> {
    let mut cargo = Command::new(crate::cargo());
    cargo.args(["build", "--locked", "--package", &project.package.name, "--bin", &project.program]);
    cargo.args(["--profile", profile]).current_dir(&project.folder).stdout(Stdio::null());
    // The default target has no folder of its own, and what was compiled for it before can be used again.
    let is_host = compiler.host == target;
    if !is_host {
        cargo.args(["--target", target]);
    }
    // A program with debug information is not for others.
    let folders = if profile == "dev" { None } else { Some(Folders::of(project, compiler, target)?) };
    if let Some(folders) = &folders {
        rustflags::add(&mut cargo, project, target, flags(folders, target));
    }
    let status = cargo.status().map_err(|error| Failure::new(format!("cannot run cargo: {error}")))?;
    if !status.success() {
        return Err(Failure::new(format!(
            "the build for {target} failed; is the target installed? (rustup target add {target})"
        )));
    }
    let folder = if is_host { project.target_folder.clone() } else { project.target_folder.join(target) };
    let profile = if profile == "dev" { "debug" } else { profile };
    let program = folder.join(profile).join(file_name(&project.program, target));
    if let Some(found) = folders.and_then(|folders| folders.named_in(&program)) {
        tell(&format!(
            "warning: the program contains the path {} of this machine, so it has other bytes elsewhere; `env!` and code in C \
             are the usual reasons",
            found.display()
        ));
    }
    Ok(program)
}

/// Returns the name of a program's file.
pub(super) fn file_name(program: &str, target: &str) -> String {
    if target.contains("-windows-") { format!("{program}.exe") } else { program.to_owned() }
}

fn flags(folders: &Folders, target: &str) -> Vec<String> {
    let mut flags = folders.flags();
    // Without it the program needs the C library of the machine that compiled it.
    if target.ends_with("-windows-msvc") {
        flags.push("-Ctarget-feature=+crt-static".to_owned());
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn only_programs_for_windows_end_with_exe() {
        assert_eq!(file_name("calc", "aarch64-pc-windows-msvc"), "calc.exe");
        assert_eq!(file_name("calc", "x86_64-pc-windows-gnu"), "calc.exe");
        assert_eq!(file_name("calc", "x86_64-unknown-linux-musl"), "calc");
    }
}
