//! Tests that a fold is correct, and that it is the same with and without partial messages.

use super::*;
use crate::message::Message;
use proptest::prelude::*;
use serde_json::{Value, json};

fn fold<'a>(messages: impl IntoIterator<Item = &'a Value>) -> Fold {
    let mut fold = Fold::new();
    for message in messages {
        fold.feed(&serde_json::from_value(message.clone()).expect("a message"));
    }
    fold
}

/// A generated conversation: content of the model, and results of tools.
#[derive(Debug, Clone)]
enum Step {
    Answer { agent: Option<u8>, blocks: Vec<Piece> },
    Results,
    Denied,
    End { fails: bool },
}

#[derive(Debug, Clone)]
enum Piece {
    Text(String),
    Thinking(String),
    Tool(String),
    Unknown,
}

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let text = "[a-zß\"\\\\\n]{0,12}";
    let piece = prop_oneof![
        text.prop_map(Piece::Text),
        text.prop_map(Piece::Thinking),
        text.prop_map(Piece::Tool),
        Just(Piece::Unknown),
    ];
    proptest::collection::vec(piece, 1..4)
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (proptest::option::of(0..2u8), pieces()).prop_map(|(agent, blocks)| Step::Answer { agent, blocks }),
        2 => Just(Step::Results),
        1 => Just(Step::Denied),
        1 => any::<bool>().prop_map(|fails| Step::End { fails }),
    ];
    proptest::collection::vec(step, 0..12)
}

/// The messages of the conversation, in the order of the CLI.
#[derive(Default)]
struct Wire {
    messages: Vec<Value>,
    unanswered: Vec<String>,
    count: usize,
    results: u64,
}

impl Wire {
    fn of(steps: &[Step]) -> Vec<Value> {
        let mut wire = Wire::default();
        for step in steps {
            wire.step(step);
        }
        wire.messages
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Answer { agent, blocks } => self.answer(*agent, blocks),
            Step::Results => {
                let results: Vec<Value> = self.unanswered.drain(..).map(|id| result_block(&id)).collect();
                self.messages.push(json!({"type": "user", "message": {"role": "user", "content": results}}));
            }
            Step::Denied => {
                if let Some(id) = self.unanswered.last() {
                    let denied = json!({"type": "system", "subtype": "permission_denied", "tool_use_id": id});
                    self.messages.push(denied);
                }
            }
            Step::End { fails } => {
                self.results += 1;
                let subtype = if *fails { "error_max_turns" } else { "success" };
                let denials: Vec<Value> = self.unanswered.iter().take(1).map(|id| json!({"tool_use_id": id})).collect();
                self.messages.push(json!({
                    "type": "result", "subtype": subtype, "is_error": fails, "session_id": "s",
                    "result_index": self.results, "total_cost_usd": self.results, "permission_denials": denials,
                }));
                self.messages.push(json!({"type": "system", "subtype": "init", "model": "m", "session_id": "s"}));
            }
        }
    }

    fn answer(&mut self, agent: Option<u8>, blocks: &[Piece]) {
        self.count += 1;
        let id = format!("msg_{}", self.count);
        let parent = agent.map(|agent| format!("agent_{agent}"));
        let stream = |messages: &mut Vec<Value>, event: Value| {
            messages
                .push(json!({"type": "stream_event", "event": event, "parent_tool_use_id": parent, "api_message_id": id}));
        };
        let usage = json!({"input_tokens": 5, "output_tokens": 1});
        stream(&mut self.messages, json!({"type": "message_start", "message": {"id": id, "model": "m", "usage": usage}}));
        for (index, piece) in blocks.iter().enumerate() {
            let (start, deltas, whole) = parts(piece, &format!("toolu_{}_{index}", self.count));
            stream(&mut self.messages, json!({"type": "content_block_start", "index": index, "content_block": start}));
            for delta in deltas {
                stream(&mut self.messages, json!({"type": "content_block_delta", "index": index, "delta": delta}));
            }
            if let Some(id) = whole["id"].as_str() {
                self.unanswered.push(id.to_owned());
            }
            self.messages.push(json!({
                "type": "assistant", "uuid": format!("{id}_{index}"), "parent_tool_use_id": parent,
                "message": {"id": id, "model": "m", "content": [whole], "usage": usage},
            }));
            stream(&mut self.messages, json!({"type": "content_block_stop", "index": index}));
        }
        let usage = json!({"output_tokens": 99});
        stream(&mut self.messages, json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage}));
        stream(&mut self.messages, json!({"type": "message_stop"}));
    }
}

