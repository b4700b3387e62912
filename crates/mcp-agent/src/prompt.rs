//! What is said to the agent.

use serde::Serialize;
use serde_json::{Value, json};

use crate::uuid;

/// What is said to the agent: text, or content blocks such as images.
///
/// Every prompt has an id, by which it can be taken back while it waits, and to which files can be brought back.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    content: Value,
    uuid: String,
    priority: Option<&'static str>,
    should_query: Option<bool>,
    parent_tool_use_id: Option<String>,
}

impl Prompt {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(Value::String(text.into()))
    }

    /// Content blocks in the form of the Messages API.
    pub fn blocks(blocks: impl IntoIterator<Item = Value>) -> Self {
        Self::of(Value::Array(blocks.into_iter().collect()))
    }

    /// A slash command with what follows it, such as `/compact` or `/review-pr 12`. The slash may be left out.
    ///
    /// Which there are is told by [`Welcome`](crate::Welcome) and by every [`Init`](crate::message::Init); the CLI runs
    /// them, also those of the project and of plugins.
    ///
    /// ```
    /// # use mcp_agent::Prompt;
    /// let compact = Prompt::slash("compact", "keep the numbers");
    /// assert_eq!(compact.slash_command(), Some(("compact", "keep the numbers")));
    /// assert_eq!(Prompt::text("look at /etc").slash_command(), None);
    /// ```
    pub fn slash(command: &str, arguments: &str) -> Self {
        let command = command.trim().trim_start_matches('/');
        Self::text(format!("/{command} {arguments}").trim_end())
    }

    /// The slash command and what follows it, if the prompt is one.
    pub fn slash_command(&self) -> Option<(&str, &str)> {
        let rest = self.content.as_str()?.strip_prefix('/')?;
        let (command, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        // A path is none.
        (!command.is_empty() && !command.contains('/')).then_some((command, arguments.trim()))
    }

    /// Adds an image, from its bytes in base64.
    #[must_use]
    pub fn image(mut self, media_type: &str, base64: impl Into<String>) -> Self {
        let image = json!({
            "type": "image",
            "source": {"type": "base64", "media_type": media_type, "data": base64.into()}
        });
        self.content = match self.content {
            Value::Array(mut blocks) => {
                blocks.push(image);
                Value::Array(blocks)
            }
            text => json!([{"type": "text", "text": text}, image]),
        };
        self
    }

    /// Gives the prompt an id of the caller's, a UUID.
    #[must_use]
    pub fn with_uuid(mut self, uuid: impl Into<String>) -> Self {
        self.uuid = uuid.into();
        self
    }

    /// Lets the prompt be taken at once, in the middle of a turn.
    #[must_use]
    pub fn now(mut self) -> Self {
        self.priority = Some("now");
        self
    }

    /// Lets the prompt wait until all others are done.
    #[must_use]
    pub fn later(mut self) -> Self {
        self.priority = Some("later");
        self
    }

    /// Adds to the conversation without asking the model anything.
    #[must_use]
    pub fn without_query(mut self) -> Self {
        self.should_query = Some(false);
        self
    }

    /// The prompt's id.
    pub fn uuid(&self) -> &str {
        &self.uuid
    }

    pub(crate) fn to_line(&self, verbatim: bool) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&Line {
            kind: "user",
            session_id: "",
            parent_tool_use_id: self.parent_tool_use_id.as_deref(),
            message: Content { role: "user", content: &self.content },
            uuid: &self.uuid,
            priority: self.priority,
            should_query: self.should_query,
            client_composed: verbatim,
        })
    }

    fn of(content: Value) -> Self {
        Self { content, uuid: uuid::random(), priority: None, should_query: None, parent_tool_use_id: None }
    }
}

impl<T: Into<String>> From<T> for Prompt {
    fn from(text: T) -> Self {
        Self::text(text)
    }
}

#[derive(Serialize)]
struct Line<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    session_id: &'static str,
    parent_tool_use_id: Option<&'a str>,
    message: Content<'a>,
    uuid: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<&'static str>,
    #[serde(rename = "shouldQuery", skip_serializing_if = "Option::is_none")]
    should_query: Option<bool>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    client_composed: bool,
}

#[derive(Serialize)]
struct Content<'a> {
    role: &'static str,
    content: &'a Value,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(prompt: &Prompt, verbatim: bool) -> Value {
        serde_json::from_slice(&prompt.to_line(verbatim).expect("serialises")).expect("json")
    }

    #[test]
    fn text_with_newlines_is_one_line() {
        let prompt = Prompt::text("a\nb\u{2028}c").with_uuid("u");
        let bytes = prompt.to_line(false).expect("serialises");
        assert!(!bytes.contains(&b'\n'));
        assert_eq!(
            line(&prompt, false),
            json!({"type": "user", "session_id": "", "parent_tool_use_id": null, "uuid": "u",
                   "message": {"role": "user", "content": "a\nb\u{2028}c"}})
        );
    }

    #[test]
    fn an_image_comes_after_the_text() {
        let prompt = Prompt::from("look").image("image/png", "AAAA").image("image/png", "BBBB");
        let content = &line(&prompt, false)["message"]["content"];
        assert_eq!(content[0], json!({"type": "text", "text": "look"}));
        assert_eq!(content[2]["source"]["data"], "BBBB");
    }

    #[test]
    fn what_was_asked_for_is_said() {
        let prompt = Prompt::from("x").now().without_query();
        let line = line(&prompt, true);
        assert_eq!(
            (&line["priority"], &line["shouldQuery"], &line["client_composed"]),
            (&json!("now"), &json!(false), &json!(true))
        );
    }
}
