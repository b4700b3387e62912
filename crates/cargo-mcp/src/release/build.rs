//! Compiles the server for a target.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::project::Project;
use crate::Failure;

/// Returns the target of this machine.
pub(super) fn host() -> Result<String, Failure> {
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())).arg("-vV").output();
    let output = output.map_err(|error| Failure::new(format!("cannot run rustc: {error}")))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Failure::new("rustc does not tell the target of this machine"))
}

/// Compiles the program. Returns its path.
pub(super) fn build(project: &Project, target: &str, profile: &str) -> Result<PathBuf, Failure> {
    let mut cargo = Command::new(crate::cargo());
    cargo.args(["build", "--locked", "--package", &project.package.name, "--bin", &project.program]);
    cargo.args(["--profile", profile]).current_dir(&project.folder).stdout(Stdio::null());
    // The default target has no folder of its own, and what was compiled for it before can be used again.
    let is_host = host()? == target;
    if !is_host {
        cargo.args(["--target", target]);
    }
    if profile == "release" {
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags(project, target).join("\u{1f}"));
    }
    let status = cargo.status().map_err(|error| Failure::new(format!("cannot run cargo: {error}")))?;
    if !status.success() {
        return Err(Failure::new(format!(
            "the build for {target} failed; is the target installed? (rustup target add {target})"
        )));
    }
    let folder = if is_host { project.target_folder.clone() } else { project.target_folder.join(target) };
    let profile = if profile == "dev" { "debug" } else { profile };
    Ok(folder.join(profile).join(file_name(&project.program, target)))
}

/// Returns the name of a program's file.
pub(super) fn file_name(program: &str, target: &str) -> String {
    if target.contains("-windows-") { format!("{program}.exe") } else { program.to_owned() }
}

/// Returns flags that keep the paths of this machine out of the binary, so that the same commit gives the same bytes elsewhere.
fn flags(project: &Project, target: &str) -> Vec<String> {
    let home = std::env::home_dir();
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(home?.join(".cargo")));
    let mut flags = vec![remap(&project.folder, "/source")];
    flags.extend(cargo.map(|folder| remap(&folder, "/cargo")));
    // Without it the program needs the C library of the machine that compiled it.
    if target.ends_with("-windows-msvc") {
        flags.push("-Ctarget-feature=+crt-static".to_owned());
    }
    flags
}

fn remap(from: &Path, to: &str) -> String {
    format!("--remap-path-prefix={}={to}", from.display())
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
