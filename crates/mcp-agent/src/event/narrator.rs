//! Converts messages to events.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::envelope::Event;
use crate::error::{Error, TurnError};
use crate::message::Message;

/// Converts a session to events: one for every message, and some that have no message.
///
/// `claude.session_start` comes before the first message of a session. `claude.turn_end` comes after every result and
/// has the same format for every outcome. `claude.error` reports that the session failed. Every turn ends with
/// `claude.turn_end`, also one whose session failed before the CLI had begun with it: a narrator starts in a turn, and
/// [`prompted`](Self::prompted) starts each later one.
///
/// ```
/// # use mcp_agent::{Message, event::Narrator};
/// let mut narrator = Narrator::new("chat_1").metadata("user", "ada");
/// let result = r#"{"type":"result","subtype":"success","session_id":"s","is_error":false}"#;
/// let events = narrator.message(&serde_json::from_str::<Message>(result)?);
/// let names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
/// assert_eq!(names, ["claude.session_start", "claude.result.success", "claude.turn_end"]);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Narrator {
    chat_id: String,
    metadata: Map<String, Value>,
    repeats_original: bool,
    session: Option<String>,
    in_turn: bool,
}

impl Narrator {
    /// Creates a narrator for the chat with this id, which the caller chooses.
    pub fn new(chat_id: impl Into<String>) -> Self {
        Self { chat_id: chat_id.into(), metadata: Map::new(), repeats_original: true, session: None, in_turn: true }
    }

    /// Adds a field to the metadata of every event.
    #[must_use]
    pub fn metadata(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.metadata.insert(key.into(), value.into());
        self
    }

    /// Leaves out `metadata.originalEvent`, which repeats `raw` and doubles the size of every event.
    #[must_use]
    pub fn without_original(mut self) -> Self {
        self.repeats_original = false;
        self
    }

    /// Records that a prompt was sent, so that its turn ends with `claude.turn_end` even if the session fails before the CLI
    /// has begun with it.
    pub fn prompted(&mut self) {
        self.in_turn = true;
    }

    /// Returns whether a turn has started and not ended.
    pub fn is_in_turn(&self) -> bool {
        self.in_turn
    }

    /// Returns an event of the program itself, in the same envelope. Its name should not start with `claude.`.
    ///
    /// # Errors
    /// If `raw` does not serialize to JSON.
    pub fn note(&self, name: impl Into<String>, raw: &impl Serialize) -> Result<Event, serde_json::Error> {
        Ok(self.event(name.into(), serde_json::value::to_raw_value(raw)?))
    }

    /// Converts an item of a session: a message or an error.
    pub fn next(&mut self, next: &Result<Message, Error>) -> Vec<Event> {
        match next {
            Ok(message) => self.message(message),
            Err(error) => self.error(error),
        }
    }

    /// Converts a message.
    pub fn message(&mut self, message: &Message) -> Vec<Event> {
        let mut events = Vec::new();
        if let Some(id) = message.head().session_id.filter(|id| !id.is_empty()) {
            self.started(id, &mut events);
        }
        if matches!(message, Message::Init(_) | Message::Assistant(_) | Message::Stream(_)) {
            self.in_turn = true;
        }
        events.push(self.event(message.event_name(), message.raw().to_owned()));
        if let Message::Result(result) = message {
            events.push(self.turn_end(TurnError::of(result, false).map(|error| error.to_string())));
        }
        events
    }

    /// Converts an error: the error of a turn becomes its result, any other error becomes `claude.error`.
    pub fn error(&mut self, error: &Error) -> Vec<Event> {
        if let Error::Turn(turn) = error {
            let mut events = Vec::new();
            if let Some(id) = turn.result.field::<String>("session_id").filter(|id| !id.is_empty()) {
                self.started(id, &mut events);
            }
            let message = Message::Result(turn.result.clone());
            events.push(self.event(message.event_name(), message.raw().to_owned()));
            events.push(self.turn_end(Some(turn.to_string())));
            return events;
        }
        self.fail(&chain(error))
    }

    /// Returns the events of a session that failed for a reason that is no [`Error`]: `claude.error`, and `claude.turn_end`
    /// if a turn had started.
    pub fn fail(&mut self, message: &str) -> Vec<Event> {
        #[derive(Serialize)]
        struct Failed<'a> {
            r#type: &'static str,
            subtype: &'static str,
            session_id: Option<&'a str>,
            error: &'a str,
        }
        let failed = Failed { r#type: "system", subtype: "error", session_id: self.session.as_deref(), error: message };
        let mut events = vec![self.event("claude.error".to_owned(), raw(&failed))];
        if self.in_turn {
            events.push(self.turn_end(Some(message.to_owned())));
        }
        events
    }

