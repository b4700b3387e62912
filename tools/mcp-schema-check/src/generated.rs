//! Generates the schemas under the target folder, from pinned packages of PyPI.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use test_env::{Missing, PythonEnvironment, install_once, needs, run_step};

use crate::definitions::Definitions;

/// The files that decide what the schemas are. If one of them changes, the schemas are generated again.
const SOURCES: [&str; 5] =
    ["requirements.txt", "sdk-2024-11-05.txt", "sdk-2025-03-26.txt", "sdk-2025-06-18.txt", "generate.py"];

/// The revisions whose schemas come from a release of the official SDK.
const SDK_REVISIONS: [&str; 3] = ["2024-11-05", "2025-03-26", "2025-06-18"];

/// The definitions of a revision, or `None` after reporting a skipped check: see [`needs`].
pub(crate) fn definitions(revision: &str) -> Option<Arc<Definitions>> {
    static FOLDER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    static LOADED: Mutex<Option<HashMap<String, Arc<Definitions>>>> = Mutex::new(None);
    let folder = FOLDER.get_or_init(|| folder().map_err(|missing| missing.to_string()));
    let folder = needs(folder.as_deref().map_err(|missing| Missing::new("official MCP schemas", missing)))?;
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let loaded = loaded.get_or_insert_default();
    if !loaded.contains_key(revision) {
        loaded.insert(revision.to_owned(), Arc::new(Definitions::load(folder, revision)));
    }
    loaded.get(revision).cloned()
}

/// The folder with the schemas, which the first call on this machine generates.
fn folder() -> Result<PathBuf, Missing> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("python");
    let lock: String = SOURCES
        .iter()
        .map(|name| fs::read_to_string(sources.join(name)).expect("the sources of the schemas are committed"))
        .collect();
    install_once("mcp-schemas", &lock, |folder| {
        let python = PythonEnvironment::install("python-schemas", &sources.join("requirements.txt"))?;
        for revision in SDK_REVISIONS {
            let mut pip = python.pip();
            pip.args(["--no-deps", "--target"])
                .arg(folder.join("sdk").join(revision))
                .arg("-r")
                .arg(sources.join(format!("sdk-{revision}.txt")));
            run_step("Python packages", pip)?;
        }
        let mut generate = Command::new(python.interpreter());
        generate.arg(sources.join("generate.py")).arg(folder.join("sdk")).arg(folder);
        run_step("JSON Schemas", generate)
    })
}
