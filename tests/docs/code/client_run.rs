//! Runs the code of `docs/client.md` against a server with the tools that it calls.

use mcp_core::{Context, Elicited, Server, ToolError, json_type, prompt, prompts, resource, resources, tool, tools};

/// Add two numbers.
#[tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Build a program.
#[tool]
async fn build(target: String, cx: &Context) -> String {
    cx.progress(1, 1, "compiling");
    format!("built for {target}")
}

#[json_type]
struct Name {
    name: String,
}

/// Greet the user.
#[tool]
async fn greet(cx: &Context) -> Result<String, ToolError> {
    Ok(match cx.elicit::<Name>("Who are you?").await? {
        Elicited::Accepted(name) => format!("Hello, {}!", name.name),
        _ => "Hello!".to_owned(),
    })
}

/// A note.
#[resource("notes://tea")]
fn tea() -> &'static str {
    "three minutes"
}

/// Review some code.
#[prompt]
fn review(#[complete(snippets)] code: String) -> String {
    format!("Review: {code}")
}

fn snippets(typed: mcp_core::completion::Typed) -> Vec<&'static str> {
    ["x = 1", "y = 2"].into_iter().filter(|code| code.starts_with(&typed.value)).collect()
}

fn server() -> mcp_core::Builder {
    let seal = mcp_seal::Sealer::new(mcp_seal::Key::random().expect("the system has random numbers"));
    let server = Server::builder("workshop", "1.0.0").tools(tools![add, build, greet]).seal(seal);
    server.resources(resources![tea]).prompts(prompts![review])
}

#[tokio::test]
async fn the_code_of_the_page_works() {
    let client = mcp_client::Client::of(server()).await.unwrap();
    super::client::look_around(&client).await.unwrap();
    assert_eq!(super::client::build(&client).await.unwrap(), "built for release");

    let listener = mcp_http::Http::new().listen(server(), "127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.address());
    let serving = tokio::spawn(listener.serve());
    let client = super::client::with_a_user(&url).await.unwrap();
    assert_eq!(client.call_as::<String>("greet", ()).await.unwrap(), "Hello, Ada!");
    assert_eq!(super::client::observed(&url).await.unwrap(), ["x = 1"]);
    serving.abort();
}
