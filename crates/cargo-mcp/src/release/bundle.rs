//! MCPB bundles: zip files of a binary and its manifest, which Claude Desktop installs. `cargo binstall` reads them too.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::build::file_name;
use super::project::Project;
use crate::Failure;

/// A bundle of this release.
#[derive(Debug)]
pub(super) struct Bundle {
    pub(super) file: String,
    pub(super) sha256: String,
}

/// Packs a program.
pub(super) fn write(project: &Project, target: &str, program: &Path, out: &Path) -> Result<(), Failure> {
    let place = format!("server/{}", file_name(&project.program, target));
    let manifest = manifest(project, program, &place)?;
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("cannot pack {}: {error}", program.display()));
    let bytes = fs::read(program).map_err(|error| failed(&error))?;
    let bytes =
        zipped(&[("manifest.json", manifest.as_bytes(), 0o644), (&place, &bytes, 0o755)]).map_err(|error| failed(&error))?;
    let file = out.join(format!("{}-{target}.mcpb", beginning(project)));
    fs::write(&file, bytes).map_err(|error| Failure::new(format!("cannot write {}: {error}", file.display())))
}

/// Returns all bundles of this version in a folder, sorted by name.
pub(super) fn all(project: &Project, folder: &Path) -> Result<Vec<Bundle>, Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("cannot read {}: {error}", folder.display()));
    let mut bundles = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let file = entry.file_name().to_string_lossy().into_owned();
        if file.starts_with(&format!("{}-", beginning(project))) && file.ends_with(".mcpb") {
            let hash = Sha256::digest(fs::read(entry.path()).map_err(failed)?);
            bundles.push(Bundle { file, sha256: data_encoding::HEXLOWER.encode(&hash) });
        }
    }
    bundles.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(bundles)
}

fn beginning(project: &Project) -> String {
    format!("{}-{}", project.package.name, project.package.version)
}

/// Returns the manifest that the program writes about itself, with the environment variables of the project.
fn manifest(project: &Project, program: &Path, place: &str) -> Result<String, Failure> {
    let mut command = Command::new(program);
    command.args(["manifest", "--author", project.author(), "--program", place]);
    let failed = |reason: String| {
        Failure::new(format!(
            "{} manifest: {reason}; a bundle is made on a machine that can run its program",
            program.display()
        ))
    };
    let output = command.output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    let mut manifest: Value = serde_json::from_slice(&output.stdout).map_err(|error| failed(error.to_string()))?;
    describe(project, &mut manifest);
    Ok(format!("{manifest:#}\n"))
}

fn describe(project: &Project, manifest: &mut Value) {
    manifest["version"] = json!(project.package.version);
    for (key, value) in [
        ("description", &project.package.description),
        ("license", &project.package.license),
        ("homepage", &project.package.homepage),
        ("display_name", &project.config.title),
    ] {
        if let Some(value) = value {
            manifest[key] = json!(value);
        }
    }
    if let Some(url) = project.repository() {
        manifest["repository"] = json!({"type": "git", "url": url});
    }
    let mut questions = Map::new();
    for (name, variable) in &project.config.env {
        let key = name.to_lowercase();
        manifest["server"]["mcp_config"]["env"][name] = json!(format!("${{user_config.{key}}}"));
        let mut question = json!({
            "type": "string",
            "title": name,
            "description": variable.description,
            "required": variable.required,
            "sensitive": variable.secret,
        });
        if let Some(default) = &variable.default {
            question["default"] = json!(default);
        }
        questions.insert(key, question);
    }
    if !questions.is_empty() {
        manifest["user_config"] = Value::Object(questions);
    }
}

/// Packs files. The times in the zip file are always the same.
fn zipped(files: &[(&str, &[u8], u32)]) -> zip::result::ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes, permissions) in files {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        zip.start_file(*name, options.last_modified_time(DateTime::default()).unix_permissions(*permissions))?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}
