//! Scripts that travel inside a prompt.

use serde_json::Value;

use super::turn::Turn;

const MARK: &str = "SCRIPT:";

/// Writes a prompt that carries its own script.
///
/// The newest user message that holds a script decides what the model says: turn *i* answers the *i*-th request after
/// that prompt. Nothing is stored in the [`Model`](crate::Model), so any number of tests, processes and sub-agents may
/// share one and none takes another's turns. Put a script into the prompt of a sub-agent and it follows that one.
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

/// What the prompts of a request say about its answer.
#[derive(Debug, PartialEq)]
pub(crate) enum PromptScript {
    /// No prompt carries a script.
    Nothing,
    /// This turn, or none because the script is used up.
    Turn(Option<Box<Turn>>),
    /// A script that cannot be read, and why.
    Broken(String),
}

/// Finds the answer to a request in its own prompts.
pub(crate) fn script_turn(messages: &[Value]) -> PromptScript {
    for (at, message) in messages.iter().enumerate().rev() {
        if message["role"] != "user" {
            continue;
        }
        // After an interrupt the CLI sends two prompts as one message: the later text is the newer prompt.
        let Some(script) = texts(&message["content"]).filter_map(after_mark).last() else {
            continue;
        };
        let done = messages[at + 1..].iter().filter(|later| later["role"] == "assistant").count();
        // The text may go on after the script (reminders of the CLI do), so only its first value is read.
        let mut values = serde_json::Deserializer::from_str(script).into_iter::<Vec<Turn>>();
        return match values.next() {
            Some(Ok(turns)) => PromptScript::Turn(turns.into_iter().nth(done).map(Box::new)),
            Some(Err(error)) => PromptScript::Broken(error.to_string()),
            None => PromptScript::Broken("nothing follows the mark".into()),
        };
    }
    PromptScript::Nothing
}

/// The texts of a message, whose content is a string or a list of blocks.
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
    fn each_assistant_message_after_the_prompt_moves_one_turn_on() {
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
    fn the_newest_prompt_decides() {
        let old = prompt("go", [Turn::text("old"), Turn::text("old again")]);
        let new = prompt("go", [Turn::text("new")]);
        let assistant = json!({"role": "assistant", "content": "old"});
        assert_eq!(script_turn(&[user(&old), assistant, user(&new)]), turn(Turn::text("new")));
    }

    #[test]
    fn of_two_prompts_in_one_message_the_later_decides() {
        let texts = ["old", "new"].map(|text| json!({"type": "text", "text": prompt("go", [Turn::text(text)])}));
        assert_eq!(script_turn(&[json!({"role": "user", "content": texts})]), turn(Turn::text("new")));
    }

    #[test]
    fn text_after_the_script_and_content_as_a_string_are_read_too() {
        let message = json!({"role": "user", "content": "go SCRIPT: [[{\"text\":\"hi\"}]] and more"});
        assert_eq!(script_turn(&[message]), turn(Turn::text("hi")));
    }

    #[test]
    fn a_broken_script_is_told_apart_from_none() {
        assert_eq!(script_turn(&[user("hello")]), PromptScript::Nothing);
        assert!(matches!(script_turn(&[user("SCRIPT:[[{\"txt\":1}]]")]), PromptScript::Broken(_)));
        assert!(matches!(script_turn(&[user("SCRIPT:")]), PromptScript::Broken(_)));
    }
}
