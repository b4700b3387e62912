//! The contents of results for people: as text, and as files.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use data_encoding::BASE64;
use serde_json::Value;

/// Renders the content of a result: texts as they are, and a line for each image, sound and link.
pub(crate) fn text_of(content: &[Value]) -> String {
    content.iter().map(text_of_item).collect::<Vec<_>>().join("\n")
}

fn text_of_item(item: &Value) -> String {
    match item["type"].as_str() {
        Some("text") => text(&item["text"]).to_owned(),
        Some("resource_link") => format!("[{}]", text(&item["uri"])),
        Some("resource") => text_of_resource(&item["resource"]),
        Some(kind @ ("image" | "audio")) => binary_line(kind, &item["mimeType"], &item["data"]),
        _ => item.to_string(),
    }
}

/// Renders the contents of a resource.
pub(crate) fn text_of_resource(resource: &Value) -> String {
    match resource.get("text") {
        Some(content) => text(content).to_owned(),
        None => binary_line(text(&resource["uri"]), &resource["mimeType"], &resource["blob"]),
    }
}

fn binary_line(what: &str, mime_type: &Value, data: &Value) -> String {
    let bytes = BASE64.decode(text(data).as_bytes()).map_or(0, |bytes| bytes.len());
    format!("[{what}: {}, {bytes} bytes; --output FILE saves it]", mime_type.as_str().unwrap_or("unknown type"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Saves contents in a file, or writes them to standard output for `-`. Returns what was done, one line for each file.
///
/// Binary parts are saved decoded. If there are several of them, the files are numbered. If there are none, the text is saved.
pub(crate) fn save(content: &[Value], path: &str) -> Result<String, String> {
    let binary = content.iter().filter_map(binary_of).collect::<Result<Vec<_>, _>>()?;
    let parts = if binary.is_empty() { vec![text_of(content).into_bytes()] } else { binary };
    if path == "-" {
        let [part] = &parts[..] else {
            return Err(format!("the result has {} binary parts: save them in files", parts.len()));
        };
        let mut output = io::stdout().lock();
        output.write_all(part).and_then(|()| output.flush()).map_err(|error| format!("cannot write the output: {error}"))?;
        return Ok(String::new());
    }
    let mut done = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let file = if parts.len() == 1 { PathBuf::from(path) } else { numbered(Path::new(path), index + 1) };
        fs::write(&file, part).map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
        done.push(format!("wrote {} bytes to {}", part.len(), file.display()));
    }
    Ok(done.join("\n"))
}

/// Returns the decoded data of an image, a sound, or a resource that is not text.
fn binary_of(item: &Value) -> Option<Result<Vec<u8>, String>> {
    let data = [&item["data"], &item["blob"], &item["resource"]["blob"]].into_iter().find_map(Value::as_str)?;
    Some(BASE64.decode(data.as_bytes()).map_err(|error| format!("the result has invalid base64: {error}")))
}

/// Adds a number to the name of a file: `chart.png` becomes `chart-2.png`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-{number}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{number}"),
    };
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_of_several_parts_are_numbered() {
        assert_eq!(numbered(Path::new("out/chart.png"), 2), Path::new("out/chart-2.png"));
        assert_eq!(numbered(Path::new("chart"), 1), Path::new("chart-1"));
    }

    #[test]
    fn binary_parts_are_shown_with_their_size() {
        let image = json!({"type": "image", "mimeType": "image/gif", "data": "R0lGODlh"});
        assert_eq!(text_of(&[image]), "[image: image/gif, 6 bytes; --output FILE saves it]");
    }
}
