//! Prompts, resources and completion.

use mcp_core::completion::{Completer, Typed};
use mcp_core::dynamic::PromptArgument;
use mcp_core::protocol::{PromptMessage, ResourceContents, Revision};
use mcp_core::{
    Builder, Content, Context, Json, PromptSpec, ResourceSpec, Server, ToolSpec, json_type, prompt_fn, resource_fn, tool_fn,
};
use serde_json::{Value, json};

use crate::session::{Peer, stateless};

#[json_type]
#[serde(rename_all = "lowercase")]
enum Tone {
    Kind,
    Strict,
}

#[json_type]
struct Review {
    tone: Tone,
    /// the maximum number of remarks
    most: Option<u32>,
    code: String,
}

fn offers() -> Builder {
    let cities = Completer::new(|typed: Typed, _: Context| async move {
        let country = typed.arguments.get("country").map_or("", String::as_str);
        let cities: &[&str] = if country == "de" { &["Berlin", "Bremen"] } else { &["Paris"] };
        cities.iter().filter(|city| city.starts_with(&typed.value)).map(|city| (*city).to_owned()).collect()
    });
    let many = Completer::one_of((0..250).map(|n| format!("n{n}")));
    let travel = PromptSpec::new("travel", "Plan a journey.")
        .argument(PromptArgument::new("country").complete(many))
        .argument(PromptArgument::new("city").description("where to").required(true).complete(cities.clone()));
    let travel = prompt_fn(travel, |arguments: Value, _: Context| async move {
        vec![
            PromptMessage::user(format!("Plan a trip to {}.", arguments["city"])),
            PromptMessage::assistant(Content::audio(b"x", "audio/wav")),
        ]
    });
    let review = PromptSpec::new("review", "Review code.").input::<Review>(&["code", "tone"]);
    let review = prompt_fn(review, |arguments: Review, _: Context| async move {
        match arguments.tone {
            Tone::Kind => Ok(format!("{} {:?}", arguments.code, arguments.most)),
            Tone::Strict => Err("nobody wants that"),
        }
    });
    let motd = resource_fn(
        ResourceSpec::new("motd://today", "motd", "Today.").mime_type("text/plain").size(4),
        |_: Value, _: Context| async { "eggs" },
    );
    let note = ResourceSpec::new("notes://{id}", "note", "A note.").complete("id", Completer::one_of(["1", "2"]));
    let note = resource_fn(note, |variables: Value, _: Context| async move {
        (variables["id"] != "0").then(|| Json(json!({"note": variables["id"]})))
    });
    let file =
        resource_fn(ResourceSpec::new("file:///{+path}", "file", "A file."), |variables: Value, _: Context| async move {
            let uri = format!("file:///{}", variables["path"].as_str().unwrap());
            if uri.ends_with("broken") { Err("the disk is broken") } else { Ok(ResourceContents::bytes(uri, [0, 255])) }
        });
    Server::builder("offers", "1.0.0").prompts([travel, review]).resources([motd, note, file])
}

fn peer() -> Peer {
    Peer::with_revision("2025-11-25", offers())
}

#[test]
fn prompts_are_listed_with_their_arguments_in_order() {
    let prompts = peer().ask("prompts/list", json!({}))["result"]["prompts"].take();
    assert_eq!(
        prompts,
        json!([
            {"name": "travel", "description": "Plan a journey.", "arguments": [
                {"name": "country", "required": false}, {"name": "city", "description": "where to", "required": true}]},
            {"name": "review", "description": "Review code.", "arguments": [
                {"name": "code", "required": true}, {"name": "tone", "required": true},
                {"name": "most", "description": "the maximum number of remarks", "required": false}]},
        ])
    );
}

