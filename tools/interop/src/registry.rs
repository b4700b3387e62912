use std::{fs, path::Path};

use serde_json::Value;
use test_env::{Missing, install_once, run_step};

use crate::python::Python;

/// The JSON Schema of `server.json` that the MCP registry publishes, in its revision of 2025-12-11.
///
/// # Errors
///
/// If the package that contains it cannot be installed.
///
/// # Panics
///
/// If the package has no such file.
pub fn registry_schema() -> Result<Value, Missing> {
    let requirements = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/registry.txt");
    let lock = fs::read_to_string(&requirements).expect("the lock file is committed");
    let folder = install_once("registry-schema", &lock, |folder| {
        let mut pip = Python::clients()?.pip();
        pip.args(["--no-deps", "--target"]).arg(folder).arg("-r").arg(&requirements);
        run_step("schema of the MCP registry", pip)
    })?;
    let file = folder.join("skillsaw/schemas/mcp_registry/v2025_12_11/server.schema.json");
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    Ok(serde_json::from_str(&text).expect("the schema is JSON"))
}