    fn started(&mut self, id: String, events: &mut Vec<Event>) {
        #[derive(Serialize)]
        struct Started<'a> {
            r#type: &'static str,
            session_id: &'a str,
            message: String,
        }
        if self.session.as_ref() == Some(&id) {
            return;
        }
        let message = format!("Claude session started (Claude ID: {id})");
        let started = raw(&Started { r#type: "session_start", session_id: &id, message });
        self.session = Some(id);
        events.push(self.event("claude.session_start".to_owned(), started));
    }

    fn turn_end(&mut self, error_msg: Option<String>) -> Event {
        #[derive(Serialize)]
        struct TurnEnd<'a> {
            r#type: &'static str,
            #[serde(rename = "chatId")]
            chat_id: &'a str,
            #[serde(rename = "sessionId")]
            session_id: Option<&'a str>,
            result: &'static str,
            #[serde(skip_serializing_if = "Option::is_none")]
            error_msg: Option<String>,
        }
        self.in_turn = false;
        let result = if error_msg.is_none() { "success" } else { "fail" };
        let (chat_id, session_id) = (self.chat_id.as_str(), self.session.as_deref());
        let end = raw(&TurnEnd { r#type: "turn_end", chat_id, session_id, result, error_msg });
        self.event("claude.turn_end".to_owned(), end)
    }

    fn event(&self, name: String, raw: Box<RawValue>) -> Event {
        // The caller's metadata must not override the standard fields.
        let mut metadata = self.metadata.clone();
        metadata.insert("provider".to_owned(), "claude".into());
        metadata.insert("chatId".to_owned(), self.chat_id.clone().into());
        metadata.insert("claudeSessionId".to_owned(), self.session.clone().into());
        let repeats_original = self.repeats_original;
        Event { name, session_id: self.session.clone(), timestamp: now(), raw, metadata, repeats_original }
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn raw(value: &impl Serialize) -> Box<RawValue> {
    // Structs of strings always serialize.
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Returns an error and its sources as one line.
fn chain(error: &Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::StartError;
    use serde_json::json;

    fn events_of(narrator: &mut Narrator, message: Value) -> Vec<Value> {
        let message = serde_json::from_value::<Message>(message).expect("a message");
        narrator.message(&message).iter().map(|event| serde_json::to_value(event).expect("serialises")).collect()
    }

    #[test]
    fn the_envelope_matches_the_reference() {
        let mut narrator = Narrator::new("chat").metadata("user", "ada").metadata("chatId", "forged");
        let message = json!({"type": "assistant", "session_id": "s", "message": {"content": []}});
        let events = events_of(&mut narrator, message.clone());
        assert_eq!(events[0]["event"], "claude.session_start");
        assert_eq!(events[0]["data"]["raw"]["message"], "Claude session started (Claude ID: s)");
        let event = &events[1];
        assert_eq!((&event["event"], &event["data"]["sessionId"]), (&json!("claude.assistant"), &json!("s")));
        assert_eq!(event["data"]["raw"], message);
        assert!(event["data"]["timestamp"].as_u64().is_some_and(|at| at > 1_700_000_000_000));
        let metadata = json!({"provider": "claude", "chatId": "chat", "claudeSessionId": "s", "user": "ada",
                              "originalEvent": message});
        assert_eq!(event["data"]["metadata"], metadata);
        let mut lean = Narrator::new("chat").without_original();
        assert!(events_of(&mut lean, message)[1]["data"]["metadata"].get("originalEvent").is_none());
    }

    #[test]
    fn a_session_starts_once_and_every_turn_ends() {
        let mut narrator = Narrator::new("chat");
        let init = json!({"type": "system", "subtype": "init", "session_id": "s"});
        let fine = json!({"type": "result", "subtype": "success", "session_id": "s"});
        // The CLI reports success for a turn whose API request failed.
        let failed = json!({"type": "result", "subtype": "success", "session_id": "s", "is_error": true, "result": "no"});
        let events: Vec<Value> = [&init, &fine, &init, &failed].map(|m| events_of(&mut narrator, m.clone())).concat();
        let names: Vec<_> = events.iter().map(|event| event["event"].as_str().expect("text")).collect();
        let turn = ["claude.system.init", "claude.result.success", "claude.turn_end"];
        assert_eq!(names, [&["claude.session_start"][..], &turn, &turn].concat());
        let end = json!({"type": "turn_end", "chatId": "chat", "sessionId": "s", "result": "success"});
        assert_eq!(events[3]["data"]["raw"], end);
        let end = &events[6]["data"]["raw"];
        assert_eq!((&end["result"], &end["error_msg"]), (&json!("fail"), &json!("the API failed: no")));
    }

    #[test]
    fn a_session_that_fails_ends_its_turn_once_even_if_the_turn_had_not_begun() {
        let mut narrator = Narrator::new("chat");
        let broken = Error::from(StartError::NotFound { tried: Vec::new() });
        let names = |events: Vec<Event>| events.into_iter().map(|event| event.name).collect::<Vec<_>>();
        assert_eq!(names(narrator.error(&broken)), ["claude.error", "claude.turn_end"]);
        assert_eq!(names(narrator.error(&broken)), ["claude.error"]);
        narrator.prompted();
        assert_eq!(names(narrator.error(&broken)), ["claude.error", "claude.turn_end"]);
        events_of(&mut narrator, json!({"type": "system", "subtype": "init", "session_id": "s"}));
        assert_eq!(names(narrator.error(&broken)), ["claude.error", "claude.turn_end"]);
        assert_eq!(names(narrator.error(&broken)), ["claude.error"]);
    }

    #[test]
    fn an_event_is_the_same_after_it_was_sent_and_received() {
        let message = serde_json::from_value::<Message>(json!({"type": "user", "session_id": "s", "message": {}})).unwrap();
        for mut narrator in [Narrator::new("chat").metadata("user", "ada"), Narrator::new("chat").without_original()] {
            for event in narrator.message(&message) {
                let sent = serde_json::to_string(&event).unwrap();
                let received: Event = serde_json::from_str(&sent).unwrap();
                assert_eq!(serde_json::to_string(&received).unwrap(), sent);
                assert_eq!(received.message().is_some(), event.name == "claude.user");
            }
        }
    }
}