#[test]
fn prompt_arguments_are_parsed_from_text_to_their_types() {
    let get = |name: &str, arguments: Value| peer().ask("prompts/get", json!({"name": name, "arguments": arguments}));
    let messages = get("travel", json!({"city": "Bern"}))["result"]["messages"].take();
    assert_eq!(messages[0], json!({"role": "user", "content": {"type": "text", "text": "Plan a trip to \"Bern\"."}}));
    assert_eq!(messages[1]["content"]["type"], "audio");
    let text =
        get("review", json!({"code": "12", "tone": "kind", "most": "3"}))["result"]["messages"][0]["content"]["text"].take();
    assert_eq!(text, "12 Some(3)");

    assert_eq!(
        get("review", json!({"code": "x", "tone": "strict"}))["error"],
        json!({"code": -32603, "message": "nobody wants that"})
    );
    for (name, arguments, part) in [
        ("nothing", json!({}), "unknown prompt: nothing"),
        ("travel", json!({}), "city"),
        ("travel", json!({"city": 5}), "strings"),
        ("review", json!({"code": "x", "tone": "rude"}), "strict"),
        ("review", json!({"code": "x", "tone": "kind", "most": "many"}), "most"),
    ] {
        let error = get(name, arguments)["error"].take();
        assert_eq!(error["code"], -32602, "{error}");
        assert!(error["message"].as_str().unwrap().contains(part), "{error}");
    }
}

#[test]
fn older_revisions_receive_a_text_in_place_of_audio() {
    let mut peer = Peer::with_revision("2024-11-05", offers());
    let messages =
        peer.ask("prompts/get", json!({"name": "travel", "arguments": {"city": "Bern"}}))["result"]["messages"].take();
    assert_eq!(messages[1]["content"], json!({"type": "text", "text": "[audio, audio/wav, 4 bytes in base64]"}));
}

#[test]
fn resources_and_templates_have_separate_lists() {
    let resources = peer().ask("resources/list", json!({}))["result"]["resources"].take();
    let motd = json!({"uri": "motd://today", "name": "motd", "description": "Today.", "mimeType": "text/plain", "size": 4});
    assert_eq!(resources, json!([motd]));
    let templates = peer().ask("resources/templates/list", json!({}))["result"]["resourceTemplates"].take();
    assert_eq!(templates[0], json!({"uriTemplate": "notes://{id}", "name": "note", "description": "A note."}));
    assert_eq!(templates[1]["uriTemplate"], "file:///{+path}");
}

#[test]
fn resources_are_read_by_uri() {
    let read = |uri: &str| peer().ask("resources/read", json!({"uri": uri}));
    let contents = |uri: &str| read(uri)["result"]["contents"].take();
    assert_eq!(contents("motd://today"), json!([{"uri": "motd://today", "mimeType": "text/plain", "text": "eggs"}]));
    assert_eq!(
        contents("notes://7"),
        json!([{"uri": "notes://7", "mimeType": "application/json", "text": "{\"note\":\"7\"}"}])
    );
    assert_eq!(contents("file:///a/b%20c"), json!([{"uri": "file:///a/b c", "blob": "AP8="}]));
    assert_eq!(read("file:///broken")["error"], json!({"code": -32603, "message": "the disk is broken"}));
}

#[test]
fn a_missing_resource_is_the_error_of_the_revision() {
    for uri in ["notes://0", "nowhere://x", "notes://1/2"] {
        let error = peer().ask("resources/read", json!({"uri": uri}))["error"].take();
        assert_eq!((&error["code"], &error["data"]), (&json!(-32002), &json!({"uri": uri})));
        let error = Peer::new(offers()).ask("resources/read", json!({"uri": uri, "_meta": stateless()}))["error"].take();
        assert_eq!((&error["code"], &error["data"]), (&json!(-32602), &json!({"uri": uri})));
    }
    assert_eq!(peer().ask("resources/read", json!({}))["error"]["code"], -32602);
}

#[test]
fn stateless_results_have_a_result_type_and_a_cache_time() {
    let mut peer = Peer::new(offers());
    for (method, mut params) in [
        ("prompts/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": "motd://today"})),
        ("prompts/get", json!({"name": "travel", "arguments": {"city": "x"}})),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "review"}, "argument": {"name": "tone", "value": ""}}),
        ),
    ] {
        params["_meta"] = stateless();
        let result = peer.ask(method, params)["result"].take();
        assert_eq!(result["resultType"], "complete", "{method}: {result}");
    }
}

