//! Elicitation, sampling and roots: the same tool code works with and without a handshake.

use mcp_core::ask::Sampling;
use mcp_core::protocol::PromptMessage;
use mcp_core::{
    AskError, Builder, Context, Elicited, PromptSpec, ResourceSpec, Server, ToolError, ToolSpec, json_type, prompt_fn,
    resource_fn, tool_fn,
};
use serde_json::{Value, json};

use crate::session::{self, Peer};

#[json_type]
#[derive(Debug)]
struct Egg {
    minutes: u32,
}

#[json_type]
#[derive(Debug)]
struct Nested {
    #[allow(dead_code, reason = "it is never answered")]
    egg: Vec<Egg>,
}

fn asker() -> Builder {
    let spec = |name, description| {
        ToolSpec::new(name, description).input_schema(json!({"type": "object", "properties": {"pot": {"type": "string"}}}))
    };
    let boil = tool_fn(spec("boil", "Boil an egg."), |_: Value, cx: Context| async move {
        let said = match cx.elicit::<Egg>("How long?").await? {
            Elicited::Accepted(egg) => format!("{} minutes", egg.minutes),
            Elicited::Declined => return Ok("no egg".to_owned()),
            _ => return Ok("nobody there".to_owned()),
        };
        let sampled = cx.sample(Sampling::new([PromptMessage::user(said.clone())], 10)).await?;
        Ok::<_, ToolError>(format!("{said}, {} says {}", sampled.model, sampled.to_text()))
    });
    let both = tool_fn(spec("both", "Ask two things at once."), |_: Value, cx: Context| async move {
        let (roots, page) =
            futures_lite::future::zip(cx.roots(), cx.elicit_url("Log in.", "https://example.com/login")).await;
        Ok::<_, AskError>(format!("{} {}", roots?[0].uri, page?.accepted().is_some()))
    });
    let nested = tool_fn(spec("nested", "Ask too much."), |_: Value, cx: Context| async move {
        cx.elicit::<Nested>("?").await.map(|_| ()).map_err(|error| error.to_string())
    });
    Server::builder("asker", "1.0.0").tools([boil, both, nested])
}

fn capabilities() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}})
}

/// A client with a handshake that declares all capabilities.
fn handshake() -> Peer {
    let mut peer = Peer::new(asker());
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities()});
    assert_eq!(peer.ask("initialize", params)["result"]["protocolVersion"], "2025-11-25");
    peer
}

fn call(peer: &mut Peer, name: &str) {
    let line = json!({"jsonrpc": "2.0", "id": "call", "method": "tools/call", "params": {"name": name}});
    assert_eq!(peer.send(line.to_string()), None, "the tool waits for its client");
}

fn answer(peer: &mut Peer, question: &Value, result: Value) -> Vec<String> {
    assert_eq!(peer.send(json!({"jsonrpc": "2.0", "id": question["id"], "result": result}).to_string()), None);
    peer.poll()
}