/// Returns the start, the deltas and the complete form of a block.
fn parts(piece: &Piece, id: &str) -> (Value, Vec<Value>, Value) {
    let halves = |text: &str| {
        let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
        [text[..middle].to_owned(), text[middle..].to_owned()]
    };
    match piece {
        Piece::Text(text) => {
            let deltas = halves(text).map(|half| json!({"type": "text_delta", "text": half})).to_vec();
            (json!({"type": "text", "text": ""}), deltas, json!({"type": "text", "text": text}))
        }
        Piece::Thinking(text) => {
            let deltas = halves(text).map(|half| json!({"type": "thinking_delta", "thinking": half})).to_vec();
            (json!({"type": "thinking", "thinking": ""}), deltas, json!({"type": "thinking", "thinking": text}))
        }
        Piece::Tool(text) => {
            let whole = json!({"type": "tool_use", "id": id, "name": "echo", "input": {"text": text}});
            let input = whole["input"].to_string();
            let deltas = halves(&input).map(|half| json!({"type": "input_json_delta", "partial_json": half})).to_vec();
            (json!({"type": "tool_use", "id": id, "name": "echo", "input": {}}), deltas, whole)
        }
        Piece::Unknown => (json!({"type": "later"}), vec![json!({"type": "later_delta"})], json!({"type": "later", "x": 1})),
    }
}

fn result_block(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": format!("of {id}")})
}

fn is_partial(message: &&Value) -> bool {
    message["type"] == "stream_event"
}

proptest! {
    #[test]
    fn complete_entries_are_the_same_with_partial_messages(steps in steps()) {
        let wire = Wire::of(&steps);
        let whole = fold(wire.iter().filter(|message| !is_partial(message)));
        let partial = fold(&wire);
        prop_assert_eq!(&partial, &whole);
        prop_assert_eq!(partial.text(), whole.text());
        prop_assert_eq!(partial.thinking(), whole.thinking());
        prop_assert_eq!(partial.drafts().count(), 0);
    }

    #[test]
    fn complete_entries_are_the_same_after_each_message_and_text_only_grows(steps in steps()) {
        let wire = Wire::of(&steps);
        let (mut partial, mut whole, mut text) = (Fold::new(), Fold::new(), String::new());
        for message in &wire {
            let parsed: Message = serde_json::from_value(message.clone()).expect("a message");
            partial.feed(&parsed);
            if !is_partial(&message) {
                whole.feed(&parsed);
            }
            prop_assert_eq!(&partial, &whole);
            prop_assert!(partial.text().starts_with(&text), "{:?} after {:?}", partial.text(), text);
            text = partial.text();
        }
    }

    #[test]
    fn every_call_is_listed_once_with_its_own_result(steps in steps()) {
        let fold = fold(&Wire::of(&steps));
        let mut seen = std::collections::HashSet::new();
        for call in fold.calls() {
            prop_assert!(seen.insert(call.id.clone()));
            if let Some(text) = call.result_text() {
                prop_assert_eq!(text, format!("of {}", call.id));
            }
        }
    }
}

#[test]
fn drafts_are_visible_and_removed_when_the_answer_is_aborted() {
    let event = |event: Value| json!({"type": "stream_event", "event": event});
    let mut wire = vec![
        event(json!({"type": "message_start", "message": {"id": "1"}})),
        event(
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "t", "name": "n"}}),
        ),
        event(
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{\"a\""}}),
        ),
    ];
    let drafts: Vec<Entry> = fold(&wire).drafts().collect();
    assert!(matches!(&drafts[..], [Entry::Tool(call)] if call.name == "n" && call.input.is_null()), "{drafts:?}");
    wire.push(json!({"type": "result", "subtype": "error_during_execution", "is_error": true,
                     "terminal_reason": "aborted_streaming"}));
    let fold = fold(&wire);
    assert_eq!((fold.drafts().count(), fold.state()), (0, &TurnState::Failed(crate::TurnFailure::Interrupted)));
}

#[test]
fn a_turn_starts_where_the_last_one_ended() {
    let said =
        |text: &str| json!({"type": "assistant", "message": {"id": text, "content": [{"type": "text", "text": text}]}});
    let end = json!({"type": "result", "subtype": "success", "result": "one"});
    let init = json!({"type": "system", "subtype": "init", "model": "m"});
    let fold = fold([&init, &said("one"), &end, &init, &said("two")]);
    assert_eq!((fold.text(), fold.turn_text()), ("one\ntwo".to_owned(), "two".to_owned()));
    assert_eq!((fold.state(), fold.tally().turns()), (&TurnState::Running, 1));
}

#[test]
fn replaced_messages_are_removed() {
    let said = |uuid: &str, replaces: Value| {
        json!({"type": "assistant", "uuid": uuid, "supersedes": replaces,
               "message": {"id": uuid, "content": [{"type": "text", "text": uuid}]}})
    };
    assert_eq!(fold([&said("a", Value::Null), &said("b", Value::Null), &said("c", json!(["a"]))]).text(), "b\nc");
}

