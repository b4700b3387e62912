//! Tools that send requests to the client: elicitation, sampling and roots.

use mcp_core::ask::Sampling;
use mcp_core::protocol::PromptMessage;
use mcp_core::serde::Serialize;
use mcp_core::{AskError, Context, Elicited, ToolError, json_type, tool};

#[json_type]
struct Account {
    /// User's response
    username: String,
    /// User's email address
    email: String,
}

#[json_type]
struct Name {
    name: String,
}

#[json_type]
struct Color {
    color: String,
}

#[json_type]
struct Confirmation {
    ok: bool,
}

#[json_type]
struct Defaults {
    #[schemars(extend("default" = "John Doe"))]
    name: Option<String>,
    #[schemars(extend("default" = 30))]
    age: Option<i64>,
    #[schemars(extend("default" = 95.5))]
    score: Option<f64>,
    #[schemars(extend("enum" = ["active", "inactive", "pending"], "default" = "active"))]
    status: Option<String>,
    #[schemars(extend("default" = true))]
    verified: Option<bool>,
}

#[json_type]
#[serde(rename_all = "camelCase")]
struct Choices {
    #[schemars(extend("enum" = ["option1", "option2", "option3"]))]
    untitled_single: Option<String>,
    #[schemars(extend("oneOf" = [
        {"const": "value1", "title": "First Option"},
        {"const": "value2", "title": "Second Option"},
        {"const": "value3", "title": "Third Option"},
    ]))]
    titled_single: Option<String>,
    #[schemars(extend(
        "enum" = ["opt1", "opt2", "opt3"],
        "enumNames" = ["Option One", "Option Two", "Option Three"],
    ))]
    legacy_enum: Option<String>,
    #[schemars(extend("items" = {"type": "string", "enum": ["option1", "option2", "option3"]}))]
    untitled_multi: Option<Vec<String>>,
    #[schemars(extend("items" = {"anyOf": [
        {"const": "value1", "title": "First Choice"},
        {"const": "value2", "title": "Second Choice"},
        {"const": "value3", "title": "Third Choice"},
    ]}))]
    titled_multi: Option<Vec<String>>,
}

/// Formats the user's response as text.
fn response_text<T: Serialize>(answer: &Elicited<T>) -> String {
    match answer {
        Elicited::Accepted(content) => format!("action=accept, content={}", serde_json::json!(content)),
        Elicited::Declined => "action=decline".to_owned(),
        _ => "action=cancel".to_owned(),
    }
}

fn question(text: impl Into<String>, max_tokens: u64) -> Sampling {
    Sampling::new([PromptMessage::user(text.into())], max_tokens)
}

/// Ask the client's model.
#[tool]
pub async fn test_sampling(
    /// The prompt to send to the LLM
    prompt: String,
    cx: &Context,
) -> Result<String, AskError> {
    Ok(format!("LLM response: {}", cx.sample(question(prompt, 100)).await?.to_text()))
}

/// Ask the user.
#[tool]
pub async fn test_elicitation(
    /// The message to show the user
    message: String,
    cx: &Context,
) -> Result<String, AskError> {
    Ok(format!("User response: {}", response_text(&cx.elicit::<Account>(message).await?)))
}

/// Ask the user with a form that is filled in already.
#[tool]
pub async fn test_elicitation_sep1034_defaults(cx: &Context) -> Result<String, AskError> {
    Ok(format!("Elicitation completed: {}", response_text(&cx.elicit::<Defaults>("Please check these values").await?)))
}

/// Ask the user to choose.
#[tool]
pub async fn test_elicitation_sep1330_enums(cx: &Context) -> Result<String, AskError> {
    Ok(format!("Elicitation completed: {}", response_text(&cx.elicit::<Choices>("Please choose").await?)))
}

/// Request sampling, which fails if the client does not support it.
#[tool]
pub async fn test_missing_capability(cx: &Context) -> Result<String, AskError> {
    Ok(cx.sample(question("Are you there?", 10)).await?.to_text())
}

/// Report, then ask the user.
#[tool]
pub async fn test_streaming_elicitation(cx: &Context) -> Result<String, AskError> {
    cx.progress(1, 2, "about to ask");
    Ok(response_text(&cx.elicit::<Name>("What is your name?").await?))
}

/// Ask the user for a name.
#[tool]
pub async fn test_input_required_result_elicitation(cx: &Context) -> Result<String, AskError> {
    Ok(match cx.keyed("user_name").elicit::<Name>("What is your name?").await? {
        Elicited::Accepted(answer) => format!("Hello, {}!", answer.name),
        _ => "Hello, whoever you are!".to_owned(),
    })
}

/// Ask the client's model for a capital.
#[tool]
pub async fn test_input_required_result_sampling(cx: &Context) -> Result<String, AskError> {
    Ok(cx.keyed("capital_question").sample(question("What is the capital of France?", 100)).await?.to_text())
}

/// Ask for the user's folders.
#[tool]
pub async fn test_input_required_result_list_roots(cx: &Context) -> Result<String, AskError> {
    let roots: Vec<String> = cx.keyed("client_roots").roots().await?.into_iter().map(|root| root.uri).collect();
    Ok(format!("roots: {}", roots.join(", ")))
}

/// Ask for a confirmation. The client carries the state of the request.
#[tool]
pub async fn test_input_required_result_request_state(cx: &Context) -> Result<String, AskError> {
    Ok(format!("state-ok: {}", response_text(&cx.elicit::<Confirmation>("Please confirm").await?)))
}

/// Ask the user, the model and for folders, all at once.
#[tool]
pub async fn test_input_required_result_multiple_inputs(cx: &Context) -> Result<String, AskError> {
    let name = cx.elicit::<Name>("What is your name?");
    let greeting = cx.sample(question("Generate a greeting", 50));
    let (name, greeting, roots) = tokio::try_join!(name, greeting, cx.roots())?;
    Ok(format!("{}; {}; {} roots", response_text(&name), greeting.to_text(), roots.len()))
}

/// Ask twice, one after the other.
#[tool]
pub async fn test_input_required_result_multi_round(cx: &Context) -> Result<String, AskError> {
    let name = cx.elicit::<Name>("Step 1: What is your name?").await?;
    let color = cx.elicit::<Color>("Step 2: What is your favorite color?").await?;
    Ok(format!("{}; {}", response_text(&name), response_text(&color)))
}

/// Ask for a confirmation, and reject state that the client has changed.
#[tool]
pub async fn test_input_required_result_tampered_state(cx: &Context) -> Result<String, AskError> {
    Ok(response_text(&cx.elicit::<Confirmation>("Please confirm").await?))
}

/// Send a request that the client supports.
#[tool]
pub async fn test_input_required_result_capabilities(cx: &Context) -> Result<String, ToolError> {
    let can = cx.client_capabilities();
    if can.can_sample() {
        return Ok(cx.sample(question("Say hello", 50)).await?.to_text());
    }
    if can.can_elicit() {
        return Ok(response_text(&cx.elicit::<Name>("What is your name?").await?));
    }
    Ok("this client supports neither sampling nor elicitation".to_owned())
}