fn text(replies: &[String]) -> String {
    let reply: Value = serde_json::from_str(&replies[0]).unwrap();
    reply["result"]["content"][0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn with_a_handshake_questions_are_sent_as_requests() {
    let mut peer = handshake();
    call(&mut peer, "boil");
    let question = peer.notifications().pop().unwrap();
    assert_eq!(question["method"], "elicitation/create");
    let form =
        json!({"type": "object", "properties": {"minutes": {"type": "integer", "minimum": 0}}, "required": ["minutes"]});
    assert_eq!(question["params"], json!({"mode": "form", "message": "How long?", "requestedSchema": form}));

    assert_eq!(answer(&mut peer, &question, json!({"action": "accept", "content": {"minutes": 4}})), Vec::<String>::new());
    let question = peer.notifications().pop().unwrap();
    assert_eq!(question["method"], "sampling/createMessage");
    assert_eq!(question["params"]["messages"][0]["content"]["text"], "4 minutes");
    let sampled = json!({"role": "assistant", "content": {"type": "text", "text": "tasty"}, "model": "m"});
    assert_eq!(text(&answer(&mut peer, &question, sampled)), "4 minutes, m says tasty");
}

#[test]
fn declining_is_a_normal_result_and_an_invalid_answer_is_an_error() {
    for (said, expected) in [
        (json!({"action": "decline"}), "no egg"),
        (json!({"action": "cancel"}), "nobody there"),
        (json!({"action": "accept", "content": {"minutes": "four"}}), "minutes"),
        (json!({"action": "dance"}), "not `dance`"),
        (json!(7), "invalid answer of the client"),
    ] {
        let mut peer = handshake();
        call(&mut peer, "boil");
        let question = peer.notifications().pop().unwrap();
        let text = text(&answer(&mut peer, &question, said));
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_client_error_or_a_missing_capability_is_a_typed_error() {
    let mut peer = handshake();
    call(&mut peer, "boil");
    let question = peer.notifications().pop().unwrap();
    peer.send(json!({"jsonrpc": "2.0", "id": question["id"], "error": {"code": -1, "message": "no screen"}}).to_string());
    assert_eq!(text(&peer.poll()), "the client responded with an error: no screen (-1)");

    let result = Peer::with_revision("2025-11-25", asker()).ask("tools/call", json!({"name": "boil"}))["result"].take();
    assert_eq!(result["content"][0]["text"], "the client does not support the capability `elicitation`");
    let result = handshake().ask("tools/call", json!({"name": "nested"}))["result"].take();
    assert!(result["content"][0]["text"].as_str().unwrap().contains("the field `egg`"), "{result}");
}

#[test]
fn a_nested_elicitation_form_is_a_build_error() {
    let tool = tool_fn(ToolSpec::new("nested", "Ask too much.").asks::<Egg>().asks::<Nested>(), |_: Value, _| async {});
    let prompt = prompt_fn(PromptSpec::new("nested", "Ask too much.").asks::<Nested>(), |_: Value, _| async { "" });
    let resource =
        resource_fn(ResourceSpec::new("a://b", "b", "Ask too much.").asks::<Nested>(), |_: Value, _| async { "" });
    let server = Server::builder("asker", "1.0.0").tools([tool]).prompts([prompt]).resources([resource]);
    let error = server.build().unwrap_err().to_string();
    for (line, of) in error.lines().zip(["tool `nested`", "prompt `nested`", "resource `a://b`"]) {
        let fault = "cannot be asked with a form: the field `egg` is neither text, a number, a flag nor a choice";
        assert_eq!(line, format!("{of}: `{}` {fault}", std::any::type_name::<Nested>()));
    }
    assert_eq!(error.lines().count(), 3, "{error}");
}

#[test]
fn every_elicitation_page_has_a_random_id() {
    let mut peer = handshake();
    let mut id = || {
        call(&mut peer, "both");
        let page = peer.notifications().into_iter().find(|question| question["params"]["mode"] == "url").unwrap();
        peer.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"call"}}"#);
        peer.poll();
        page["params"]["elicitationId"].as_str().unwrap().to_owned()
    };
    let (first, second) = (id(), id());
    assert_eq!((first.len(), second.len()), (32, 32));
    assert_ne!(first, second);
}

#[test]
fn cancelling_a_call_cancels_its_pending_question() {
    let mut peer = handshake();
    call(&mut peer, "boil");
    let question = peer.notifications().pop().unwrap();
    peer.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"call"}}"#);
    assert_eq!(peer.poll(), Vec::<String>::new());
    let taken_back = peer.notifications().pop().unwrap();
    assert_eq!(
        (&taken_back["method"], &taken_back["params"]["requestId"]),
        (&json!("notifications/cancelled"), &question["id"])
    );
    assert_eq!(answer(&mut peer, &question, json!({"action": "decline"})), Vec::<String>::new(), "a late answer is dropped");
}

/// A stateless call. `along` has the further parameters: the answers and the sealed state.
fn stateless(name: &str, along: &Value) -> Value {
    let mut params = json!({"name": name, "arguments": {"pot": "red"}, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities(),
    }});
    for (key, value) in along.as_object().unwrap() {
        params[key] = value.clone();
    }
    params
}

/// The further parameters that answer the only question of a result.
fn along(result: &Value, answer: Value) -> Value {
    let key = result["inputRequests"].as_object().unwrap().keys().next().unwrap();
    json!({"inputResponses": {key: answer}, "requestState": result["requestState"]})
}

#[test]
fn without_a_handshake_questions_are_results_and_answers_arrive_with_the_next_call() {
    let server = asker().build().unwrap();
    // A new session for each request: only the server itself may keep state.
    let ask = |params: Value| Peer::new(server.clone()).ask("tools/call", params)["result"].take();
    let first = ask(stateless("boil", &json!({})));
    assert_eq!(first["resultType"], "input_required");
    let question = first["inputRequests"].as_object().unwrap().values().next().unwrap();
    assert_eq!((&question["method"], &question["params"]["message"]), (&json!("elicitation/create"), &json!("How long?")));

    let second = ask(stateless("boil", &along(&first, json!({"action": "accept", "content": {"minutes": 4}}))));
    let question = second["inputRequests"].as_object().unwrap().values().next().unwrap();
    assert_eq!(question["method"], "sampling/createMessage");

    // Only the newest answer is sent as it is. Earlier answers are in the sealed state.
    let third = ask(stateless(
        "boil",
        &along(&second, json!({"role": "assistant", "content": {"type": "text", "text": "ok"}, "model": "m"})),
    ));
    assert_eq!((&third["resultType"], &third["content"][0]["text"]), (&json!("complete"), &json!("4 minutes, m says ok")));
}

