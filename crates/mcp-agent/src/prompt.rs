//! Prompts: the user messages sent to the agent.

use serde::Serialize;
use serde_json::{Value, json};

use crate::{message, uuid};

/// A user message for the agent: text, or content blocks such as images.
///
/// Every prompt has an id. [`Handle::cancel_prompt`](crate::Handle::cancel_prompt) uses it to cancel a queued prompt,
/// and [`Handle::rewind_files`](crate::Handle::rewind_files) to restore files to their state at that prompt.
#[derive(Debug, PartialEq)]
pub struct Prompt {
    content: Value,
    uuid: String,
    /// Whether the caller chose the id.
    has_own_uuid: bool,
    priority: Option<&'static str>,
    should_query: Option<bool>,
    parent_tool_use_id: Option<String>,
}

impl Prompt {
    /// Creates a prompt from text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(Value::String(text.into()))
    }

    /// Creates a prompt from content blocks, in the format of the Messages API.
    pub fn blocks(blocks: impl IntoIterator<Item = Value>) -> Self {
        Self::of(Value::Array(blocks.into_iter().collect()))
    }

    /// Creates a prompt that is a slash command with its arguments, such as `/compact` or `/review-pr 12`. The leading
    /// slash of `command` is optional.
    ///
    /// The available commands are listed in [`Welcome`](crate::Welcome) and in every [`Init`](crate::message::Init)
    /// message. The CLI runs them, including those of the project and of plugins.
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

    /// Returns the slash command and its arguments, or `None` if the prompt is not a slash command.
    pub fn slash_command(&self) -> Option<(&str, &str)> {
        let rest = self.content.as_str()?.strip_prefix('/')?;
        let (command, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        // A name with a slash inside is a path, not a command.
        (!command.is_empty() && !command.contains('/')).then_some((command, arguments.trim()))
    }

    /// Adds an image, given as base64.
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

    /// Replaces the random id by the given one. It must be a UUID that no other prompt of the session has.
    #[must_use]
    pub fn with_uuid(mut self, uuid: impl Into<String>) -> Self {
        self.uuid = uuid.into();
        self.has_own_uuid = true;
        self
    }

    /// Sets the priority "now": the CLI takes the prompt at once, also in the middle of a turn.
    #[must_use]
    pub fn now(mut self) -> Self {
        self.priority = Some("now");
        self
    }

    /// Sets the priority "later": the prompt waits until all others are done.
    #[must_use]
    pub fn later(mut self) -> Self {
        self.priority = Some("later");
        self
    }

    /// Adds the prompt to the conversation without starting a turn.
    #[must_use]
    pub fn without_query(mut self) -> Self {
        self.should_query = Some(false);
        self
    }

    /// Marks the prompt as part of a tool use: an answer to the sub-agent that this tool use started.
    #[must_use]
    pub fn parent_tool_use_id(mut self, id: impl Into<String>) -> Self {
        self.parent_tool_use_id = Some(id.into());
        self
    }

    /// Returns the id of the prompt.
    pub fn uuid(&self) -> &str {
        &self.uuid
    }

    pub(crate) fn content(&self) -> message::Content {
        serde_json::from_value(self.content.clone()).unwrap_or_default()
    }

    pub(crate) fn parent(&self) -> Option<&str> {
        self.parent_tool_use_id.as_deref()
    }

    /// Returns whether the caller chose the id.
    pub(crate) fn has_own_uuid(&self) -> bool {
        self.has_own_uuid
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
        Self {
            content,
            uuid: uuid::random(),
            has_own_uuid: false,
            priority: None,
            should_query: None,
            parent_tool_use_id: None,
        }
    }
}

/// A clone has an id of its own, unless the caller chose the id with [`Prompt::with_uuid`].
///
/// The CLI ignores a second prompt with the same id, and waiting for its result would never end.
impl Clone for Prompt {
    fn clone(&self) -> Self {
        Self {
            content: self.content.clone(),
            uuid: if self.has_own_uuid { self.uuid.clone() } else { uuid::random() },
            has_own_uuid: self.has_own_uuid,
            priority: self.priority,
            should_query: self.should_query,
            parent_tool_use_id: self.parent_tool_use_id.clone(),
        }
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
    fn options_of_a_prompt_are_written_to_its_line() {
        let prompt = Prompt::from("x").now().without_query().parent_tool_use_id("toolu_1");
        let line = line(&prompt, true);
        assert_eq!(line["parent_tool_use_id"], "toolu_1");
        assert_eq!(
            (&line["priority"], &line["shouldQuery"], &line["client_composed"]),
            (&json!("now"), &json!(false), &json!(true))
        );
    }

    #[test]
    fn a_clone_has_its_own_id_unless_the_caller_chose_the_id() {
        let prompt = Prompt::text("x");
        assert_ne!(prompt.uuid(), prompt.clone().uuid());
        let prompt = prompt.with_uuid("u");
        assert_eq!(prompt, prompt.clone());
    }
}