#[test]
fn a_denied_call_is_marked_and_listed_once() {
    let call = json!({"type": "assistant",
                      "message": {"id": "1", "content": [{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}]}});
    let denied = json!({"type": "system", "subtype": "permission_denied", "tool_use_id": "t"});
    let end = json!({"type": "result", "subtype": "success",
                     "permission_denials": [{"tool_name": "Bash", "tool_use_id": "t", "tool_input": {}}]});
    let fold = fold([&call, &denied, &end, &end]);
    assert!(fold.call("t").expect("a call").denied);
    assert_eq!(fold.denials().len(), 1);
}

#[test]
fn a_turn_that_waits_for_a_decision_has_the_state_asking() {
    let state = |state: &str| json!({"type": "system", "subtype": "session_state_changed", "state": state});
    let init = json!({"type": "system", "subtype": "init"});
    assert_eq!(fold([&init, &state("requires_action")]).state(), &TurnState::Asking);
    assert_eq!(fold([&init, &state("requires_action"), &state("running")]).state(), &TurnState::Running);
    let end = json!({"type": "result", "subtype": "success"});
    assert_eq!(fold([&init, &end, &state("idle")]).state(), &TurnState::Done);
}

#[test]
fn prompts_are_kept_once_and_begin_their_turn() {
    let user = |uuid: &str, parent: Value, content: Value| json!({"type": "user", "uuid": uuid, "parent_tool_use_id": parent, "message": {"role": "user", "content": content}});
    let said =
        |text: &str| json!({"type": "assistant", "message": {"id": text, "content": [{"type": "text", "text": text}]}});
    let init = json!({"type": "system", "subtype": "init", "model": "m"});
    let end = json!({"type": "result", "subtype": "success"});
    let prompt = crate::Prompt::blocks([json!({"type": "text", "text": "look"}), json!({"type": "image", "source": {}})]);
    let mut note = user("n", Value::Null, json!("a note"));
    note["isSynthetic"] = json!(true);
    let mut all = fold([&user("1", Value::Null, json!("one")), &init, &said("1"), &end]);
    all.sent(&prompt);
    let repeated = user(prompt.uuid(), Value::Null, json!("look"));
    let result = user("r", Value::Null, json!([{"type": "tool_result", "tool_use_id": "t", "content": "x"}]));
    let task = user("2", json!("toolu_1"), json!("the task"));
    for message in [init, repeated, note, result, task, said("2")] {
        all.feed(&serde_json::from_value(message).expect("a message"));
    }
    assert_eq!(all.prompts().map(PromptEntry::text).collect::<Vec<_>>(), ["one", "look", "the task"]);
    assert_eq!(all.turn()[0].prompt().map(PromptEntry::text).as_deref(), Some("look"));
    assert_eq!((all.text().as_str(), all.turn_text().as_str()), ("1\n2", "2"), "text is that of the model");
    assert_eq!(all.prompts().last().and_then(|prompt| prompt.parent.as_deref()), Some("toolu_1"));
}

#[test]
fn results_of_tools_that_the_api_runs_belong_to_their_calls() {
    let answer = |block: Value| json!({"type": "assistant", "message": {"id": "1", "content": [block]}});
    let found = json!([{"type": "web_search_result", "url": "https://example.com", "title": "Example"}]);
    let failed = json!({"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"});
    let mcp = json!([{"type": "text", "text": "5"}]);
    let fold = fold([
        &answer(json!({"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}})),
        &answer(json!({"type": "web_search_tool_result", "tool_use_id": "s1", "content": found})),
        &answer(json!({"type": "server_tool_use", "id": "s2", "name": "web_search", "input": {}})),
        &answer(json!({"type": "web_search_tool_result", "tool_use_id": "s2", "content": failed})),
        &answer(json!({"type": "mcp_tool_use", "id": "s3", "name": "add", "input": {"a": 2}})),
        &answer(json!({"type": "mcp_tool_result", "tool_use_id": "s3", "is_error": false, "content": mcp})),
        &answer(json!({"type": "another", "tool_use_id": "s3"})),
    ]);
    let outcome = |id: &str| fold.call(id).and_then(|call| call.outcome.clone()).expect("a result");
    assert_eq!((outcome("s1").structured, outcome("s1").is_error), (Some(found), false));
    assert_eq!((outcome("s2").structured, outcome("s2").is_error), (Some(failed), true));
    let call = fold.call("s3").expect("a call");
    assert_eq!((call.name.as_str(), call.result_text().as_deref()), ("add", Some("5")));
    assert_eq!((fold.entries().len(), fold.running().count()), (3, 0));
}
