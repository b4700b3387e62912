//! Scripts that are embedded in a prompt.

use serde_json::Value;

use super::turn::Turn;

const MARK: &str = "SCRIPT:";

/// Returns a prompt with an embedded script.
///
/// The model uses the script in the newest user message that has one: turn *i* answers the *i*-th request after that
/// prompt. The [`Model`](crate::Model) stores nothing, so any number of tests, processes and sub-agents can share one
/// model. A script in the prompt of a sub-agent controls that sub-agent.
///
/// ```
/// use mcp_agent_test::{Turn, prompt};
///
/// let prompt = prompt("Say hello.", [Turn::text("hello")]);
/// assert_eq!(prompt, r#"Say hello. SCRIPT:[{"blocks":[{"text":"hello"}]}]"#);
/// ```
pub fn prompt(text: &str, turns: impl IntoIterator<Item = Turn>) -> String {
    let turns: Vec<Turn> = turns.into_iter().collect();
    let script = serde_json::to_value(turns).map_or_else(|error| error.to_string(), |json| json.to_string());
    format!("{text} {MARK}{script}")
}

/// The script found in the prompts of a request.
#[derive(Debug, PartialEq)]
pub(crate) enum PromptScript {
    /// No prompt contains a script.
    Missing,
    /// The turn for this request, or `None` after the last turn of the script.
    Turn(Option<Box<Turn>>),
    /// An invalid script, with the parse error.
    Invalid(String),
}

/// Finds the turn that answers a request in the prompts of that request.
pub(crate) fn script_turn(messages: &[Value]) -> PromptScript {
    for (at, message) in messages.iter().enumerate().rev() {
        if message["role"] != "user" {
            continue;
        }
        // After an interrupt the CLI sends two prompts as one message. The last text is the newest prompt.
        let Some(script) = texts(&message["content"]).filter_map(after_mark).last() else {
            continue;
        };
        let done = messages[at + 1..].iter().filter(|later| later["role"] == "assistant").count();
        // The CLI may append text such as reminders to the prompt, so only the first JSON value is parsed.
        let mut values = serde_json::Deserializer::from_str(script).into_iter::<Vec<Turn>>();
        return match values.next() {
            Some(Ok(turns)) => PromptScript::Turn(turns.into_iter().nth(done).map(Box::new)),
            Some(Err(error)) => PromptScript::Invalid(error.to_string()),
            None => PromptScript::Invalid("no JSON after `SCRIPT:`".into()),
        };
    }
    PromptScript::Missing
}

/// Returns the texts of message content, which is a string or a list of blocks.
pub(crate) fn texts(content: &Value) -> impl Iterator<Item = &str> {
    let blocks = content.as_array().map_or(&[][..], Vec::as_slice);
    let of_blocks = blocks.iter().filter(|block| block["type"] == "text").filter_map(|block| block["text"].as_str());
    content.as_str().into_iter().chain(of_blocks)
}

fn after_mark(text: &str) -> Option<&str> {
    text.find(MARK).map(|at| &text[at + MARK.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn user(text: &str) -> Value {
        json!({"role": "user", "content": [{"type": "text", "text": text}]})
    }

    fn turn(turn: Turn) -> PromptScript {
        PromptScript::Turn(Some(Box::new(turn)))
    }

    #[test]
    fn each_assistant_message_after_the_prompt_advances_the_script_by_one_turn() {
        let script = prompt("go", [Turn::text("one"), Turn::text("two")]);
        let assistant = json!({"role": "assistant", "content": "one"});
        let results = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "x"}]});
        assert_eq!(script_turn(&[user(&script)]), turn(Turn::text("one")));
        let second = [user(&script), assistant.clone(), results.clone()];
        assert_eq!(script_turn(&second), turn(Turn::text("two")));
        let third = [user(&script), assistant.clone(), results, assistant];
        assert_eq!(script_turn(&third), PromptScript::Turn(None));
    }

    #[test]
    fn the_script_of_the_newest_prompt_is_used() {
        let old = prompt("go", [Turn::text("old"), Turn::text("old again")]);
        let new = prompt("go", [Turn::text("new")]);
        let assistant = json!({"role": "assistant", "content": "old"});
        assert_eq!(script_turn(&[user(&old), assistant, user(&new)]), turn(Turn::text("new")));
    }

    #[test]
    fn the_last_script_in_one_message_is_used() {
        let texts = ["old", "new"].map(|text| json!({"type": "text", "text": prompt("go", [Turn::text(text)])}));
        assert_eq!(script_turn(&[json!({"role": "user", "content": texts})]), turn(Turn::text("new")));
    }

    #[test]
    fn string_content_and_text_after_the_script_are_accepted() {
        let message = json!({"role": "user", "content": "go SCRIPT: [[{\"text\":\"hi\"}]] and more"});
        assert_eq!(script_turn(&[message]), turn(Turn::text("hi")));
    }

    #[test]
    fn an_invalid_script_differs_from_no_script() {
        assert_eq!(script_turn(&[user("hello")]), PromptScript::Missing);
        assert!(matches!(script_turn(&[user("SCRIPT:[[{\"txt\":1}]]")]), PromptScript::Invalid(_)));
        assert!(matches!(script_turn(&[user("SCRIPT:")]), PromptScript::Invalid(_)));
    }
}
