//! Prompts of each kind.

use std::sync::Arc;

use mcp_core::completion::Completer;
use mcp_core::dynamic::{Prompt, PromptArgument};
use mcp_core::protocol::{PromptMessage, ResourceContents};
use mcp_core::{AskError, Content, Context, Elicited, PromptSpec, json_type, prompt_fn};
use serde_json::Value;

use crate::content::RED_DOT;

#[json_type]
struct Subject {
    context: String,
}

pub fn all() -> [Arc<dyn Prompt>; 5] {
    [simple(), with_arguments(), with_resource(), with_image(), asking()]
}

fn simple() -> Arc<dyn Prompt> {
    prompt_fn(PromptSpec::new("test_simple_prompt", "A prompt without arguments."), |_: Value, _: Context| async {
        "This is a simple prompt for testing."
    })
}

fn with_arguments() -> Arc<dyn Prompt> {
    let completer = Completer::one_of(["paris", "park", "party"]);
    let first = PromptArgument::new("arg1").description("First test argument").required(true).complete(completer);
    let second = PromptArgument::new("arg2").description("Second test argument").required(true);
    let spec = PromptSpec::new("test_prompt_with_arguments", "A prompt with arguments.").argument(first).argument(second);
    prompt_fn(spec, |arguments: Value, _: Context| async move {
        let text = |name: &str| arguments[name].as_str().unwrap_or_default().to_owned();
        format!("Prompt with arguments: arg1='{}', arg2='{}'", text("arg1"), text("arg2"))
    })
}

fn with_resource() -> Arc<dyn Prompt> {
    let uri = PromptArgument::new("resourceUri").description("URI of the resource to embed").required(true);
    let spec = PromptSpec::new("test_prompt_with_embedded_resource", "A prompt with a resource.").argument(uri);
    prompt_fn(spec, |arguments: Value, _: Context| async move {
        let uri = arguments["resourceUri"].as_str().unwrap_or_default();
        let resource = ResourceContents::text(uri, "Embedded resource content for testing.").mime_type("text/plain");
        vec![
            PromptMessage::user(Content::resource(resource)),
            PromptMessage::user("Please process the embedded resource above."),
        ]
    })
}

fn with_image() -> Arc<dyn Prompt> {
    prompt_fn(PromptSpec::new("test_prompt_with_image", "A prompt with a picture."), |_: Value, _: Context| async {
        vec![
            PromptMessage::user(Content::image(RED_DOT, "image/png")),
            PromptMessage::user("Please analyze the image above."),
        ]
    })
}

fn asking() -> Arc<dyn Prompt> {
    let spec = PromptSpec::new("test_input_required_result_prompt", "A prompt that asks the user first.");
    prompt_fn(spec, |_: Value, cx: Context| async move {
        let subject = match cx.elicit::<Subject>("What context should the prompt use?").await? {
            Elicited::Accepted(subject) => subject.context,
            _ => "none".to_owned(),
        };
        Ok::<_, AskError>(format!("The context is: {subject}"))
    })
}