#[test]
fn completion_uses_the_known_arguments_and_the_values_of_enums() {
    let complete = |reference: Value, name: &str, value: &str, known: Value| {
        let params = json!({"ref": reference, "argument": {"name": name, "value": value}, "context": {"arguments": known}});
        peer().ask("completion/complete", params)["result"]["completion"].take()
    };
    let travel = || json!({"type": "ref/prompt", "name": "travel"});
    let review = || json!({"type": "ref/prompt", "name": "review"});
    assert_eq!(complete(travel(), "city", "B", json!({"country": "de"}))["values"], json!(["Berlin", "Bremen"]));
    assert_eq!(complete(travel(), "city", "", json!({}))["values"], json!(["Paris"]));
    assert_eq!(complete(review(), "tone", "S", json!({}))["values"], json!(["strict"]));
    assert_eq!(complete(review(), "code", "", json!({}))["values"], json!([]));
    assert_eq!(
        complete(json!({"type": "ref/resource", "uri": "notes://{id}"}), "id", "", json!({}))["values"],
        json!(["1", "2"])
    );
    let many = complete(travel(), "country", "n", json!({}));
    assert_eq!(
        (many["values"].as_array().unwrap().len(), &many["total"], &many["hasMore"]),
        (100, &json!(250), &json!(true))
    );

    for reference in [
        json!({"type": "ref/prompt", "name": "nothing"}),
        json!({"type": "ref/resource", "uri": "x://{y}"}),
        json!({"type": "ref/tool"}),
    ] {
        let params = json!({"ref": reference, "argument": {"name": "x", "value": ""}});
        assert_eq!(peer().ask("completion/complete", params)["error"]["code"], -32602);
    }
}

#[test]
fn a_server_announces_only_capabilities_that_it_has() {
    let mut peer = Peer::with_revision("2025-11-25", Server::builder("empty", "1"));
    for method in [
        "prompts/list",
        "prompts/get",
        "resources/list",
        "resources/read",
        "resources/templates/list",
        "completion/complete",
    ] {
        assert_eq!(peer.ask(method, json!({}))["error"]["code"], -32601, "{method}");
    }
}

#[test]
fn invalid_items_are_reported_when_the_server_is_built() {
    let nothing = |uri: &'static str| resource_fn(ResourceSpec::new(uri, "n", "d"), |_: Value, _: Context| async { "" });
    let faults = Server::builder("wrong", "1")
        .resources([nothing("a://{x}{y}"), nothing("b://"), nothing("b://")])
        .build()
        .unwrap_err();
    assert_eq!(
        faults.to_string(),
        "resource `a://{x}{y}`: nothing separates `{y}` from the variable before it\nresource `b://`: duplicate URI"
    );
}

#[test]
fn a_schema_can_be_published_unchanged_but_its_root_must_be_an_object() {
    let build = |schema: Value| {
        let spec = ToolSpec::new("one_of", "One of two.").verbatim_input_schema(schema);
        let tool = tool_fn(spec, |arguments: Value, _: Context| async move { arguments.to_string() });
        Server::builder("verbatim", "1.0.0").tools(tool).build()
    };
    let schema = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}]});
    let server = build(schema.clone()).unwrap();
    assert_eq!(server.tools_list_result(Revision::NEWEST)["tools"][0]["inputSchema"], schema);
    let mut peer = Peer::with_revision("2025-11-25", server);
    assert_eq!(peer.ask("tools/call", json!({"name": "one_of", "arguments": {}}))["result"]["isError"], true);
    assert_eq!(peer.ask("tools/call", json!({"name": "one_of", "arguments": {"a": 1}}))["result"].get("isError"), None);
    assert!(build(json!({"type": "string"})).is_err());
}

#[test]
fn mcp_core_and_mcp_macros_have_the_same_template_file() {
    let read = |path: &str| std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    assert!(
        read("src/resource/template.rs") == read("../mcp-macros/src/template.rs"),
        "mcp-core/src/resource/template.rs and mcp-macros/src/template.rs differ: make the same change in both"
    );
}
