//! Reading files.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use mcp_core::protocol::ResourceContents;
use mcp_core::schema::OutputSchema;
use mcp_core::{Content, Context, IntoToolResult, ToolError, ToolResult, tool};
use serde_json::json;
use url::Url;

use super::Text;
use crate::folders::{Allowed, Folders, on_disk};
use crate::place::Place;

/// How many bytes are read at once from the end of a file.
const CHUNK: u64 = 64 * 1024;

/// Read a file as text. Deprecated: use read_text_file instead.
#[tool(title = "Read File (Deprecated)", read_only, open_world = false)]
pub(crate) async fn read_file(
    /// the path of the file
    path: String,
    /// return only the last lines, this many
    tail: Option<usize>,
    /// return only the first lines, this many
    head: Option<usize>,
    folders: &Folders,
    cx: &Context,
) -> Result<Text, ToolError> {
    read_text_file(path, tail, head, folders, cx).await
}

/// Read a file as text, whole or only its first or last lines. Works only within the allowed directories.
#[tool(title = "Read Text File", read_only, open_world = false)]
pub(crate) async fn read_text_file(
    /// the path of the file
    path: String,
    /// return only the last lines, this many
    tail: Option<usize>,
    /// return only the first lines, this many
    head: Option<usize>,
    folders: &Folders,
    cx: &Context,
) -> Result<Text, ToolError> {
    let allowed = folders.of(cx).await?;
    on_disk(move || {
        let place = Place::find(&allowed, &path)?;
        // 0 lines means that all are wanted, as in the npm package.
        let text = match (head.filter(|lines| *lines > 0), tail.filter(|lines| *lines > 0)) {
            (Some(_), Some(_)) => return Err("Cannot specify both head and tail parameters simultaneously".into()),
            (Some(lines), None) => first_lines(&place, lines),
            (None, Some(lines)) => last_lines(&place, lines),
            (None, None) => text(&place),
        };
        Ok(Text(text.map_err(|error| place.failed("read", &error))?))
    })
    .await
}

/// Read an image, a sound or any other file as base64 with its MIME type. Works only within the allowed directories.
#[tool(title = "Read Media File", read_only, open_world = false)]
pub(crate) async fn read_media_file(
    /// the path of the file
    path: String,
    folders: &Folders,
    cx: &Context,
) -> Result<Media, ToolError> {
    let allowed = folders.of(cx).await?;
    on_disk(move || {
        let place = Place::find(&allowed, &path)?;
        let bytes = place.dir.read(&place.relative).map_err(|error| place.failed("read", &error))?;
        let kind = mime_type(&place.path);
        Ok(Media(match kind.split('/').next() {
            Some("image") => Content::image(bytes, kind),
            Some("audio") => Content::audio(bytes, kind),
            _ => {
                let uri = Url::from_file_path(&place.path).map_or_else(|()| path.clone(), String::from);
                Content::resource(ResourceContents::bytes(uri, bytes).mime_type(kind))
            }
        }))
    })
    .await
}

/// Read several files as text at once. A file that cannot be read does not stop the others. Works only within the allowed
/// directories.
#[tool(title = "Read Multiple Files", read_only, open_world = false)]
pub(crate) async fn read_multiple_files(
    /// the paths of the files
    #[schemars(length(min = 1))]
    paths: Vec<String>,
    folders: &Folders,
    cx: &Context,
) -> Result<Text, ToolError> {
    let allowed = folders.of(cx).await?;
    on_disk(move || {
        let parts = paths.iter().map(|path| match whole(&allowed, path) {
            Ok(text) => format!("{path}:\n{text}\n"),
            Err(error) => format!("{path}: Error - {error}"),
        });
        Ok(Text(parts.collect::<Vec<_>>().join("\n---\n")))
    })
    .await
}

fn whole(allowed: &Allowed, path: &str) -> Result<String, ToolError> {
    let place = Place::find(allowed, path)?;
    text(&place).map_err(|error| place.failed("read", &error))
}

/// Reads a file. Bytes that are not UTF-8 are replaced.
pub(crate) fn text(place: &Place) -> io::Result<String> {
    Ok(lossy(place.dir.read(&place.relative)?))
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Reads the first lines, without the rest of the file.
fn first_lines(place: &Place, lines: usize) -> io::Result<String> {
    let mut file = BufReader::new(place.dir.open(&place.relative)?);
    let mut bytes = Vec::new();
    for _ in 0..lines {
        if file.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
    }
    bytes.pop_if(|last| *last == b'\n');
    Ok(lossy(bytes))
}

/// Reads the last lines, in chunks from the end. Line ends of Windows become `\n`.
fn last_lines(place: &Place, lines: usize) -> io::Result<String> {
    let mut file = place.dir.open(&place.relative)?;
    let mut start = file.seek(SeekFrom::End(0))?;
    let (mut chunks, mut found) = (Vec::new(), 0);
    while start > 0 && found < lines {
        let size = start.min(CHUNK);
        start -= size;
        file.seek(SeekFrom::Start(start))?;
        let mut chunk = Vec::new();
        (&mut file).take(size).read_to_end(&mut chunk)?;
        found += chunk.iter().filter(|byte| **byte == b'\n').count();
        chunks.push(chunk);
    }
    let bytes: Vec<u8> = chunks.into_iter().rev().flatten().collect();
    // The first line may be cut in the middle. It is one of the lines that are left out.
    let text = lossy(bytes).replace("\r\n", "\n");
    let all: Vec<&str> = text.split('\n').collect();
    Ok(all[all.len().saturating_sub(lines)..].join("\n"))
}

fn mime_type(path: &Path) -> &'static str {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match extension.as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "bmp" => "image/bmp",
        "svg" => "image/svg+xml",
        "mp3" => "audio/mpeg",
        "wav" => "audio/wav",
        "ogg" => "audio/ogg",
        "flac" => "audio/flac",
        _ => "application/octet-stream",
    }
}

/// The content of a file, also as structured output.
#[derive(Debug)]
pub(crate) struct Media(Content);

impl IntoToolResult for Media {
    fn into_tool_result(self) -> ToolResult {
        let structured = json!({"content": [&self.0]});
        ToolResult::content([self.0]).structured(&structured).unwrap_or_else(|error| ToolResult::error(error.to_string()))
    }

    fn output_schema() -> Option<OutputSchema> {
        let block = json!({"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"]});
        let properties = json!({"content": {"type": "array", "items": block}});
        Some(OutputSchema::from_json(json!({"type": "object", "properties": properties, "required": ["content"]})))
    }
}
