//! Stands in for cargo in a test of `cargo mcp dev`: a build copies the program that the variable `BUILT` names into the project.
#![allow(clippy::print_stdout, reason = "the output of cargo")]

use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::path::Path;
use std::time::SystemTime;

use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::current_dir()?;
    match env::args().nth(1).as_deref() {
        Some("metadata") => {
            let manifest = folder.join("Cargo.toml");
            let package = json!({"id": "p", "name": "p", "version": "0.1.0", "source": null, "manifest_path": manifest});
            println!("{}", json!({"packages": [package], "resolve": {"root": "p"}}));
        }
        Some("build") => {
            let program = folder.join("server").with_extension(env::consts::EXE_EXTENSION);
            replace(&program, Path::new(&env::var_os("BUILT").ok_or("BUILT is not set")?))?;
            let target = json!({"kind": ["bin"], "name": "server"});
            println!("{}", json!({"reason": "compiler-artifact", "target": target, "executable": program}));
        }
        _ => println!("host: nowhere"),
    }
    Ok(())
}

/// Replaces a program as a linker does. On Windows this fails while it runs.
fn replace(program: &Path, built: &Path) -> Result<(), Box<dyn Error>> {
    if program.exists() {
        fs::remove_file(program)?;
    }
    fs::copy(built, program)?;
    Ok(File::options().write(true).open(program)?.set_modified(SystemTime::now())?)
}
