//! The client that the official conformance suite starts: `conformance client --command target/debug/examples/conformance`.
//!
//! The suite starts a server, passes its URL as the last argument, and names the scenario in an environment variable.

use std::env;
use std::error::Error;

use mcp_client::{AuthorizeError, Builder, Client, OAuth, PrivateKey, RegisteredClient, Revision, RpcError};
use mcp_core::Elicited;
use serde_json::{Map, Value, json};
use url::Url;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = env::args().next_back().ok_or("the URL of the server is missing")?;
    let scenario = env::var("MCP_CONFORMANCE_SCENARIO")?;
    let revision = env::var("MCP_CONFORMANCE_PROTOCOL_VERSION")?;
    let revision = Revision::parse(&revision).ok_or("unknown revision")?;
    let context: Value = env::var("MCP_CONFORMANCE_CONTEXT").map_or(Ok(Value::Null), |text| serde_json::from_str(&text))?;

    let mut builder = options(&scenario, Client::http(url)).revision(revision);
    if scenario.starts_with("auth/") {
        builder = builder.authorize(oauth(&scenario, &context)?);
    }
    let client = builder.await?;
    run(&scenario, &client, &context).await?;
    client.close().await;
    Ok(())
}

fn options(scenario: &str, builder: Builder) -> Builder {
    match scenario {
        // The user accepts the forms of these scenarios without changes.
        "elicitation-sep1034-client-defaults" => builder.on_elicit(async |_| Ok(Elicited::Accepted(Map::new()))),
        "sep-2322-client-request-state" => {
            builder.on_elicit(async |_| Ok(Elicited::Accepted(Map::from_iter([("confirmed".to_owned(), json!(true))]))))
        }
        // This scenario checks the declared capabilities.
        "request-metadata" => {
            let refuse = async |_| Err(RpcError::invalid_request("this scenario asks nothing"));
            builder.roots([]).on_sample(refuse).on_elicit(async |_| Ok(Elicited::Declined))
        }
        _ => builder,
    }
}

fn oauth(scenario: &str, context: &Value) -> Result<OAuth, Box<dyn Error>> {
    let text = |key: &str| context[key].as_str();
    if let (Some(id), Some(pem)) = (text("client_id"), text("private_key_pem")) {
        return Ok(OAuth::client_credentials(RegisteredClient::new(id).private_key(PrivateKey::from_pem(pem)?)));
    }
    let oauth = OAuth::new().client_metadata("https://conformance-test.local/client-metadata.json").open_browser(visit);
    let (Some(id), Some(secret)) = (text("client_id"), text("client_secret")) else { return Ok(oauth) };
    let client = RegisteredClient::new(id).secret(secret);
    match scenario.starts_with("auth/client-credentials") {
        true => Ok(OAuth::client_credentials(client)),
        false => Ok(oauth.client(client)),
    }
}

/// Follows redirects like a browser, up to the redirect to this process.
async fn visit(url: Url) -> Result<(), AuthorizeError> {
    reqwest::get(url).await.map(drop).map_err(|error| AuthorizeError::new("the login page failed").source(error))
}

async fn run(scenario: &str, client: &Client, context: &Value) -> Result<(), Box<dyn Error>> {
    let tools = client.tools().all().await?;
    match scenario {
        "tools_call" => {
            client.call("add_numbers", json!({"a": 5, "b": 3})).await?;
        }
        "sse-retry" => {
            client.call("test_reconnection", ()).await?;
        }
        // The authorization server changes after the first list.
        "auth/authorization-server-migration" => drop(client.tools().all().await?),
        // This scenario only requires a list of the tools.
        "json-schema-ref-no-deref" => {}
        "http-standard-headers" => offers(client).await?,
        "http-custom-headers" => {
            for call in context["toolCalls"].as_array().into_iter().flatten() {
                client.call(call["name"].as_str().unwrap_or_default(), &call["arguments"]).await?;
            }
        }
        "json-schema-2020-12-preservation" => {
            let focal = tools.iter().find(|tool| tool.name == "json_schema_2020_12_tool").ok_or("no tool")?;
            let echo = tools.iter().find(|tool| tool.name != focal.name).ok_or("no tool")?;
            client.call(&echo.name, json!({"schema": focal.input_schema})).await?;
        }
        // The other scenarios require a call of every listed tool, with arguments that its schema allows.
        _ => {
            for tool in &tools {
                client.call(&tool.name, arguments(&tool.input_schema)).await?;
            }
        }
    }
    Ok(())
}

/// Uses each feature of the server once.
async fn offers(client: &Client) -> Result<(), Box<dyn Error>> {
    for tool in client.tools().all().await? {
        client.call(&tool.name, arguments(&tool.input_schema)).await?;
    }
    for resource in client.resources().all().await? {
        client.read(&resource.uri).await?;
    }
    for prompt in client.prompts().all().await? {
        client.prompt(&prompt.name, prompt.arguments.iter().map(|argument| (argument.name.as_str(), "x"))).await?;
    }
    Ok(())
}

/// Returns a value for each required argument.
fn arguments(schema: &Value) -> Value {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let values = required.map(|name| {
        let value = match schema["properties"][name]["type"].as_str() {
            Some("integer" | "number") => json!(1),
            Some("boolean") => json!(true),
            Some("object") => json!({}),
            Some("array") => json!([]),
            _ => json!("x"),
        };
        (name.to_owned(), value)
    });
    Value::Object(values.collect())
}
