//! A client never receives a field that was added after its revision. One test for each group of fields.

use mcp_core::dynamic::PromptArgument;
use mcp_core::protocol::{Annotations, Icon, ResourceContents, ResourceLink, Revision};
use mcp_core::task::TaskSupport;
use mcp_core::{
    AskError, Builder, Content, Context, PromptSpec, ResourceSpec, Server, ToolResult, ToolSpec, prompt_fn, resource_fn,
    tool_fn,
};
use serde_json::{Value, json};

use crate::session::{Peer, stateless};

/// A server that sets every optional field.
fn everything() -> Builder {
    let mut dated = Annotations::default();
    dated.last_modified = Some("2026-07-28T12:00:00Z".into());
    let icon = || Icon::new("https://example.com/icon.png");
    let spec = ToolSpec::new("all", "All.").title("All").read_only(true).icon(icon()).meta("a/b", 1).output::<Value>();
    let all = tool_fn(spec.task_support(TaskSupport::Optional), |_: Value, cx: Context| async move {
        cx.progress(1, 2, "half");
        let content = [
            Content::text("text").last_modified("2026-07-28T12:00:00Z"),
            Content::audio(b"sound", "audio/wav"),
            ResourceLink::new("a://b", "link").into(),
        ];
        ToolResult::content(content).structured(&json!({"n": 1})).unwrap()
    });
    let ask = tool_fn(ToolSpec::new("ask", "Ask."), |_: Value, cx: Context| async move {
        cx.elicit_url("Log in.", "https://example.com").await.map(|_| ())?;
        Ok::<_, AskError>(())
    });
    let argument = PromptArgument::new("a").title("A");
    let prompt = PromptSpec::new("p", "P.").title("P").icon(icon()).meta("a/b", 1).argument(argument);
    let prompt = prompt_fn(prompt, |_: Value, _: Context| async { "Hello." });
    let resource = |uri: &'static str| {
        ResourceSpec::new(uri, "r", "R.").title("R").icon(icon()).meta("a/b", 1).annotations(dated.clone())
    };
    let read = |_: Value, _: Context| async {
        let mut contents = ResourceContents::text("r://1", "text");
        contents.meta = json!({"a/b": 1}).as_object().cloned();
        contents
    };
    Server::builder("all", "1.0.0")
        .title("All")
        .description("All.")
        .website_url("https://example.com")
        .icon(icon())
        .tools([all, ask])
        .prompts([prompt])
        .resources([resource_fn(resource("r://1"), read), resource_fn(resource("r://{x}/y"), read)])
}

/// A client of this revision with all capabilities, and the `_meta` of its requests.
fn client(revision: Revision) -> (Peer, Value) {
    let mut peer = Peer::new(everything());
    let can = json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}});
    if revision.is_stateless() {
        let mut meta = stateless();
        meta["io.modelcontextprotocol/clientCapabilities"] = can;
        return (peer, meta);
    }
    peer.ask("initialize", json!({"protocolVersion": revision.as_str(), "capabilities": can}));
    (peer, json!({}))
}

fn asked(revision: Revision, method: &str, mut params: Value) -> (Value, Vec<Value>) {
    let (mut peer, meta) = client(revision);
    params["_meta"] = meta;
    params["_meta"]["progressToken"] = json!(1);
    (peer.ask(method, params)["result"].take(), peer.notifications())
}

/// Asserts that the keys are present from the revision `first` on, and absent before.
#[track_caller]
fn since(first: Revision, at: impl Fn(Revision) -> Value, keys: &[&str]) {
    for revision in Revision::ALL {
        let value = at(revision);
        for key in keys {
            assert_eq!(value.get(*key).is_some(), revision >= first, "{revision}: {key} in {value}");
        }
    }
}

const V03: Revision = Revision::V2025_03_26;
const V06: Revision = Revision::V2025_06_18;
const V11: Revision = Revision::V2025_11_25;

fn listed(method: &'static str, key: &'static str) -> impl Fn(Revision) -> Value {
    move |revision| asked(revision, method, json!({})).0[key][0].take()
}

#[test]
fn tools() {
    since(V03, listed("tools/list", "tools"), &["annotations"]);
    since(V06, listed("tools/list", "tools"), &["title", "outputSchema", "_meta"]);
    since(V11, listed("tools/list", "tools"), &["icons"]);
    for revision in Revision::ALL {
        assert_eq!(listed("tools/list", "tools")(revision).get("execution").is_some(), revision == V11, "{revision}");
    }
}

#[test]
fn prompts_and_their_arguments() {
    since(V06, listed("prompts/list", "prompts"), &["title", "_meta"]);
    since(V11, listed("prompts/list", "prompts"), &["icons"]);
    since(V06, |revision| listed("prompts/list", "prompts")(revision)["arguments"][0].take(), &["title"]);
}

#[test]
fn resources_and_their_contents() {
    for (method, key) in [("resources/list", "resources"), ("resources/templates/list", "resourceTemplates")] {
        since(V06, listed(method, key), &["title", "_meta"]);
        since(V11, listed(method, key), &["icons"]);
        since(V06, |revision| listed(method, key)(revision)["annotations"].take(), &["lastModified"]);
    }
    let read = |revision| asked(revision, "resources/read", json!({"uri": "r://1"})).0["contents"][0].take();
    since(V06, read, &["_meta"]);
    since(Revision::V2026_07_28, |revision| asked(revision, "resources/read", json!({"uri": "r://1"})).0, &["ttlMs"]);
}

#[test]
fn results_and_content() {
    let called = |revision| asked(revision, "tools/call", json!({"name": "all"})).0;
    since(V06, called, &["structuredContent"]);
    since(Revision::V2026_07_28, called, &["resultType"]);
    since(V06, |revision| called(revision)["content"][0]["annotations"].take(), &["lastModified"]);
    since(V03, |revision| called(revision)["content"][1].take(), &["mimeType"]);
    since(V06, |revision| called(revision)["content"][2].take(), &["uri"]);
}

#[test]
fn progress_messages() {
    let notified = |revision| asked(revision, "tools/call", json!({"name": "all"})).1.remove(0)["params"].take();
    since(V03, notified, &["message"]);
}

#[test]
fn elicitation_requests() {
    for revision in Revision::ALL {
        let (answered, asked) = asked(revision, "tools/call", json!({"name": "ask"}));
        let by_request = asked.iter().any(|message| message["method"] == "elicitation/create");
        assert_eq!(by_request, revision == V11, "{revision}: a page, which came with that revision");
        assert_eq!(answered["resultType"] == "input_required", revision.is_stateless(), "{revision}: {answered}");
    }
}

#[test]
fn server_info_and_capabilities() {
    let opened = |revision: Revision| {
        let params = json!({"protocolVersion": revision.as_str(), "capabilities": {}});
        match revision.is_stateless() {
            true => Peer::new(everything()).ask("server/discover", json!({"_meta": stateless()}))["result"].take(),
            false => Peer::new(everything()).ask("initialize", params)["result"].take(),
        }
    };
    let card = |revision: Revision| match revision.is_stateless() {
        true => opened(revision)["_meta"]["io.modelcontextprotocol/serverInfo"].take(),
        false => opened(revision)["serverInfo"].take(),
    };
    since(V06, card, &["title"]);
    since(V11, card, &["description", "websiteUrl", "icons"]);
    since(V03, |revision| opened(revision)["capabilities"].take(), &["completions"]);
    since(Revision::V2026_07_28, |revision| opened(revision)["capabilities"].take(), &["extensions"]);
}