#[test]
fn two_concurrent_questions_are_sent_in_one_result() {
    let mut peer = Peer::new(asker());
    let result = peer.ask("tools/call", stateless("both", &json!({})))["result"].take();
    let requests = result["inputRequests"].as_object().unwrap();
    assert_eq!(requests.len(), 2);
    let answers: serde_json::Map<String, Value> = requests
        .iter()
        .map(|(key, request)| {
            let is_roots = request["method"] == "roots/list";
            (key.clone(), if is_roots { json!({"roots": [{"uri": "file:///home"}]}) } else { json!({"action": "accept"}) })
        })
        .collect();
    let along = json!({"inputResponses": answers, "requestState": result["requestState"]});
    let result = peer.ask("tools/call", stateless("both", &along))["result"].take();
    assert_eq!(result["content"][0]["text"], "file:///home true");
}

#[test]
fn sealed_state_is_valid_for_the_same_arguments_in_another_order() {
    let mut peer = Peer::new(asker());
    let mut first = stateless("boil", &json!({}));
    first["arguments"] = json!({"pot": "red", "lid": {"size": 1, "colour": "blue"}});
    let result = peer.ask("tools/call", first)["result"].take();
    let mut again = stateless("boil", &along(&result, json!({"action": "decline"})));
    again["arguments"] = json!({"lid": {"colour": "blue", "size": 1}, "pot": "red"});
    let result = peer.ask("tools/call", again);
    assert!(result["error"].is_null(), "{result}");
}

#[test]
fn sealed_state_cannot_be_changed_or_used_for_another_call() {
    let mut peer = Peer::new(asker());
    let result = peer.ask("tools/call", stateless("boil", &json!({})))["result"].take();
    let good = along(&result, json!({"action": "decline"}));
    let mut other_arguments = stateless("boil", &good);
    other_arguments["arguments"] = json!({"pot": "blue"});
    let mut tampered = good.clone();
    tampered["requestState"] = json!("0".repeat(32));
    for params in [stateless("both", &good), other_arguments, stateless("boil", &tampered)] {
        assert_eq!(peer.ask("tools/call", params)["error"]["code"], -32602);
    }
    assert_eq!(peer.ask("tools/call", stateless("boil", &good))["result"]["content"][0]["text"], "no egg");
    let missing = json!({"requestState": result["requestState"], "inputResponses": {}});
    assert_eq!(
        peer.ask("tools/call", stateless("boil", &missing))["result"]["resultType"],
        "input_required",
        "it asks again"
    );
}

#[test]
fn questions_keep_their_keys_and_a_missing_capability_is_named() {
    let spec = ToolSpec::new("keyed", "Ask by a key.");
    let keyed = tool_fn(spec, |_: Value, cx: Context| async move {
        let egg = cx.keyed("egg").elicit::<Egg>("How long?").await?.accepted();
        Ok::<_, AskError>(egg.map_or(0, |egg| egg.minutes))
    });
    let lenient = tool_fn(ToolSpec::new("lenient", "Ask, or do without."), |_: Value, cx: Context| async move {
        cx.elicit::<Egg>("How long?").await.map_or(5, |_| 0)
    });
    let mut peer = Peer::new(Server::builder("asker", "1.0.0").tools([keyed, lenient]));
    let mut call = |name: &str, can: Value, more: Value| {
        let mut params = json!({"name": name, "_meta": session::stateless()});
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = can;
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        peer.ask("tools/call", params)
    };
    let asked = call("keyed", capabilities(), json!({}))["result"].clone();
    assert_eq!(asked["inputRequests"]["egg"]["method"], "elicitation/create");
    let responses = json!({"egg": {"action": "accept", "content": {"minutes": 3}}});
    let more = json!({"inputResponses": responses, "requestState": asked["requestState"]});
    assert_eq!(call("keyed", capabilities(), more)["result"]["content"][0]["text"], "3");

    let error = call("keyed", json!({}), json!({}))["error"].clone();
    assert_eq!((&error["code"], &error["data"]), (&json!(-32021), &json!({"requiredCapabilities": {"elicitation": {}}})));
    assert_eq!(call("lenient", json!({}), json!({}))["result"]["content"][0]["text"], "5");
}
