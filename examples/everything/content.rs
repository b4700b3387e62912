//! Tools that return each kind of content.

use mcp_core::protocol::ResourceContents;
use mcp_core::{Content, ToolError, tool};

/// A PNG image of one red pixel.
pub const RED_DOT: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0,
    0, 0, 0x90, 0x77, 0x53, 0xde, 0, 0, 0, 0x0c, b'I', b'D', b'A', b'T', 0x08, 0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0, 0, 0x03,
    0x01, 0x01, 0, 0x18, 0xdd, 0x8d, 0xb0, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

/// A WAV file without samples.
const SILENCE: &[u8] = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0";

/// Return a text.
#[tool(read_only)]
pub fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Return a picture.
#[tool(read_only)]
pub fn test_image_content() -> Content {
    Content::image(RED_DOT, "image/png")
}

/// Return a sound.
#[tool(read_only)]
pub fn test_audio_content() -> Content {
    Content::audio(SILENCE, "audio/wav")
}

/// Return a resource.
#[tool(read_only)]
pub fn test_embedded_resource() -> Content {
    let text = "This is an embedded resource content.";
    Content::resource(ResourceContents::text("test://embedded-resource", text).mime_type("text/plain"))
}

/// Return a text, a picture and a resource.
#[tool(read_only)]
pub fn test_multiple_content_types() -> Vec<Content> {
    let data = ResourceContents::text("test://mixed-content-resource", r#"{"test":"data","value":123}"#);
    vec![
        Content::text("Multiple content types test:"),
        Content::image(RED_DOT, "image/png"),
        Content::resource(data.mime_type("application/json")),
    ]
}

/// Fail.
#[tool(read_only)]
pub fn test_error_handling() -> Result<(), ToolError> {
    Err(ToolError::new("This tool intentionally returns an error for testing"))
}
